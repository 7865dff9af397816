#!/usr/bin/env python3
"""What `cmake --install` puts below a prefix, and that it works there.

  install_test.py PATH_OF_BREWERY [unittest arguments]
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.program import SOURCE, CommandCase, clean_environment, main  # noqa: E402


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.at = Path(scratch.name)
        cls.prefix = cls.at / "moved"
        build = Path(CommandCase.program).parents[1]
        # Built for one place, then moved to another.
        subprocess.run(["cmake", "--install", build, "--prefix", "/opt/first"],
                       env=os.environ | {"DESTDIR": str(cls.at)}, check=True,
                       stdout=subprocess.DEVNULL)
        (cls.at / "opt/first").rename(cls.prefix)
        cls.names = {path.name for path in cls.prefix.rglob("*")}

    def ok(self, *words):
        done = subprocess.run([self.prefix / "bin/brewery", *map(str, words)],
                              cwd=self.at, text=True, capture_output=True,
                              env=clean_environment(), timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def test_configurations_of_the_package_find_their_data(self):
        config = self.prefix / "share/brewery/config"
        for name in ("telecom-example", "telecom-house-rules",
                     "external-example", "scarce"):
            with self.subTest(name):
                self.ok("config", "check", config / f"{name}.toml")

    def test_an_example_of_the_help_is_named_where_it_was_installed(self):
        for command, file, said in (
                ("run", "config/telecom-example.toml", "cannot read "
                 "configuration config/telecom-example.toml: "
                 "No such file or directory"),
                ("sweep", "config/sweeps/learners.toml", "sweep file "
                 "config/sweeps/learners.toml: cannot open "
                 f"{self.at}/config/sweeps/learners.toml: "
                 "No such file or directory")):
            with self.subTest(command):
                done = subprocess.run(
                    [self.prefix / "bin/brewery", command, file],
                    cwd=self.at, text=True, capture_output=True,
                    env=clean_environment(), timeout=60)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(
                    done.stderr,
                    f"brewery: {said}; the one that was installed is "
                    f"{self.prefix}/share/brewery/{file}\n")

    def test_a_program_in_python_gets_the_package_that_was_installed(self):
        share = self.prefix / "share/brewery"
        lock = (share / "envs/python/examples/lock.py").read_text()
        (self.at / "lock.py").write_text(
            "import brewery_env\n"
            "open('place', 'w').write(brewery_env.__file__)\n" + lock)
        self.ok("config", "check", share / "config/external-example.toml",
                "--deep", "--set", f"environment.data={self.at}")
        place = Path((self.at / "place").read_text())
        self.assertEqual(place.parent, share / "envs/python/brewery_env")

    def test_nothing_of_the_users_own_and_no_byte_code_is_installed(self):
        self.assertNotIn("models.toml", self.names)
        self.assertIn("models.example.toml", self.names)
        self.assertFalse({name for name in self.names
                          if name.endswith((".pyc", ".cpp", ".hpp"))})

    def test_man_and_shells_find_their_files(self):
        for name, start in (
                ("share/man/man1/brewery.1", ".TH BREWERY 1"),
                ("share/man/man1/brewery-kb-list.1", ".TH BREWERY\\-KB"),
                ("share/man/man5/brewery.toml.5", ".TH BREWERY.TOML 5"),
                ("share/bash-completion/completions/brewery", "# Completion"),
                ("share/zsh/site-functions/_brewery", "#compdef brewery"),
                ("share/fish/vendor_completions.d/brewery.fish",
                 "# Completion")):
            with self.subTest(name):
                text = (self.prefix / name).read_text()
                self.assertEqual(text[:len(start)], start)

    def test_documents_are_with_the_package(self):
        documents = self.prefix / "share/doc/brewery-search"
        for name in ("README.md", "CHANGELOG.md", "LICENSE", "docs/usage.md"):
            self.assertEqual((documents / name).read_bytes(),
                             (SOURCE / name).read_bytes())


if __name__ == "__main__":
    main()
