"""A disk that is full for other reasons than the episode's own files: a small
one, in a mount namespace of this test."""

import ctypes
import os
import shutil
import subprocess
import tempfile
import unittest

from kernel_testing import HostCase

CLONE_NEWNS = 0x20000
DISK_MB, QUOTA_MB = 24, 8


class SmallDisk(HostCase):
    options = ("--workspace-mb", str(QUOTA_MB))

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or \
                ctypes.CDLL(None).unshare(CLONE_NEWNS) != 0:
            raise unittest.SkipTest("no mount namespace can be had here")
        cls.disk = tempfile.mkdtemp(prefix="disk-")
        for words in (["--make-rprivate", "/"],
                      ["-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=755",
                       "none", cls.disk]):
            subprocess.run(["mount", *words], check=True)
        cls._before, tempfile.tempdir = tempfile.tempdir, cls.disk
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        try:
            super().tearDownClass()
        finally:
            tempfile.tempdir = cls._before
            subprocess.run(["umount", cls.disk], check=True)
            shutil.rmtree(cls.disk)

    def leave(self, free_bytes):
        """Others fill the disk up to that."""
        about = os.statvfs(self.disk)
        size = about.f_bavail * about.f_frsize - free_bytes
        path = os.path.join(self.disk, "of-others")
        with open(path, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)
        self.addCleanup(os.unlink, path)

    def test_full_disk_is_said_with_the_answer(self):
        self.leave(64 << 10)
        reply = self.run_cell("open('a', 'wb').write(bytes(5 << 20))")
        self.assertIn("No space left", reply["output"])
        self.assertTrue(reply.get("disk_full"))

    def test_disk_that_has_less_than_the_quota_fails_as_a_full_one(self):
        self.leave(3 << 20)
        reply = self.run_cell(
            "import os\ntry:\n    open('a', 'wb').write(bytes(5 << 20))\n"
            "finally:\n    os.unlink('a')")
        self.assertIn("No space left", reply["output"])
        self.assertTrue(reply.get("disk_full"))

    def test_code_that_needs_no_more_space_than_there_is_does_well(self):
        self.leave(3 << 20)
        reply = self.run_cell("open('a', 'wb').write(bytes(1 << 20))")
        self.assertEqual(reply["status"], "ok")
        self.assertNotIn("disk_full", reply)

    def test_quota_of_the_episode_is_no_full_disk(self):
        kernel = self.another()
        reply = self.host.run(
            kernel, "open('a', 'wb').write(bytes(10 << 20))")
        self.assertEqual(reply["status"], "died")
        self.assertIn(f"more than {QUOTA_MB} MiB", reply["output"])
        self.assertNotIn("disk_full", reply)

    def test_error_that_code_makes_up_is_no_full_disk(self):
        reply = self.run_cell(
            "raise OSError(28, 'No space left on device')")
        self.assertEqual(reply["status"], "error")
        self.assertNotIn("disk_full", reply)


if __name__ == "__main__":
    unittest.main()
