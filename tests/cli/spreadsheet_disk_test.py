#!/usr/bin/env python3
"""Spreadsheet rollouts on a disk that others fill: a small one, in a mount
namespace of this test.

  spreadsheet_disk_test.py PATH_OF_BREWERY [unittest arguments]

Exit status 77, with what is missing, where a service does not work or no file
system can be mounted.
"""

import ctypes
import json
import os
import sqlite3
import subprocess
import threading

from support.cluster import result_keys
from support.program import main
from support.spreadsheets import SpreadsheetCase, services_lacking

CLONE_NEWNS = 0x20000
DISK_MB = 96


def lacking():
    if os.geteuid() != 0 or ctypes.CDLL(None).unshare(CLONE_NEWNS) != 0:
        return "no mount namespace can be had here\n"
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    return services_lacking()


class FullDisk(SpreadsheetCase):
    def setUp(self):
        super().setUp()
        subprocess.run(["mount", "-t", "tmpfs", "-o",
                        f"size={DISK_MB}m,mode=711", "none", self.temporary],
                       check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.temporary])

    def fill(self):
        """All but a few pages, as a log or a download beside it would."""
        about = os.statvfs(self.temporary)
        size = about.f_bavail * about.f_frsize - (64 << 10)
        with open(self.temporary / "of-others", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)

    def fill_after(self, results, over):
        while not over.wait(0.02):
            try:
                if len(result_keys(self.at / "runs/a")) >= results:
                    return self.fill()
            except sqlite3.Error:
                pass  # not there yet, or just being written

    def arm(self, out):
        arm, = json.loads(out.splitlines()[-1])["arms"]
        return arm

    def test_a_full_disk_costs_scores_that_a_retry_brings_back(self):
        over = threading.Event()
        filler = threading.Thread(target=self.fill_after, args=(2, over))
        filler.start()
        try:
            # One failure and one more try, in a single process.
            first = self.arm(self.ok(
                "run", self.config(train=1, evaluated=1, trials=2), "--id", "a",
                "--json", "--set", "cluster.max_failures=1", "--set",
                "run.threads=2"))
        finally:
            over.set()
            filler.join()
        # What was graded was graded right: no honest code has a 0.
        self.assertGreater(first["ungraded"], 0)
        self.assertEqual(first["success"], 1)
        self.assertLess(first["success_lowest"], 1)
        self.assertIn("score if those are 0 to 1",
                      (self.at / "runs/a/report.md").read_text())
        (self.temporary / "of-others").unlink()
        again = self.arm(self.ok("resume", "a", "--retry-failed", "--json"))
        self.assertEqual((again["ungraded"], again["success"]), (0, 1))


if __name__ == "__main__":
    main(lacking)
