#!/usr/bin/env python3
"""Scripted spreadsheet rollouts while services, kernels and workers are killed.

  spreadsheet_chaos_test.py PATH_OF_BREWERY [unittest arguments]

BREWERY_CHAOS_TRIALS says how often each of the 22 test tasks is played: 8 if it
is not set, 23 for 500 rollouts. Exit status 77, with what is missing, where a
service does not work.
"""

import ctypes
import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time

from support.cluster import result_keys
from support.program import main, wait_until
from support.spreadsheets import SpreadsheetCase, below, services_lacking

PR_SET_CHILD_SUBREAPER = 36


class Chaos(SpreadsheetCase):
    """Whatever is killed, every episode ends with the right grade."""

    # `given["entry"]` is in the words of the zygote and of its kernels.
    VICTIMS = ("kernel_host.py", "recalc_server.py", "grade_server.py",
               "soffice.bin", "bwrap", 'given["entry"]', "brewery worker")

    def results(self):
        try:
            return len(result_keys(self.at / "runs/a"))
        except sqlite3.Error:
            return 0  # not there yet, or just being written

    def wait_for_progress(self, over, seen, limit_s=30):
        """A machine on which services start more slowly than they are killed
        would never get anywhere."""
        deadline = time.monotonic() + limit_s
        while (time.monotonic() < deadline and self.results() == seen
               and not over.wait(0.1)):
            pass

    def kill_at_random(self, root, over, killed):
        draw, seen, turns = random.Random(7), 0, []
        while not over.wait(draw.uniform(0.1, 0.6)):
            self.wait_for_progress(over, seen)
            seen = self.results()
            turns = turns or draw.sample(self.VICTIMS, len(self.VICTIMS))
            victim = turns.pop()
            found = [pid for pid, words in below(root).items()
                     if victim in words]
            if found:
                pid = draw.choice(found)
                try:
                    os.kill(pid, signal.SIGKILL)
                    killed[victim] = killed.get(victim, 0) + 1
                except ProcessLookupError:
                    pass

    def test_killed_services_and_workers_change_no_grade(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        trials = int(os.environ.get("BREWERY_CHAOS_TRIALS", "8"))
        config = self.config(train=1, evaluated=1, trials=trials)
        process = self.start(
            "run", config, "--id", "a", "--json", "--set", "run.workers=2",
            "--set", "cluster.lease_ms=2000", "--set",
            "cluster.max_failures=50")
        over, killed = threading.Event(), {}
        killer = threading.Thread(target=self.kill_at_random,
                                  args=(process.pid, over, killed))
        killer.start()
        try:
            out, errors = process.communicate(timeout=500)
        finally:
            over.set()
            killer.join()
            process.kill()
        self.assertEqual(process.returncode, 0, errors)
        result = json.loads(out.splitlines()[-1])
        self.assert_all_right(result)
        self.assertGreater(sum(killed.values()), 3, killed)
        print(f"\n{result['rollouts']} rollouts; killed: {killed}",
              file=sys.stderr)
        # What came loose became ours.
        wait_until("no process is left", lambda: not below(os.getpid()))
        # What a killed worker left goes with the next start.
        self.ok("env", "check")
        self.assert_nothing_left()

    def test_no_service_outlives_a_killed_brewery(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        process = self.start("run", self.config(trials=50), "--quiet")
        wait_until("kernels and the office run", lambda: {
            victim for victim in ("kernel_host.py", "soffice.bin")
            for words in below(process.pid).values() if victim in words
        } == {"kernel_host.py", "soffice.bin"})
        process.kill()
        process.communicate()
        wait_until("all services are gone", lambda: not below(os.getpid()))


if __name__ == "__main__":
    main(services_lacking)
