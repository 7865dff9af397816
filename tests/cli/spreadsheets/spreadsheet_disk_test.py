#!/usr/bin/env python3
"""Spreadsheet rollouts on a disk that others fill: a small one, in a mount
namespace of this test.

  spreadsheet_disk_test.py PATH_OF_BREWERY [unittest arguments]

Exit status 77, with what is missing, where a service does not work or no file
system can be mounted.
"""

import json
import os
import shutil
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import small_disk
from support.program import main
from support.spreadsheets import SMALL, TASKS, SpreadsheetCase, services_lacking

# More than a workspace may hold.
DISK_MB = 320
# The first cell of each attempt: from here on its disk may be full.
WAIT = """
import os
open('begun', 'w').close()
while not os.path.exists('go-on'):
    pass
"""


class Neighbour(threading.Thread):
    """Lets attempts go on, from the second one on with a full disk."""

    def __init__(self, disk):
        super().__init__()
        self._disk, self._over = disk, threading.Event()
        self.fills = False

    def run(self):
        seen = set()
        while not self._over.wait(0.02):
            for begun in self._disk.glob("*/workspaces/*/begun"):
                if begun in seen:
                    continue
                if self.fills and seen and not self.place.exists():
                    self._fill()
                seen.add(begun)
                try:
                    begun.with_name("go-on").touch()
                except FileNotFoundError:
                    pass  # the attempt has ended

    @property
    def place(self):
        return self._disk / "of-others"

    def _fill(self):
        self.leave(16 << 10)

    def leave(self, free_bytes):
        """No more than that, as a log or a download would."""
        about = os.statvfs(self._disk)
        size = about.f_bavail * about.f_frsize - free_bytes
        with open(self.place, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)

    def stop(self):
        self._over.set()
        self.join()


class FullDisk(SpreadsheetCase):
    def setUp(self):
        super().setUp()
        small_disk.mount(self, self.temporary, DISK_MB)
        self.data = self.at / "tasks"
        shutil.copytree(TASKS, self.data)
        for file in (self.data / "cells").iterdir():
            file.write_text(json.dumps([WAIT, *json.loads(file.read_text())]))
        self.neighbour = Neighbour(self.temporary)
        self.neighbour.start()
        self.addCleanup(self.neighbour.stop)

    def arm(self, *words):
        arm, = json.loads(self.ok(*words, "--json").splitlines()[-1])["arms"]
        return arm

    def test_a_full_disk_costs_scores_that_a_retry_brings_back(self):
        (self.at / "a.toml").write_text(SMALL.format(
            tasks=self.data, train=20, eval=1, trials=1, more=""))
        self.neighbour.fills = True
        # One failure and one more try, in a single process.
        first = self.arm("run", "a.toml", "--id", "a", "--set",
                         "cluster.max_failures=1", "--set", "run.threads=2")
        # What was graded was graded right: no honest code has a 0.
        self.assertGreater(first["ungraded"], 0)
        self.assertIn(first["success"], (1, None))
        self.assertLess(first["success_lowest"], 1)
        self.assertIn("score if those are 0 to 1",
                      (self.at / "runs/a/report.md").read_text())
        self.neighbour.fills = False
        self.neighbour.place.unlink()
        again = self.arm("resume", "a")
        self.assertEqual((again["ungraded"], again["success"]), (0, 1))

    def test_a_disk_without_room_for_a_workspace_is_refused(self):
        self.neighbour.leave(100 << 20)
        done = self.brewery("env", "check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("kernels: does not work", done.stdout)
        self.assertRegex(done.stdout, r"\d+ MiB are free .* may take 256 MiB")


if __name__ == "__main__":
    main(lambda: small_disk.lacking() or services_lacking())
