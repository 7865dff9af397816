#!/usr/bin/env python3
"""scripts/install_deps.sh on a machine that has an older LibreOffice, played by
programs of our own.

  install_deps_test.py PATH_OF_SCRIPT
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = sys.argv.pop(1)
QUERY = """#!/bin/sh
case "$3" in
  *Version*) echo "$OFFICE_VERSION" ;;
  *) shift 3; for name in "$@"; do echo "installed $name"; done ;;
esac
"""
APT = """#!/bin/sh
case "$*" in
  policy) echo "release n=bookworm-backports" ;;
  *install*) echo "asked: $*" >&2 ;;
esac
"""


@unittest.skipUnless("VERSION_CODENAME=bookworm" in
                     Path("/etc/os-release").read_text(), "not bookworm")
class Office(unittest.TestCase):
    def run_with(self, version, *words):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("dpkg-query", QUERY), ("apt-get", APT),
                               ("apt-cache", APT),
                               ("sudo", '#!/bin/sh\nexec "$@"\n')):
                (Path(folder) / name).write_text(text)
                (Path(folder) / name).chmod(0o755)
            done = subprocess.run(
                [SCRIPT, *words], text=True, capture_output=True,
                env={"PATH": f"{folder}:{os.environ['PATH']}",
                     "OFFICE_VERSION": version})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def test_an_older_office_is_kept_and_the_newer_one_offered(self):
        said = self.run_with("4:7.4.7-1+deb12u10", "--spreadsheets")
        self.assertIn("LibreOffice 7.4.7 is installed", said)
        self.assertIn("--spreadsheets --upgrade-office", said)
        self.assertNotIn("asked:", said)

    def test_asked_for_the_newer_one_is_installed(self):
        said = self.run_with("4:7.4.7-1", "--spreadsheets", "--upgrade-office")
        self.assertIn("-t bookworm-backports libreoffice-calc python3-uno",
                      said)

    def test_the_newer_office_and_builds_without_one_hear_nothing(self):
        self.assertEqual(self.run_with("4:25.2.3-2~bpo12+1", "--spreadsheets"),
                         "")
        self.assertEqual(self.run_with("4:7.4.7-1"), "")


if __name__ == "__main__":
    unittest.main()
