"""Tests of what confines, started by an ordinary user: the services then have
no user of their own to give to what they start, and no right that they could
drop.

Those of abuse (test_abuse_workbooks) are not among them: all that they do with a
workbook is done by services, which they start as an ordinary user themselves."""

import os
import shutil
import subprocess
import sys
import unittest

from support import MODULES, folder

USER = 1000
# By the directory that they are in.
MODULES_OF_TESTS = {
    "tests": ("test_grade_escape", "test_recalc_reader", "test_recalc_escape"),
    "kernel/tests": ("test_kernel_escape", "test_kernel_blame",
                     "test_kernel_disk", "test_kernel_rights")}
WORDS = ["setpriv", "--reuid", str(USER), "--regid", str(USER),
         "--clear-groups"]


def lacking():
    if os.geteuid() != 0:
        return "this is an ordinary user: all tests are run by one"
    if shutil.which("setpriv") is None:
        return "there is no setpriv (Debian: util-linux)"
    done = subprocess.run([*WORDS, "true"], stderr=subprocess.PIPE, text=True)
    return done.stderr.strip() if done.returncode else ""


class OrdinaryUser(unittest.TestCase):
    def test_what_confines_holds_when_an_ordinary_user_starts_it(self):
        if why := lacking():
            self.skipTest(why)
        here = folder(self)
        # Where the user may read, wherever the checkout is.
        place = here / "a/b/c/python"
        shutil.copytree(MODULES, place)
        subprocess.run(["chmod", "-R", "a+rX", here], check=True)
        temporary = here / "tmp"
        temporary.mkdir()
        os.chown(temporary, USER, USER)
        for directory, name in ((directory, name) for directory, names
                                in MODULES_OF_TESTS.items()
                                for name in names):
            with self.subTest(name):
                done = subprocess.run(
                    [*WORDS, sys.executable, "-B", "-m", "unittest", name],
                    cwd=place / directory, text=True, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, env={
                        **os.environ, "HOME": str(temporary),
                        "TMPDIR": str(temporary)})
                self.assertEqual(done.returncode, 0, done.stdout)
                print(f"{name}: {done.stdout.splitlines()[-1]}",
                      file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
