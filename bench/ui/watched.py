#!/usr/bin/env python3
"""What it costs a run that pages follow it, and how late they are, as a table.

  bench/ui/watched.py PATH_OF_BREWERY [--clients 20] [--pairs 10] [--set ...]

Plays the same run alone and watched, in turn; which of a pair comes first changes.
Watched, `brewery ui` serves so many streams of it, one of which takes nothing.
The difference is that of the pairs, with the middle half of them in brackets. A
stream is late by the time from a poll of the log that sees an event until the
stream's part with it has come; both are in this process.
"""

import argparse
import json
import os
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

RUN = """
[run]
log_level = "off"
[environment]
kind = "toy"
eval_split = "eval"
[search]
iterations = 6
initial_trials = 20
strategies = ["mcts", "greedy"]
[eval]
test_trials = 200
"""
clean = {k: v for k, v in os.environ.items() if not k.startswith("BREWERY_")}


class Reader(threading.Thread):
    """A stream; notes when each event had come."""

    def __init__(self, where, stalled):
        super().__init__(daemon=True)
        self.where, self.stalled, self.came = where, stalled, []
        self.bytes = 0

    def run(self):
        with socket.create_connection((self.where.hostname,
                                       self.where.port)) as one:
            one.sendall(b"GET /api/runs/r/stream HTTP/1.1\r\nHost: "
                        + self.where.netloc.encode() + b"\r\n\r\n")
            if self.stalled:
                time.sleep(3600)
            for line in one.makefile("rb"):
                self.bytes += len(line)
                if line.startswith(b"id: "):
                    self.came.append((int(line[4:]), time.monotonic()))


def poll(log, seen, over):
    """When the log was first seen to have each number of events."""
    while not over.is_set():
        try:
            with sqlite3.connect(f"file:{log}?mode=ro", uri=True) as db:
                last = db.execute("SELECT max(seq) FROM events").fetchone()[0]
            if last and (not seen or seen[-1][0] < last):
                seen.append((last, time.monotonic()))
        except sqlite3.Error:
            pass
        over.wait(0.02)


def play(options, folder, watched):
    runs = Path(folder) / "runs"
    words = [options.brewery, "run", Path(folder) / "toy.toml", "--id", "r",
             "--quiet", "--set", f"run.runs_dir={runs}"]
    for one in options.set:
        words += ["--set", one]
    server, readers, seen, over = None, [], [], threading.Event()
    began = time.monotonic()
    run = subprocess.Popen(words, env=clean, stdout=subprocess.DEVNULL)
    if watched:
        while not (runs / "r/live.json").exists():
            time.sleep(0.005)
        server = subprocess.Popen(
            [options.brewery, "ui", runs, "--listen", "127.0.0.1:0"], text=True,
            env=clean, stdout=subprocess.PIPE)
        where = urlsplit(server.stdout.readline().strip())
        readers = [Reader(where, i == 0) for i in range(options.clients)]
        for reader in readers:
            reader.start()
        if options.late:
            threading.Thread(target=poll, args=(runs / "r/events.db", seen,
                                                over), daemon=True).start()
    if run.wait() != 0:
        raise SystemExit("the run failed")
    took = time.monotonic() - began
    over.set()
    if server:
        time.sleep(1)
        server.kill()
        server.wait()
    late = []
    for number, when in seen:
        came = [at for got, at in readers[-1].came if got >= number]
        if came:
            late.append(max(0.0, came[0] - when))
    with sqlite3.connect(runs / "r/events.db") as db:
        events = db.execute("SELECT count(*) FROM events").fetchone()[0]
    subprocess.run(["rm", "-rf", runs], check=True)
    return took, events, late


def main():
    words = argparse.ArgumentParser()
    words.add_argument("brewery")
    words.add_argument("--clients", type=int, default=20)
    words.add_argument("--pairs", type=int, default=10)
    words.add_argument("--late", action="store_true",
                       help="how late streams are; the poll costs the run time")
    words.add_argument("--set", action="append", default=[])
    options = words.parse_args()
    options.brewery = os.path.abspath(options.brewery)
    ratios, alone, events, late = [], [], 0, []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "toy.toml").write_text(RUN)
        for pair in range(options.pairs):
            took = {}
            for watched in ((False, True) if pair % 2 else (True, False)):
                took[watched], events, some = play(options, folder, watched)
                late += some
            alone.append(took[False])
            ratios.append(took[True] / took[False] - 1)
            print(f"alone {took[False]:.2f} s, watched {took[True]:.2f} s, "
                  f"load {os.getloadavg()[0]:.1f}", flush=True)
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(json.dumps({
        "clients": options.clients, "pairs": options.pairs, "events": events,
        "alone_s": round(statistics.median(alone), 2),
        "watched_more_percent": [round(100 * one, 1)
                                 for one in (middle, low, high)]}))
    if len(late) > 1:
        cuts = statistics.quantiles(late, n=20)
        print(json.dumps({"late_s": {"median": round(statistics.median(late),
                                                     3),
                                     "p95": round(cuts[-1], 3),
                                     "most": round(max(late), 3),
                                     "of": len(late)}}))


if __name__ == "__main__":
    main()
