#!/usr/bin/env python3
"""Scripted spreadsheet rollouts while processes of every kind are killed: hosts,
zygotes, kernels, services of recalculation with their readers, clients and
offices, graders, sandboxes and workers. On each rung.

  spreadsheet_chaos_test.py PATH_OF_BREWERY [--rollouts N] [--seed N]
                            [unittest arguments]

Every rollout has to end with the grade that its script deserves: 1 for right
answers, also beside cells that print the time or end their process, and 0 for
wrong ones and for what an attempt does to itself. Without --rollouts it is some
dozens. Exit status 77, with what is missing, where a service does not work.
"""

import argparse
import collections
import ctypes
import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.cluster import result_keys
from support.log_reader import events
from support.program import SHARE, main, wait_until
from support.spreadsheet_variants import write_variants
from support.spreadsheets import (SMALL, SpreadsheetCase, below, rung_lacking,
                                  services_lacking)

PR_SET_CHILD_SUBREAPER = 36
# Of the modules that a kernel host hands to its zygote, which forks kernels.
BOOT = 'given["entry"]'
CHOSEN = argparse.Namespace(rollouts=48, seed=7)


KINDS = {"kernel_host.py", "recalc_server.py", "grade_server.py", "soffice.bin",
         "zygote", "kernel", "reader", "client"}


def kinds(root):
    """Processes below one that do the work, by kind."""
    found = collections.defaultdict(list)
    all_below = below(root)
    of_hosts, of_recalculation = set(), set()
    for pid, words in all_below.items():
        for name in ("kernel_host.py", "recalc_server.py", "grade_server.py",
                     "soffice.bin", "brewery worker"):
            if name in words:
                found[name].append(pid)
        if is_bubblewrap(words):
            found["bwrap"].append(pid)
        if "kernel_host.py" in words:
            of_hosts |= set(below(pid))
        if "recalc_server.py" in words:
            of_recalculation |= set(below(pid))
    launched = {pid for pid, words in all_below.items()
                if BOOT in words and not is_bubblewrap(words)}
    zygotes = of_hosts & launched
    kernels = {one for pid in zygotes for one in below(pid)}
    found["kernel"] = sorted(kernels)
    found["zygote"] = sorted(zygotes - kernels)
    for pid in sorted(of_recalculation & launched):
        kind = kind_of_recalculation(pid)
        if kind:
            found[kind].append(pid)
    return {kind: pids for kind, pids in found.items() if pids}


def is_bubblewrap(words):
    return words.startswith("bwrap") or "/bwrap " in words


def kind_of_recalculation(pid):
    """Of a process that its service launched: the client of LibreOffice has
    LibreOffice's directory as its own, the reader has none."""
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return None  # it has ended
    if not variables:
        return None  # it is ending
    return "client" if b"\0HOME=" in b"\0" + variables else "reader"


class Killer(threading.Thread):
    """Kills a process of each kind in turn, the kinds in an order of the seed.
    It waits for a result in between: a machine on which services start more
    slowly than they are killed would never get anywhere."""

    def __init__(self, root, seed, results):
        super().__init__()
        self._root, self._draw, self._results = root, random.Random(seed), results
        self._over = threading.Event()
        self.killed = collections.Counter()

    def run(self):
        seen = 0
        while not self._over.wait(self._draw.uniform(0.05, 0.4)):
            self._wait_for_progress(seen)
            seen = self._results()
            self._kill_one()

    def stop(self):
        self._over.set()
        self.join()

    def _wait_for_progress(self, seen, limit_s=30):
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline and self._results() == seen \
                and not self._over.wait(0.1):
            pass

    def _kill_one(self):
        found = kinds(self._root)
        if not found:
            return
        fewest = min(self.killed[kind] for kind in found)
        kind = self._draw.choice(sorted(
            kind for kind in found if self.killed[kind] == fewest))
        try:
            os.kill(self._draw.choice(found[kind]), signal.SIGKILL)
            self.killed[kind] += 1
        except ProcessLookupError:
            pass


class Chaos:
    """Whatever is killed, every rollout ends with the right grade."""

    rung = ""
    kinds = KINDS
    is_alone = True  # with BREWERY_SHARE=2: one process, or with workers

    def setUp(self):
        super().setUp()
        if lacking := rung_lacking(self, self.rung):
            self.skipTest(lacking)
        # What comes loose becomes ours.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)

    def results(self):
        try:
            return len(result_keys(self.at / "runs/a"))
        except sqlite3.Error:
            return 0  # not there yet, or just being written

    def play(self, rollouts, *settings):
        """What was killed meanwhile."""
        data = self.at / "tasks"
        expected = write_variants(data, CHOSEN.seed, rollouts)
        trials = -(-rollouts // len(expected))
        (self.at / "a.toml").write_text(SMALL.format(
            tasks=data, train=1, eval=1, trials=trials,
            more="turns = 8\nkeep_flawed_tasks = true\n"
                 f'isolation = "{self.rung}"'))
        process = self.start("run", "a.toml", "--id", "a", "--json",
                             "--set", "cluster.lease_ms=2000", *settings)
        killer = Killer(process.pid, CHOSEN.seed, self.results)
        killer.start()
        try:
            out, errors = process.communicate(timeout=300 + 3 * rollouts)
        finally:
            killer.stop()
            process.kill()
        self.assertEqual(process.returncode, 0, errors)
        result = json.loads(out.splitlines()[-1])
        arm, = result["arms"]
        print(f"\n{self.rung}: {result['rollouts']} rollouts in {result['seconds']:.0f} s; "
              f"{sum(killer.killed.values())} killed: {dict(killer.killed)}",
              file=sys.stderr)
        self.assertEqual(arm["ungraded"], 0, errors)
        self.check_grades(expected, trials)
        return killer.killed

    def check_grades(self, expected, trials):
        """By the log: a program for each grade would read all of it each
        time."""
        found = {}
        for _, _, result in events(self.at / "runs/a", "job_result"):
            for rollout in result.get("rollout") or []:
                found[rollout["task"], rollout["trial"]] = rollout
        self.assertEqual([rollout for (task, _), rollout in found.items()
                          if rollout["grade"]["reward"] != expected[task]], [])
        # Two tasks were drawn, for training and for the search's evaluation.
        self.assertEqual(len(found), (len(expected) - 2) * trials)
        self.assertEqual({trial for _, trial in found}, set(range(trials)))

    def assert_all_is_gone(self):
        wait_until("no process is left", lambda: not below(os.getpid()))
        # What a killed worker left goes with the next start.
        self.ok("env", "check")
        self.assert_nothing_left()

    def left_to_the_other_rung(self, is_alone):
        other = "landlock" if self.rung == "bubblewrap" else "bubblewrap"
        if SHARE > 1 and is_alone != self.is_alone \
                and not rung_lacking(self, other):
            self.skipTest("BREWERY_SHARE: the other rung plays this")

    def test_killed_services_and_workers_change_no_grade(self):
        self.left_to_the_other_rung(False)
        killed = self.play(CHOSEN.rollouts, "--set", "run.workers=2")
        self.assertEqual(set(killed), self.kinds | {"brewery worker"})
        self.assert_all_is_gone()

    def test_killed_services_of_one_process_change_no_grade(self):
        self.left_to_the_other_rung(True)
        killed = self.play(144)
        self.assertEqual(set(killed), self.kinds)
        self.assert_all_is_gone()

    def test_no_service_outlives_a_killed_brewery(self):
        process = self.start("run", self.config(
            trials=50, more=f'isolation = "{self.rung}"'), "--quiet")
        wait_until("kernels and the office run", lambda: {
            victim for victim in ("kernel_host.py", "soffice.bin")
            for words in below(process.pid).values() if victim in words
        } == {"kernel_host.py", "soffice.bin"})
        process.kill()
        process.communicate()
        wait_until("all services are gone", lambda: not below(os.getpid()))


class InBubblewrap(Chaos, SpreadsheetCase):
    rung = "bubblewrap"
    kinds = KINDS | {"bwrap"}
    is_alone = False


class InLandlock(Chaos, SpreadsheetCase):
    rung = "landlock"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rollouts", type=int, default=CHOSEN.rollouts)
    parser.add_argument("--seed", type=int, default=CHOSEN.seed)
    CHOSEN, sys.argv[1:] = parser.parse_known_args()
    main(services_lacking)
