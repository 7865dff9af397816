#!/usr/bin/env python3
"""Whether a coordinator's metrics say what its log does, as a table.

  bench/cluster/true_metrics.py PATH_OF_BREWERY [--workers 4] [--slots 2]
                                [--crowd 100] [--runs 10]

First one run on the workers. The log has no times, so it is looked at every few
milliseconds: an iteration lasts from its predecessor's barrier to its own, and its
work is what its rollouts say they took. Their share of the slots' time is printed
beside `brewery_barrier_utilisation_ratio`, which equals the efficiency where every
tree has more jobs than there are slots, as here. Then so many runs at once on a
crowd of workers, and how many series the coordinator has.
"""

import argparse
import json
import re
import socket
import sqlite3
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/cli"))
from support.cluster import SLOW_TOY, Cluster, Process
from support.program import wait_until

LONG_TOY = SLOW_TOY.format(latency=20).replace("iterations = 2",
                                               "iterations = 5")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def read(url):
    with urllib.request.urlopen(url, timeout=10) as reply:
        return reply.read().decode()


def gauges(port):
    """Iteration, utilisation and efficiency, as they are served now."""
    text = read(f"http://127.0.0.1:{port}/metrics")
    found = dict(re.findall(r"^brewery_(iteration|barrier_\w+_ratio)\{.*\} (\S+)$",
                            text, re.MULTILINE))
    return (int(float(found.get("iteration", 0))),
            *(float(found.get(f"barrier_{name}_ratio", 0))
              for name in ("utilisation", "efficiency")))


def watch(folder, port, report):
    """(kind, key, seconds) of each event, and the gauges by iteration."""
    log = sqlite3.connect(f"file:{folder}/events.db?mode=ro", uri=True)
    events, served, last, next_look = [], {}, 0, 0
    while not report.exists():
        for seq, kind, key in log.execute(
                "SELECT seq, kind, key FROM events WHERE seq > ? ORDER BY seq",
                (last,)):
            events.append((kind, key, time.monotonic()))
            last = seq
        if time.monotonic() > next_look:
            iteration, *ratios = gauges(port)
            served[iteration] = ratios
            next_look = time.monotonic() + 0.1
        time.sleep(0.003)
    return events, served


def durations(brewery, root, run):
    """Seconds by job, of all rollouts, from the log."""
    port = free_port()
    page = Process(brewery, ["ui", root / "runs", "--listen",
                             f"127.0.0.1:{port}"], root / "ui.log")
    where = f"http://127.0.0.1:{port}/api/runs/{run}/rollouts"
    def answers():
        try:
            return bool(read(where))
        except OSError:
            return False
    wait_until("the page answers", answers)
    out = {}
    while True:
        part = json.loads(read(f"{where}?limit=1000&offset={len(out)}"))
        for one in part["items"]:
            out[one["id"]] = one["seconds"]
        if not part["items"] or len(out) >= part["total"]:
            page.end()
            return out


def compare_with_log(c, port, slots):
    c.submit(LONG_TOY, "watched")
    report = c.root / "runs" / "watched" / "report.md"
    file = c.root / "runs" / "watched" / "events.db"
    wait_until("it is on record", file.exists)
    events, served = watch(file.parent, port, report)
    took = durations(c.brewery, c.root, "watched")
    print("iteration  rollouts  log    gauge  efficiency")
    since, work, count, iteration = None, 0.0, 0, 0
    for kind, key, when in events:
        if kind == "job_result" and key in took:
            work, count = work + took[key], count + 1
        if kind == "gather_record":
            if since is not None:
                iteration += 1
                gauge, efficiency = served.get(iteration, (0, 0))
                print(f"{iteration:9}  {count:8}  "
                      f"{work / slots / (when - since):.3f}  {gauge:.3f}  "
                      f"{efficiency:.3f}")
            since, work, count = when, 0.0, 0


def most_series(c, port):
    """While runs go on."""
    most, open_runs = 0, True
    while open_runs:
        lines = read(f"http://127.0.0.1:{port}/metrics").splitlines()
        most = max(most, sum(not line.startswith("#") for line in lines))
        open_runs = any(run["state"] != "finished"
                        for run in c.status()["runs"])
        time.sleep(0.5)
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery", type=Path)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--crowd", type=int, default=100)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="true-metrics-") as folder:
        port = free_port()
        c = Cluster(str(options.brewery.resolve()), folder,
                    f"tcp://127.0.0.1:{free_port()}", coordinator_words=(
                        "--metrics-listen", f"127.0.0.1:{port}"))
        try:
            c.start_coordinator()
            for i in range(options.workers):
                c.start_worker(f"w{i}", options.slots)
            compare_with_log(c, port, options.workers * options.slots)
            for i in range(options.workers, options.crowd):
                c.start_worker(f"w{i}", 1)
            wait_until("all are connected",
                       lambda: c.status()["workers"] == options.crowd, 120)
            for i in range(options.runs):
                c.submit(SLOW_TOY.format(latency=100), f"run-{i}")
            print(f"{options.crowd} workers, {options.runs} runs: "
                  f"{most_series(c, port)} series at most")
        finally:
            c.stop()


if __name__ == "__main__":
    main()
