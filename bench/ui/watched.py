#!/usr/bin/env python3
"""What it costs a run that pages follow it, and how late they are, as a table.

  bench/ui/watched.py PATH_OF_BREWERY [--clients 20] [--pairs 10] [--set ...]
                      [--coordinator | --browser MODULES | --late]

Plays the same run alone and watched, in turn; which of a pair comes first changes.
Watched, `brewery ui` serves so many streams of it, one of which takes nothing.
The difference is that of the pairs, with the middle half of them in brackets. A
stream is late by the time from a poll of the log that sees an event until the
stream's part with it has come; both are in this process.

With --coordinator the run is a coordinator's, whose worker has 64 slots for rollouts
that wait 15 ms in each tool call, and whose HTTP port has the streams: beside the run's time, its
memory at most, and the processor time of its threads and of the readers.

With --browser the run is followed once in Chromium: how late its count of rollouts
is on the page, from the poll of the log on. MODULES has playwright-core
(tests/browser).
"""

import argparse
import http.client
import json
import os
import resource
import shutil
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


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def threads_of(process):
    """Seconds of processor time by the threads' name."""
    out, ticks = {}, os.sysconf("SC_CLK_TCK")
    for task in Path(f"/proc/{process}/task").iterdir():
        try:
            name = (task / "comm").read_text().strip()
            times = (task / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        out[name] = out.get(name, 0) + (int(times[11]) + int(times[12])) / ticks
    return out


def most_memory(process):
    """MiB."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(text.split("VmHWM:")[1].split()[0]) / 1024


def get(where, path):
    connection = http.client.HTTPConnection(where.hostname, where.port,
                                            timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse().read()
    connection.close()
    return json.loads(answer)


def play_on_coordinator(options, folder, watched):
    """The run's seconds, the coordinator's memory and threads, the readers'
    processor time."""
    runs, port = Path(folder) / "runs", free_port()
    where = urlsplit(f"http://127.0.0.1:{port}")
    address = f"ipc://{folder}/socket"
    quiet = {"env": clean, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    parts = [subprocess.Popen(
        [options.brewery, "coordinator", "--listen", address, "--runs-dir",
         runs, "--metrics-listen", where.netloc], **quiet)]
    try:
        while True:
            try:
                get(where, "/api/runs")
                break
            except OSError:
                time.sleep(0.05)
        parts.append(subprocess.Popen(
            [options.brewery, "worker", "--env", "toy", "--connect", address,
             "--slots", "64"], **quiet))
        words = [options.brewery, "submit", Path(folder) / "toy.toml", "--id",
                 "r", "--connect", address, "--set",
                 "environment.simulated_latency_ms=15"]
        for one in options.set:
            words += ["--set", one]
        subprocess.run(words, check=True, **quiet)
        while not (runs / "r/live.json").exists():  # a stream would be over
            time.sleep(0.01)
        before = resource.getrusage(resource.RUSAGE_SELF)
        readers = [Reader(where, i == 0)
                   for i in range(options.clients if watched else 0)]
        for reader in readers:
            reader.start()
        while not (runs / "r/report.md").exists():
            time.sleep(0.2)
            if parts[0].poll() is not None:
                raise SystemExit("the coordinator has ended")
        time.sleep(1)
        after = resource.getrusage(resource.RUSAGE_SELF)
        run = get(where, "/api/runs/r")
        whole = [one for one in readers
                 if one.came and one.came[-1][0] == run["events"]]
        if watched and len(whole) < options.clients - 1:
            raise SystemExit(f"only {len(whole)} streams came to the end")
        return {"seconds": run["seconds"], "events": run["events"],
                "memory_mib": most_memory(parts[0].pid),
                "threads_s": threads_of(parts[0].pid),
                "readers_s": after.ru_utime + after.ru_stime
                - before.ru_utime - before.ru_stime,
                "read_mib": sum(one.bytes for one in readers) / (1 << 20)}
    finally:
        for one in reversed(parts):
            one.kill()
            one.wait()
        shutil.rmtree(runs, ignore_errors=True)


def on_coordinator(options, folder):
    ratios, memory, served = [], [], []
    for pair in range(options.pairs):
        seen = {}
        for watched in ((False, True) if pair % 2 else (True, False)):
            seen[watched] = play_on_coordinator(options, folder, watched)
        alone, with_them = seen[False], seen[True]
        ratios.append(with_them["seconds"] / alone["seconds"] - 1)
        memory.append(with_them["memory_mib"] - alone["memory_mib"])
        served.append(sum(with_them["threads_s"].values())
                      - sum(alone["threads_s"].values()))
        print(json.dumps({"load": round(os.getloadavg()[0], 1),
                          "alone": alone, "watched": with_them}), flush=True)
    parts = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    print(json.dumps({
        "clients": options.clients, "pairs": options.pairs,
        "watched_more_percent": [round(100 * parts[i], 1) for i in (1, 0, 2)],
        "more_memory_mib": round(statistics.median(memory), 1),
        "most_more_memory_mib": round(max(memory), 1),
        "more_processor_s": round(statistics.median(served), 2)}))


def in_browser(options, folder):
    """One run, followed by Chromium."""
    runs, over, seen = Path(folder) / "runs", threading.Event(), []
    words = [options.brewery, "run", Path(folder) / "toy.toml", "--id", "r",
             "--quiet", "--set", f"run.runs_dir={runs}"]
    for one in options.set:
        words += ["--set", one]
    run = subprocess.Popen(words, env=clean, stdout=subprocess.DEVNULL)
    while not (runs / "r/live.json").exists():
        time.sleep(0.005)
    server = subprocess.Popen(
        [options.brewery, "ui", runs, "--listen", "127.0.0.1:0"], text=True,
        env=clean, stdout=subprocess.PIPE)
    try:
        address = server.stdout.readline().strip()
        where = urlsplit(address)
        script = (Path(__file__).resolve().parents[2]
                  / "tests/browser/watch_run.mjs")
        chromium = subprocess.Popen(
            ["node", script, options.browser, shutil.which("chromium"),
             address, "r"], stdout=subprocess.PIPE, text=True)
        offset = time.time() - time.monotonic()
        threading.Thread(target=poll, args=(runs / "r/events.db", seen, over),
                         daemon=True).start()
        said = json.loads(chromium.communicate(timeout=900)[0])
        over.set()
        run.wait(60)
        total = get(where, "/api/runs/r/rollouts")["total"]
        about = get(where, "/api/runs/r")
        late, at = [], 0
        for event, when in seen:
            count = total - rollouts_after(where, event)
            while at < len(said["counts"]) and said["counts"][at][1] < count:
                at += 1
            if at == len(said["counts"]):
                break
            if when + offset >= said["counts"][0][0] / 1000:
                late.append(max(0, said["counts"][at][0] / 1000
                                - when - offset))
    finally:
        for one in (run, server):
            one.kill()
            one.wait()
    cuts = statistics.quantiles(late, n=20)
    print(json.dumps({
        "rollouts": total, "per_second": round(total / about["seconds"]),
        "load": round(os.getloadavg()[0], 1), "on_page_s": {
            "median": round(statistics.median(late), 3),
            "p95": round(cuts[-1], 3), "most": round(max(late), 3),
            "of": len(late)}, "problems": said["problems"]}))


def rollouts_after(where, event):
    """How many the log has after it; the answer comes part by part."""
    count = 0
    while True:
        news = get(where, f"/api/runs/r/live?after={event}")
        count, event = count + news["log"]["rollouts"], news["log"]["to"]
        if news["at_end"]:
            return count


def main():
    words = argparse.ArgumentParser()
    words.add_argument("brewery")
    words.add_argument("--clients", type=int, default=20)
    words.add_argument("--pairs", type=int, default=10)
    words.add_argument("--late", action="store_true",
                       help="how late streams are; the poll costs the run time")
    words.add_argument("--coordinator", action="store_true")
    words.add_argument("--browser", metavar="MODULES")
    words.add_argument("--set", action="append", default=[])
    options = words.parse_args()
    options.brewery = os.path.abspath(options.brewery)
    ratios, alone, events, late = [], [], 0, []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "toy.toml").write_text(RUN)
        if options.coordinator:
            return on_coordinator(options, folder)
        if options.browser:
            return in_browser(options, folder)
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
