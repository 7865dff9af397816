#!/usr/bin/env python3
"""The commit that a program names: cmake/build_commit.cmake in a repository.

  build_commit_test.py PATH_OF_CMAKE [unittest arguments]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "cmake/build_commit.cmake"
GIT = shutil.which("git")
CMAKE = ""  # set below


@unittest.skipUnless(GIT, "there is no git")
class Commit(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = Path(scratch.name, "tree")
        self.out = Path(scratch.name, "build_commit.cpp")
        for name in ("a.cpp", "README.md", "config/prompts/p.md",
                     "docs/d.md", "tests/t.cpp"):
            self.write(name, "first\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm",
                 "first")
        self.commit = self.git("rev-parse", "--short=12", "HEAD").strip()

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *words):
        mine = {k: v for k, v in os.environ.items()
                if not k.startswith("GIT_")}
        return subprocess.run([GIT, *words], cwd=self.tree, env=mine, text=True,
                              check=True, capture_output=True).stdout

    def said(self):
        subprocess.run([CMAKE, f"-DGIT={GIT}", f"-DTREE={self.tree}",
                        f"-DOUT={self.out}", "-P", SCRIPT], check=True)
        return self.out.read_text().split('return "')[1].split('"')[0]

    def test_unchanged_sources_are_of_their_commit(self):
        self.assertEqual(self.said(), self.commit)
        for name in ("README.md", "docs/d.md", "tests/t.cpp", "tests/u.cpp"):
            self.write(name, "second\n")
        self.assertEqual(self.said(), self.commit)

    def test_a_changed_or_new_source_is_marked(self):
        for name in ("a.cpp", "config/prompts/p.md", "new.hpp"):
            with self.subTest(name):
                self.write(name, "second\n")
                self.assertEqual(self.said(), self.commit + " with changes")
                self.git("reset", "-q", "--hard")
                self.git("clean", "-q", "-f")
                self.assertEqual(self.said(), self.commit)

    def test_the_same_answer_writes_nothing(self):
        self.said()
        os.utime(self.out, ns=(1, 1))
        self.said()
        self.assertEqual(self.out.stat().st_mtime_ns, 1)

    def test_a_tree_without_a_repository_names_none(self):
        shutil.rmtree(self.tree / ".git")
        self.assertEqual(self.said(), "")


if __name__ == "__main__":
    CMAKE = sys.argv.pop(1)
    unittest.main()
