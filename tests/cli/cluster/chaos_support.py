"""What chaos.py is made of: work that never ends, faults that follow a plan, and
recovery times from the coordinator's log."""

import collections
import datetime
import heapq
import math
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

from support.program import wait_until


class Load:
    """Keeps `width` runs of one configuration going, and checks each.

    Every run must end with the reference's documents and with one result for
    each of the reference's jobs. So must a run whose order to start got no
    answer, if it was begun.
    """

    def __init__(self, cluster, config, reference, width=2):
        self.cluster, self.config, self.reference = cluster, config, reference
        self.width = width
        self.going, self.checked, self.wrong = [], [], []
        self.results = 0
        self.number = 0
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self, prefix):
        self.prefix = prefix
        self.thread.start()
        wait_until("the runs began", lambda: len(self.going) >= self.width)

    def run(self):
        try:
            while not self.done.wait(0.1):
                self.look()
                while len(self.going) < self.width and not self.done.is_set():
                    self.submit()
        except Exception as failure:  # a thread's end is silent otherwise
            self.wrong.append(f"the load ended: {failure!r}")

    def submit(self):
        self.number += 1
        run = f"{self.prefix}-{self.number}"
        try:
            done = self.cluster.submit(self.config, run)
        except AssertionError:
            time.sleep(0.2)  # no coordinator just now: `finish` looks at it
            return
        if done.returncode == 0:
            self.going.append(run)

    def look(self):
        for run in list(self.going):
            if (self.cluster.root / "runs" / run / "report.md").exists():
                self.going.remove(run)
                self.check(run)

    def check(self, run):
        documents, jobs = self.reference
        times = collections.Counter(self.cluster.result_keys(run))
        self.checked.append(run)
        self.results += len(times)
        for what, bad in (
                ("counted twice", [k for k, n in times.items() if n > 1]),
                ("lost", jobs - times.keys()),
                ("unknown to an undisturbed run", times.keys() - jobs)):
            if bad:
                self.wrong.append(f"{run}: {len(bad)} results {what}, e.g. "
                                  f"{sorted(bad)[0]}")
        if self.cluster.documents(run) != documents:
            self.wrong.append(f"{run}: another knowledge base")

    def finish(self, limit):
        """No new runs; waits for those that are there."""
        self.done.set()
        self.thread.join()
        known = {*self.going, *self.checked}
        for folder in sorted((self.cluster.root / "runs").iterdir()):
            begun = (folder / "submission.json").exists()
            if folder.name.startswith(self.prefix + "-") and begun:
                if folder.name not in known:
                    self.going.append(folder.name)

        def all_done():
            self.look()
            return not self.going
        try:
            wait_until("all runs end", all_done, limit, 0.1)
        except AssertionError:
            status = self.cluster.status() or {}
            self.wrong.append(f"not finished: {self.going}; waiting: "
                              f"{status.get('waiting')}")


CROWD = """
import socket, sys, time
streams = [socket.socket() for _ in range(200)]
for stream in streams:
    stream.setblocking(False)
    stream.connect_ex(("127.0.0.1", int(sys.argv[1])))
time.sleep(60)
"""


class Nemesis:
    """Carries out a plan: (second, what, worker or None, how long)."""

    def __init__(self, cluster, net, allowed):
        self.cluster, self.net = cluster, net
        self.allowed = allowed  # the folder of keys that may connect
        self.silent = []  # processes whose connections say nothing
        self.begun = time.time()
        self.done = []  # (begun, what, worker, carried out) of each fault
        self.wrong = []
        self.diary = open(cluster.root / "faults.log", "a", encoding="utf-8")

    def carry_out(self, plan):
        begun = time.monotonic()
        steps = [(at, i, what, worker, lasts)
                 for i, (at, what, worker, lasts) in enumerate(plan)]
        heapq.heapify(steps)
        while steps:
            at, i, what, worker, lasts = heapq.heappop(steps)
            time.sleep(max(0.0, begun + at - time.monotonic()))
            begun_at = self.note(what, worker)
            getattr(self, what)(worker)
            self.done.append((begun_at, what, worker, time.time()))
            undo = {"pause": "go_on", "cut": "heal", "deafen": "heal",
                    "mute": "heal", "kill_coordinator": "start_coordinator",
                    "lose_keys": "find_keys", "crowd": "disperse"}
            if what in undo:
                heapq.heappush(steps, (at + lasts, i, undo[what], worker, 0))

    def note(self, what, worker):
        now = time.time()
        self.diary.write(f"{now - self.begun:9.3f} {what} {worker or ''}\n")
        self.diary.flush()
        return now

    def kill(self, worker):
        if not self.cluster.workers[worker].alive():
            self.wrong.append(f"worker {worker} ended by itself: "
                              + self.cluster.workers[worker].said()[-300:])
        self.cluster.workers[worker].kill()
        self.cluster.start_worker(worker)

    def pause(self, worker):
        self.cluster.workers[worker].send(signal.SIGSTOP)

    def go_on(self, worker):
        self.cluster.workers[worker].send(signal.SIGCONT)

    def cut(self, worker):
        self.net.cut(worker)

    def deafen(self, worker):
        self.net.deafen(worker)

    def mute(self, worker):
        self.net.mute(worker)

    def heal(self, worker):
        self.net.heal(worker)

    def lose_keys(self, _):
        self.allowed.rename(self.allowed.with_name("aside"))

    def find_keys(self, _):
        self.allowed.with_name("aside").rename(self.allowed)

    def delete_spool(self, _):
        shutil.rmtree(self.cluster.root / "spool", ignore_errors=True)

    def hang_up(self, _):
        self.cluster.coordinator.send(signal.SIGHUP)

    def crowd(self, _):
        """Connections to the coordinator that say nothing."""
        port = int(self.cluster.listen.rsplit(":", 1)[1])
        self.silent.append(subprocess.Popen(
            [*self.cluster.where("coordinator"), sys.executable, "-c",
             CROWD, str(port)]))

    def disperse(self, _):
        for process in self.silent:
            process.kill()
            process.wait()
        self.silent.clear()

    def kill_coordinator(self, _):
        if not self.cluster.coordinator.alive():
            self.wrong.append("the coordinator ended by itself: "
                              + self.cluster.coordinator.said()[-300:])
        self.cluster.coordinator.kill()

    def start_coordinator(self, _):
        if not self.cluster.coordinator.alive():
            self.cluster.start_coordinator()


LINE = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+)\] .*?(?:"
                  r"lease_granted (run=\S+ job=\S+) .*worker=(\S+)|"
                  r"worker (\S+) (?:is gone|has been silent|connects again))")


class Journal:
    """The coordinator's log: who got which job when, and when a worker was
    given up. Written with --log-level debug."""

    def __init__(self, cluster):
        # (time, worker) by run and job: equal runs have equal jobs.
        self.grants = collections.defaultdict(list)
        self.granted = []
        self.verdicts = collections.defaultdict(list)  # worker -> times
        for line in cluster.coordinator.said().splitlines():
            found = LINE.match(line)
            if not found:
                continue
            at = datetime.datetime.fromisoformat(found[1]).timestamp()
            if found[2]:
                self.grants[found[2]].append((at, found[3]))
                self.granted.append(at)
            else:
                self.verdicts[found[4]].append(at)

    def recoveries(self, fault_at, worker, until):
        """Seconds from the fault until each job that the worker had then, or was
        given before it was given up, went out again; and how many it had of
        which another got a copy before that. None: not given up."""
        verdict = next((t for t in self.verdicts[worker]
                        if fault_at <= t < until), None)
        if verdict is None:
            return None
        times, copied = [], 0
        for grants in self.grants.values():
            before = [g for g in grants if g[0] < verdict]
            after = [g for g in grants if verdict <= g[0] < until]
            if before and before[-1][1] == worker and after:
                times.append(after[0][0] - fault_at)
            elif (len(before) > 1 and before[-2][1] == worker
                  and before[-1][0] > fault_at):
                copied += 1
        return times, copied

    def first_grant(self, after):
        return next((t for t in self.granted if t > after), float("inf"))


def summary(times):
    """Median and worst."""
    return ((statistics.median(times), max(times)) if times
            else (math.nan, math.nan))
