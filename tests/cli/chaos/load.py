"""What chaos.py is made of: work that never ends, and recovery times from the
coordinator's log. What it does to a cluster is in faults.py."""

import collections
import datetime
import math
import re
import statistics
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
