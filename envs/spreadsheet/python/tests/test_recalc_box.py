"""The directory of a LibreOffice that may have been taken over."""

import os
import unittest

from support import folder
import recalc_box
import workbook_guard


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

    def test_what_it_fills_with_directories_is_cleared(self):
        import recalc_process
        home = str(folder(self))
        inner = os.open(recalc_process._new_box(home, None), os.O_RDONLY)
        for _ in range(3000):  # deeper than a path is long
            os.mkdir("d", dir_fd=inner)
            next_one = os.open("d", os.O_RDONLY, dir_fd=inner)
            os.close(inner)
            inner = next_one
        os.close(inner)
        self.assertEqual(os.listdir(recalc_process._new_box(home, None)), [])


if __name__ == "__main__":
    unittest.main()
