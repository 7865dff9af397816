#!/usr/bin/env python3
"""Clusters of real processes on loopback: whole runs, and deaths.

  cluster_test.py PATH_OF_BREWERY [unittest arguments]
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case, brewery
from support.cluster import SLOW_TOY, Process, json_lines
from support.program import files_below, wait_until


class Runs(Case):
    def test_a_submitted_run_ends_like_one_in_a_single_process(self):
        c = self.cluster()
        wait_until("both are there", lambda: c.status()["workers"] == 2)
        done = c.submit(SLOW_TOY.format(latency=0), "a")
        self.assertIn("run a in ", done.stdout)
        c.wait_for("a")
        self.check(c, "a")
        wait_until("status says so", lambda: c.state_of("a") == "finished")
        workers = json_lines(c.order("workers", "--json").stdout)
        self.assertEqual({w["name"] for w in workers}, {"w0", "w1"})
        self.assertGreater(min(w["done"] for w in workers), 0)

    def test_two_runs_share_the_workers_and_both_come_out_right(self):
        c = self.cluster()
        c.submit(SLOW_TOY.format(latency=1), "a", "--weight", "3")
        c.submit(SLOW_TOY.format(latency=1), "b", "--priority", "-1")
        c.wait_for("a")
        c.wait_for("b")
        self.check(c, "a")
        self.check(c, "b")

    def test_worker_processes_of_a_run_give_the_same_documents(self):
        done = brewery("run", self.config, "--id", "children", "--quiet",
                       "--set", f"run.runs_dir={self.root / 'runs'}", "--set",
                       "run.workers=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = files_below(self.root / "runs" / "children" / "kb")
        self.assertEqual(
            {n: t.replace(b'"run": "children"', b"")
             for n, t in files.items()}, self.reference)

    def test_dead_workers_of_a_run_are_replaced(self):
        process = Process(BREWERY, [
            "run", self.config, "--id", "orphans", "--quiet", "--workers", "2",
            "--set", f"run.runs_dir={self.root / 'runs'}", "--set",
            "environment.simulated_latency_ms=2"], self.root / "orphans.log")
        self.addCleanup(process.kill)
        killed = 0
        while process.alive() and killed < 4:
            time.sleep(0.4)
            children = subprocess.run(
                ["pgrep", "-P", str(process.process.pid)], text=True,
                capture_output=True).stdout.split()
            # One may have ended since it was listed.
            with contextlib.suppress(ProcessLookupError):
                for child in children[:1]:
                    os.kill(int(child), signal.SIGKILL)
                    killed += 1
        self.assertEqual(process.process.wait(timeout=300), 0, process.said())
        self.assertGreater(killed, 1)
        files = files_below(self.root / "runs" / "orphans" / "kb")
        self.assertEqual({n: t.replace(b'"run": "orphans"', b"")
                          for n, t in files.items()}, self.reference)

    def test_a_cancelled_run_can_be_resumed(self):
        c = self.cluster()
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        self.assertIn("cancelled", c.order("cancel", "a").stdout)
        self.assertEqual(c.state_of("a"), "cancelled")
        again = c.order("cancel", "a", check=False)
        self.assertEqual(again.returncode, 1)
        self.assertIn("run a is already cancelled", again.stderr)
        c.order("submit", "--resume", "a")
        c.wait_for("a")
        self.check(c, "a")


class Deaths(Case):
    def test_killed_workers_lose_nothing(self):
        c = self.cluster(workers=4)
        c.submit(SLOW_TOY.format(latency=4), "a")
        for i in range(8):
            time.sleep(0.3)
            c.workers[f"w{i % 4}"].kill()
            c.start_worker(f"w{i % 4}")
        c.wait_for("a")
        self.check(c, "a")

    def test_a_killed_coordinator_goes_on_and_adopts_what_runs(self):
        c = self.cluster(workers=3)
        c.submit(SLOW_TOY.format(latency=4), "a")
        for _ in range(4):
            before = c.results("a")[0]
            wait_until("it goes on", lambda: c.results("a")[0] > before + 5)
            c.coordinator.kill()
            time.sleep(0.2)
            c.start_coordinator()
        c.wait_for("a")
        self.check(c, "a")
        self.assertRegex(c.coordinator.said(), r"[1-9] of [1-9] jobs in hand "
                         "adopted")

    def test_an_order_taken_just_before_a_kill_is_carried_out(self):
        c = self.cluster(workers=1)
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.wait_for("a")
        c.coordinator.kill()
        # All that is there of a run until its log is made.
        runs = c.root / "runs"
        (runs / "b" / "kb").mkdir(parents=True)
        for name in ("config.toml", "submission.json"):
            shutil.copy(runs / "a" / name, runs / "b" / name)
        c.start_coordinator()
        c.wait_for("b")
        self.check(c, "b")

    def test_a_paused_worker_loses_its_jobs_once_and_comes_back(self):
        c = self.cluster(workers=2, lease_ms=1200)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        c.workers["w0"].send(signal.SIGSTOP)
        wait_until("its leases expire",
                   lambda: c.status()["leases_expired"] > 0, every=0.2)
        c.workers["w0"].send(signal.SIGCONT)
        wait_until("it is back", lambda: c.status()["workers"] == 2,
                   every=0.2)
        c.wait_for("a")
        self.check(c, "a")

    def test_results_wait_in_the_spool_for_the_next_worker(self):
        c = self.cluster(workers=1, slots=4)
        c.submit(SLOW_TOY.format(latency=30), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 4)
        c.coordinator.kill()
        spool = self.root / self.id().split(".")[-1] / "spool"

        def whole():  # a suffix: still being written
            return [file for file in spool.glob("*/result-*")
                    if not file.suffix]
        wait_until("results are spooled", whole)
        c.workers["w0"].kill()
        left = whole()
        before = c.results("a")[0]
        c.start_worker("w0", 4)
        wait_until("the new worker has them", lambda: (
            "of earlier workers" in c.workers["w0"].said()))
        c.start_coordinator()
        wait_until("they count", lambda: c.results("a")[0] > before)
        # New ones come and go while the worker plays on.
        wait_until("the spool has let go of them",
                   lambda: not any(file.exists() for file in left))
        self.assertRegex(c.coordinator.said(), r"[1-9] of [1-9] jobs in hand")

    def test_sigterm_finishes_or_hands_back_and_a_second_ends_at_once(self):
        c = self.cluster(workers=2, lease_ms=None)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        self.assertEqual(c.workers["w0"].end(), 0)
        wait_until("it has left", lambda: c.status()["workers"] == 1)
        self.assertIn("left: told to stop", c.coordinator.said())
        c.wait_for("a")
        self.check(c, "a")
        c.worker_words = ("--grace", "60")
        c.start_worker("w2")
        c.submit(SLOW_TOY.format(latency=2000), "slow")
        wait_until("it runs slow jobs", lambda: any(
            w["name"] == "w2" and w["busy"] > 0
            for w in json_lines(c.order("workers", "--json").stdout)))
        c.workers["w2"].send(signal.SIGTERM)
        wait_until("it has heard", lambda: "stopping;"
                   in c.workers["w2"].said())
        c.workers["w2"].send(signal.SIGTERM)
        # Not 0, as once its job is done, which takes half a minute.
        self.assertEqual(c.workers["w2"].process.wait(timeout=60), 130)
        c.order("cancel", "slow")

    def test_a_drained_worker_finishes_and_leaves(self):
        c = self.cluster(workers=2)
        c.submit(SLOW_TOY.format(latency=2), "a")
        wait_until("both are there", lambda: c.status()["workers"] == 2,
                   every=0.2)
        self.assertIn("1 worker finishes", c.order("drain", "w0").stdout)
        self.assertEqual(c.workers["w0"].process.wait(timeout=60), 0)
        none = c.order("drain", "w9", check=False)
        self.assertEqual(none.returncode, 1)
        self.assertIn('no worker "w9" is connected; did you mean "w1"?',
                      none.stderr)
        c.wait_for("a")
        self.check(c, "a")

    def test_a_coordinator_that_cannot_write_waits_and_can_be_ended(self):
        # Its files cannot grow beyond 500 KB: like a full disk, without one.
        small = ("sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"",
                 "sh")
        c = self.cluster(where=lambda role: (
            small if role == "coordinator" else ()))
        c.submit(SLOW_TOY.format(latency=1), "a")
        wait_until("nothing can be written", lambda: (
            "journal_stuck" in c.coordinator.said()))
        wait_until("jobs wait for that", lambda: any(
            "cannot be written" in why for why in c.status()["waiting"]))
        self.assertEqual(c.state_of("a"), "running")
        self.assertEqual(c.coordinator.end(), 0)
        c.where = lambda role: ()
        c.start_coordinator()
        c.wait_for("a")
        self.check(c, "a")

    def test_a_second_coordinator_on_the_runs_is_refused(self):
        c = self.cluster(workers=0)
        other = brewery("coordinator", "--runs-dir", c.root / "runs",
                        "--listen", "tcp://127.0.0.1:*")
        self.assertEqual(other.returncode, 1)
        self.assertRegex(other.stderr, r"is in use by process \d+ on ")

    def test_jobs_that_fail_everywhere_are_quarantined_and_retried(self):
        # Every job takes longer than it may, so all of them fail.
        c = self.cluster(workers=3, slots=8, coordinator_words=(
            "--set", "cluster.job_limit_s=1"))
        wait_until("all are there", lambda: c.status()["workers"] == 3,
                   every=0.2)
        c.submit(SLOW_TOY.format(latency=700)
                 + "max_calls = 3\n".join(["[agent]\n", ""]), "a",
                 "--set", "environment.max_train_tasks=2")
        wait_until("the run ends, and says why", lambda: (
            c.state_of("a") == "failed"), every=0.3)
        error = c.status()["runs"][0]["error"]
        self.assertIn("given up", error)
        self.assertIn("it ran longer than 1 s", error)
        given_up = c.order("quarantine", "list").stdout
        self.assertIn("3 failures", given_up)
        self.assertRegex(c.order("quarantine", "retry", "a").stdout,
                         r"\d+ jobs? will run again")
        self.assertEqual(c.state_of("a"), "running")


if __name__ == "__main__":
    unittest.main(verbosity=1)
