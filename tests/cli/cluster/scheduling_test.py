#!/usr/bin/env python3
"""What a coordinator and a worker ask of the kernel: real time for the threads
that pass jobs on, and descriptors.

  scheduling_test.py PATH_OF_BREWERY [unittest arguments]
"""

import ctypes
import os
import resource
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case
from support.program import clean_environment, wait_until

CAP_SYS_NICE = 23
PR_CAPBSET_DROP = 24
DISPATCHING = {"brewery", "ZMQbg/IO/0", "ZMQbg/IO/1", "ZMQbg/Reaper",
               "caf.multiplexer"}


def policies(pid):
    """The scheduling policies of a process's threads, by their names."""
    out = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            name, fields = (thread / "stat").read_text().rsplit(")", 1)
        except OSError:
            continue  # it has ended
        policy = int(fields.split()[38])  # field 41 of proc(5)
        out.setdefault(name.split("(", 1)[1], []).append(policy)
    return out


def may_be_realtime():
    done = subprocess.run(["chrt", "-r", "1", "true"], capture_output=True)
    return done.returncode == 0


def without_the_right():
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0)


class Scheduling(Case):
    def test_threads_that_pass_jobs_on_are_in_real_time(self):
        if not may_be_realtime():
            self.skipTest("no right to real-time scheduling on this machine")
        c = self.cluster(workers=1, coordinator_words=("--realtime",),
                         worker_words=("--realtime",))
        c.submit(self.toy, "a")
        c.wait_for("a")
        self.check(c, "a")
        coordinator = policies(c.coordinator.process.pid)
        for name in DISPATCHING - {"brewery"}:
            self.assertEqual(set(coordinator[name]), {os.SCHED_RR}, name)
        # The gateway; the rest keeps runs, listens to signals and waits.
        self.assertEqual(coordinator["brewery"].count(os.SCHED_RR), 1)
        for name in set(coordinator) - DISPATCHING:
            self.assertEqual(set(coordinator[name]), {os.SCHED_OTHER}, name)
        worker = policies(c.workers["w0"].process.pid)
        self.assertEqual(set(worker["ZMQbg/IO/0"]), {os.SCHED_RR})
        # The network thread; slots are not in it.
        self.assertEqual(worker["brewery"].count(os.SCHED_RR), 1)
        self.assertGreaterEqual(worker["brewery"].count(os.SCHED_OTHER), 2)

    def test_without_the_option_no_thread_is(self):
        c = self.cluster(workers=1)
        wait_until("the worker connects", lambda: "ZMQbg/IO/0" in policies(
            c.workers["w0"].process.pid))
        for process in c.coordinator, c.workers["w0"]:
            for name, found in policies(process.process.pid).items():
                self.assertEqual(set(found), {os.SCHED_OTHER}, name)

    def test_without_the_right_it_is_refused_in_one_line(self):
        for words in (["coordinator", "--runs-dir", self.root / "runs",
                       "--listen", "tcp://127.0.0.1:*"],
                      ["worker", "--env", "toy", "--no-spool"]):
            done = subprocess.run(
                [BREWERY, *map(str, words), "--realtime"], timeout=30,
                env=clean_environment(), text=True, capture_output=True,
                preexec_fn=without_the_right)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr.splitlines()[-1],
                             "--realtime: .*LimitRTPRIO=1")

    def test_both_raise_their_limit_of_descriptors(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        c = self.cluster(workers=1, where=lambda role: (
            "sh", "-c", 'ulimit -Sn 256; exec "$@"', "sh"))
        for process in c.coordinator, c.workers["w0"]:
            wait_until("it has raised its limit", lambda: resource.prlimit(
                process.process.pid, resource.RLIMIT_NOFILE) == (hard, hard))


if __name__ == "__main__":
    unittest.main()
