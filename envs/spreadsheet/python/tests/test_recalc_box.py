"""The directory of a LibreOffice that may have been taken over."""

import os
import subprocess
import sys
import unittest

from support import MODULES, NOBODY, as_user, folder
import recalc_box
import workbook_guard


# Directories deeper than a path is long, and one that is closed.
FILL = """
import os, sys
modules, home = sys.argv[1:]
sys.path.insert(0, modules)
import recalc_process
os.mkdir(home + "/box")
inner = os.open(home + "/box", os.O_RDONLY)
for _ in range(3000):
    os.mkdir("d", dir_fd=inner)
    below = os.open("d", os.O_RDONLY, dir_fd=inner)
    os.close(inner)
    inner = below
os.makedirs(home + "/box/closed/d")
os.chmod(home + "/box/closed", 0)
recalc_process.clear(home)
print("cleared")
"""


class Boxes(unittest.TestCase):
    def setUp(self):
        here = folder(self)
        self.outside = here / "outside"
        self.outside.write_text("of the machine")
        self.path = here / "box"
        self.path.mkdir()
        self.box = recalc_box.Box(str(self.path))

    def unchanged(self):
        self.assertEqual(self.outside.read_text(), "of the machine")

    def plant(self, name):
        """Each time something else by that name."""
        place = self.path / name
        yield place.symlink_to(self.outside)
        place.unlink()
        yield os.link(self.outside, place)
        place.unlink()
        yield os.mkfifo(place)
        place.unlink()
        yield place.mkdir()

    def test_nothing_that_is_there_is_written_to(self):
        for _ in self.plant("a"):
            with self.assertRaises(recalc_box.Taken):
                self.box.write("a", b"of a model")
            self.unchanged()

    def test_only_a_file_that_was_made_there_is_read(self):
        for _ in self.plant("a"):
            with self.assertRaises(workbook_guard.Refused):
                self.box.read("a", 100)
        os.rmdir(self.path / "a")
        self.box.write("a", b"of a model")
        self.assertEqual(self.box.read("a", 100), b"of a model")

    def test_files_and_their_locks_are_removed_and_what_they_name_is_not(self):
        for name in ("a", ".~lock.a#", "b"):
            (self.path / name).symlink_to(self.outside)
        self.box.remove("a", "b", "c")
        self.assertEqual(os.listdir(self.path), [])
        self.unchanged()

    def test_what_it_makes_of_it_is_cleared_also_by_an_ordinary_user(self):
        home = folder(self)
        user = NOBODY if os.geteuid() == 0 else None
        if user is not None:
            os.chown(home, user, user)
        ended = subprocess.run(
            [sys.executable, "-B", "-c", FILL, str(MODULES), str(home)],
            capture_output=True, text=True, **as_user(user))
        self.assertEqual((ended.stdout, ended.stderr), ("cleared\n", ""))
        self.assertEqual(os.listdir(home), [])


if __name__ == "__main__":
    unittest.main()
