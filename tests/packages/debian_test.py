#!/usr/bin/env python3
"""Installs the Debian package in a minimal Debian and uses it there.

  debian_test.py DIRECTORY_OF_PACKAGES [unittest arguments]

The system is made by mmdebstrap from the mirror that this machine has
configured, in a scratch directory. Nothing of the sources is in it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from support.program import TOY  # noqa: E402

PACKAGE = Path()  # set below


def mirror():
    """Address and release of Debian's main archive."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)",
         "Created-By: Packages", "Component: main"], text=True, check=True,
        capture_output=True).stdout
    release = re.search(r"^VERSION_CODENAME=(\S+)",
                        Path("/etc/os-release").read_text(), re.M)[1]
    for line in listed.splitlines():
        address, of = line.split()
        if of == release:
            return address, release
    raise unittest.SkipTest(f"no archive of {release} is configured")


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="brewery-debian-")
        cls.addClassCleanup(scratch.cleanup)
        cls.root = Path(scratch.name, "root")
        address, release = mirror()
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root",
             "--components=main", "--dpkgopt=force-unsafe-io", release,
             cls.root, address], check=True)
        shutil.copy(PACKAGE, cls.root / "tmp")
        cls.sh("(apt-get update -qq && apt-get install -qq -y"
               f" /tmp/{PACKAGE.name}) >/tmp/apt 2>&1"
               " || { cat /tmp/apt; exit 1; }")
        (cls.root / "root/toy.toml").write_text(TOY)

    @classmethod
    def sh(cls, script):
        """Runs the script there. Its /proc is gone with its last process."""
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-ec",
             'mount -t proc proc "$0/proc"; exec chroot "$0" sh -ec "$1"',
             cls.root, f"cd /root; {script}"],
            text=True, capture_output=True, timeout=900,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
                 "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"})
        if done.returncode:
            raise AssertionError(f"{script}: {done.stderr}{done.stdout}")
        return done.stdout

    def test_the_program_says_its_version_and_commit(self):
        self.assertRegex(self.sh("brewery --version"), r"^brewery \d+\.\d+\.\d+")

    def test_a_run_learns_documents(self):
        out = self.sh("brewery run toy.toml --id first --quiet; "
                      "brewery kb list first; cat runs/first/kb/*.md")
        self.assertIn("no KB", out)
        self.assertIn("### How to perform", out)

    def test_the_page_is_in_it(self):
        self.sh("brewery run toy.toml --id shown --quiet >/dev/null; "
                "brewery ui export shown --out page; test -s page/index.html; "
                "grep -q brewery page/*.js")

    def test_configurations_are_there_and_valid(self):
        folder = "/usr/share/brewery/config"
        self.assertIn("[environment]", self.sh(
            f"brewery config print {folder}/telecom-example.toml"))
        self.sh(f"brewery config check {folder}/telecom-example.toml")

    def test_an_environment_in_python_is_played_without_the_sources(self):
        self.sh("brewery run /usr/share/brewery/config/external-example.toml"
                " --id lock --quiet --set search.iterations=1")

    def test_man_pages_and_completions_are_where_debian_looks(self):
        listed = self.sh("dpkg -L brewery-search").splitlines()
        for file in ("/usr/share/man/man1/brewery.1.gz",
                     "/usr/share/man/man1/brewery-kb-list.1.gz",
                     "/usr/share/man/man5/brewery.toml.5.gz",
                     "/usr/share/bash-completion/completions/brewery",
                     "/usr/share/zsh/vendor-completions/_brewery",
                     "/usr/share/fish/vendor_completions.d/brewery.fish",
                     "/usr/share/doc/brewery-search/copyright"):
            self.assertIn(file, listed)
        self.assertIn("--runs-dir", self.sh(
            "zcat /usr/share/man/man1/brewery-run.1.gz").replace("\\", ""))
        self.assertEqual("show\n", self.sh("""bash -c '
            . /usr/share/bash-completion/completions/brewery
            COMP_WORDS=(brewery kb sho) COMP_CWORD=2; _brewery
            echo "${COMPREPLY[@]}"'"""))

    def test_z_nothing_is_left_when_it_is_removed(self):
        """The last of all, by its name."""
        self.sh("apt-get purge -qq -y brewery-search >/dev/null")
        self.sh("! test -e /usr/bin/brewery; ! test -e /usr/share/brewery")


class Policy(unittest.TestCase):
    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian_finds_no_error(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error",
                               PACKAGE], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    lacking = ("root" if os.geteuid() else
               "" if shutil.which("mmdebstrap") else "mmdebstrap")
    if lacking:
        print(f"skipped: this needs {lacking}")
        sys.exit(77)
    PACKAGE, = Path(sys.argv.pop(1)).resolve().glob("*.deb")
    unittest.main()
