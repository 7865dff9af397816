"""A disk that is full: by the episode's own files, hidden ones as well, or for
other reasons. It is a small one, in a mount namespace of this test."""

import ctypes
import functools
import os
import shutil
import tempfile
import unittest

import kernel_attacks
from kernel_testing import Host, rungs_and_users

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_REC, MS_PRIVATE, MNT_DETACH = 0x4000, 0x40000, 2
DISK_MB, QUOTA_MB, FILE_MB = 24, 8, 2
libc = ctypes.CDLL(None, use_errno=True)


@functools.lru_cache
def mounts_of_our_own():
    """Whether this process has them now. An ordinary user needs a namespace of
    users as well, in which it stays who it is."""
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if user else 0)) != 0:
        return False
    if user:
        for name, text in (("setgroups", "deny"),
                           ("uid_map", f"{user} {user} 1"),
                           ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    return libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) == 0


def small_disk(case):
    """The directory of one, for a class of tests."""
    if not mounts_of_our_own():
        raise unittest.SkipTest("no mount namespace can be had here")
    disk = tempfile.mkdtemp(prefix="disk-")
    case.addClassCleanup(os.rmdir, disk)
    if libc.mount(b"none", disk.encode(), b"tmpfs", 0,
                  f"size={DISK_MB}m,mode=755".encode()) != 0:
        raise unittest.SkipTest("no tmpfs can be mounted here")
    case.addClassCleanup(libc.umount2, disk.encode(), MNT_DETACH)
    return disk


class SmallDisk:
    options = ("--workspace-mb", str(QUOTA_MB), "--file-mb", str(FILE_MB))

    @classmethod
    def setUpClass(cls):
        cls.disk = small_disk(cls)
        cls.addClassCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = cls.disk
        super().setUpClass()

    def tearDown(self):
        super().tearDown()
        for place in os.listdir(self.host.workspaces):
            if place != "witness":
                shutil.rmtree(os.path.join(self.host.workspaces, place))

    def leave(self, free_bytes):
        """Others fill the disk up to that."""
        about = os.statvfs(self.disk)
        size = about.f_bavail * about.f_frsize - free_bytes
        path = os.path.join(self.disk, "of-others")
        with open(path, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)
        self.addCleanup(os.unlink, path)

    @staticmethod
    def writing(size_mb, end="pass"):
        """Code that writes files of so much, and how it ends."""
        return (f"import os\ntry:\n    for i in range({size_mb}):\n"
                "        open(f'{i}', 'wb').write(bytes(1 << 20))\n"
                f"finally:\n    {end}")

    def test_full_disk_is_said_with_the_answer(self):
        self.leave(64 << 10)
        reply = self.run_cell(self.writing(1))
        self.assertIn("No space left", reply["output"])
        self.assertTrue(reply.get("disk_full"))

    def test_disk_that_has_less_than_the_quota_fails_as_a_full_one(self):
        self.leave(3 << 20)
        reply = self.run_cell(self.writing(
            5, "for i in os.listdir('.'): os.unlink(i)"))
        self.assertIn("No space left", reply["output"])
        self.assertTrue(reply.get("disk_full"))

    def test_code_that_needs_no_more_space_than_there_is_does_well(self):
        self.leave(3 << 20)
        reply = self.run_cell("open('a', 'wb').write(bytes(1 << 20))")
        self.assertEqual(reply["status"], "ok")
        self.assertNotIn("disk_full", reply)

    def test_error_that_code_makes_up_is_no_full_disk(self):
        reply = self.run_cell(
            "raise OSError(28, 'No space left on device')")
        self.assertEqual(reply["status"], "error")
        self.assertNotIn("disk_full", reply)

    def test_host_does_not_start_where_a_workspace_has_no_room(self):
        self.leave((2 * QUOTA_MB - 1) << 19)
        with self.assertRaises(AssertionError) as refused:
            Host("--rung", self.rung, *self.options, user=self.user)
        said = str(refused.exception)
        self.assertIn(f"{QUOTA_MB - 1} MiB are free", said)
        self.assertIn(f"may take {QUOTA_MB} MiB", said)
        self.assertEqual(said.count("\n"), 1)

    def blamed(self, code, told=f"more than {QUOTA_MB} MiB"):
        """Its kernel is ended for what it holds, and the disk is not said to be
        full."""
        kernel = self.another()
        reply = self.host.run(kernel, code)
        self.host.close(kernel)
        self.assertEqual(reply["status"], "died", reply)
        self.assertIn(told, reply["output"])
        self.assertFalse(reply["killed"])
        self.assertNotIn("disk_full", reply)

    def test_quota_of_the_episode_is_no_full_disk(self):
        self.blamed(self.writing(QUOTA_MB + 2))

    def test_code_that_fills_the_disk_and_exits_is_to_blame(self):
        self.blamed(self.writing(2 * DISK_MB, "os._exit(1)"))

    def test_code_that_fills_the_disk_and_is_killed_is_to_blame(self):
        self.blamed(self.writing(2 * DISK_MB, "os.kill(os.getpid(), 9)"))

    def test_code_that_leaves_others_no_space_is_to_blame(self):
        """Within its limit, on a disk that had no more than that."""
        self.leave((QUOTA_MB - 2) << 20)
        reply = self.run_cell(self.writing(QUOTA_MB))
        self.assertIn("No space left", reply["output"])
        self.assertEqual(reply["status"], "error")
        self.assertNotIn("disk_full", reply)

    def test_files_that_are_deleted_and_mapped_are_the_episodes_own(self):
        self.blamed(kernel_attacks.MAPPED.format(count=99, size=FILE_MB << 20))

    def test_files_that_are_deleted_and_mapped_then_killed(self):
        self.blamed(kernel_attacks.MAPPED.format(count=6, size=FILE_MB << 20)
                    + "import time\nwhile True: time.sleep(1)")

    def test_files_open_in_another_table_are_the_episodes_own(self):
        self.blamed(kernel_attacks.OTHER_TABLES.format(
            count=20, size=FILE_MB << 20))

    def test_many_small_hidden_files_are_too_many(self):
        self.blamed(kernel_attacks.MAPPED.format(count=3000, size=1),
                    "in deleted files")


globals().update(rungs_and_users(SmallDisk))

if __name__ == "__main__":
    unittest.main()
