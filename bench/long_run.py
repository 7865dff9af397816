"""What a long run costs its coordinator: memory, processor time, log, and the
time from a SIGKILL until the next lease.

usage: long_run.py BREWERY [--config FILE] [--env KIND=WHERE]
                   [--set KEY=VALUE ...] [--rollouts N] [--kills N]
                   [--slots N] [--seed N] [--keep DIR]
                   [--recorded RUN [--workers N]]

Starts a coordinator and one worker process on loopback, submits the
configuration (default: the telecom example) and samples the coordinator until
the run has ended or has N rollouts. Kills it at random moments, which change
with --seed. Processor time and memory are the coordinator's alone. With kills,
the documents are compared with those of `brewery run` without any.

With --recorded, N workers of `cluster_bench recorded` of the same build answer
from the log of an equal run, kept by --keep: so the coordinator is what is slow,
as with many machines of workers, and has several results to take at a time.
"""

import argparse
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def usage_of(pid):
    """Resident MB and seconds of processor time."""
    status = Path(f"/proc/{pid}/status").read_text()
    times = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    resident = int(status.split("VmRSS:")[1].split()[0]) / 1024
    return resident, (int(times[11]) + int(times[12])) / TICKS


class Coordinator:
    """It may die; its figures are those of all its lives."""

    def __init__(self, brewery, root):
        self.words = [brewery, "coordinator", "--runs-dir", root / "runs",
                      "--listen", f"tcp://127.0.0.1:{free_port()}",
                      "--metrics-listen", f"127.0.0.1:{free_port()}"]
        self.address, self.metrics = self.words[5], self.words[7]
        self.log = open(root / "coordinator.log", "a", encoding="utf-8")
        self.spent = 0.0  # by its former lives
        self.start()

    def start(self):
        self.process = subprocess.Popen([*map(str, self.words)],
                                        stdout=self.log, stderr=self.log)

    def value(self, name):
        try:
            with urllib.request.urlopen(f"http://{self.metrics}/metrics",
                                        timeout=2) as page:
                lines = page.read().decode().splitlines()
        except OSError:
            return None
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines
                   if line.startswith((name + " ", name + "{")))

    def kill_and_wait(self):
        """Seconds until the first lease after it."""
        self.spent += usage_of(self.process.pid)[1]
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        began = time.monotonic()
        self.start()
        while not self.value("brewery_job_wait_seconds_count"):
            if time.monotonic() - began > 300:
                return None  # there was nothing left to lease
            time.sleep(0.02)
        return time.monotonic() - began


class Results:
    """How many the log of a run has. What `status` says is behind while a
    coordinator is busy."""

    def __init__(self, folder):
        self.file = (folder / "events.db").resolve()
        self.log = None
        self.seq = self.found = 0

    def count(self):
        try:
            if self.log is None:
                self.log = sqlite3.connect(f"{self.file.as_uri()}?mode=ro",
                                           uri=True)
            more, last = self.log.execute(
                "SELECT count(*), max(seq) FROM events "
                "WHERE kind = 'job_result' AND seq > ?",
                (self.seq,)).fetchone()
        except sqlite3.OperationalError:  # it is being made
            return self.found
        if more:
            self.found += more
            self.seq = last
        return self.found


def order(brewery, address, *words):
    done = subprocess.run([brewery, *map(str, words), "--connect", address],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def state_of(brewery, address, run):
    try:
        for one in json.loads(order(brewery, address, "status",
                                    "--json"))["runs"]:
            if one["id"] == run:
                return one
    except SystemExit:
        pass
    return None


def documents_of(folder):
    return {file.name: file.read_bytes() for file in
            sorted((folder / "kb").iterdir()) if file.suffix == ".md"}


def watch(given, root, coordinator, run):
    draw = random.Random(given.seed)
    rows, leases = [], []
    results = Results(root / "runs" / run)
    began = time.monotonic()
    kills = sorted(draw.uniform(0.02, 0.98) * given.rollouts
                   for _ in range(given.kills))
    while True:
        time.sleep(given.every)
        state = state_of(given.brewery, coordinator.address, run)
        if state is None:
            continue
        resident, cpu = usage_of(coordinator.process.pid)
        done = results.count()
        rows.append((time.monotonic() - began, done, state.get("phase", ""),
                     resident, coordinator.spent + cpu))
        if state["state"] not in ("running", "stopping", "queued"):
            return rows, leases, state["state"]
        if kills and done >= kills[0]:
            kills.pop(0)
            leases.append((done, coordinator.kill_and_wait()))
            print(f"  killed at {done}: next lease after "
                  f"{leases[-1][1]:.2f} s", flush=True)


def by_phase(rows):
    """Results and seconds of processor time of each phase, in their order.
    What came and was spent between two samples is for the phase of the
    second."""
    phases, last = {}, (0, 0, "", 0, 0.0)
    for row in rows:
        rollouts, spent = phases.get(row[2], (0, 0.0))
        phases[row[2]] = (rollouts + row[1] - last[1],
                          spent + row[4] - last[4])
        last = row
    return phases


def show(rows, leases, root, run):
    print(f"{'seconds':>8} {'results':>9} {'MB':>7} {'ms/result':>11}  phase")
    step = max(1, len(rows) // 20)
    last = (0, 0, "", 0, 0.0)
    for row in rows[step - 1::step]:
        more = row[1] - last[1]
        per = " " * 11
        if more:  # the time without any belongs to the next ones
            per = f"{(row[4] - last[4]) / more * 1e3:11.2f}"
            last = row
        print(f"{row[0]:8.0f} {row[1]:9} {row[3]:7.0f} {per}  {row[2]}")
    for phase, (rollouts, spent) in by_phase(rows).items():
        per = f"{spent / rollouts * 1e3:.2f} ms each" if rollouts else ""
        print(f"{rollouts:17} results {spent:7.2f} s {per:>13}  {phase}")
    log = root / "runs" / run
    size = sum(file.stat().st_size for file in log.glob("events.db*"))
    rollouts = rows[-1][1]
    print(f"peak {max(row[3] for row in rows):.0f} MB, "
          f"{rows[-1][4] / rollouts * 1e3:.2f} ms of processor time and "
          f"{size / rollouts / 1e3:.1f} kB of log per result")
    if leases:
        times = [taken for _, taken in leases if taken]
        print(f"{len(leases)} kills; next lease after at most "
              f"{max(times):.2f} s, mean {sum(times) / len(times):.2f} s")


def workers_of(given, root):
    shared = ["--env", given.env, "--slots", str(given.slots)]
    if not given.recorded:
        return [given.brewery, "worker", "--spool", str(root / "spool"),
                *shared]
    bench = Path(given.brewery).parents[1] / "bench/cluster_bench"
    if not bench.exists() or not (Path(given.recorded) / "events.db").exists():
        raise SystemExit(f"--recorded {given.recorded}: it needs events.db in "
                         f"that folder, and {bench}, which the target "
                         "`benches` builds")
    return [bench, "recorded", "--run", given.recorded, "--workers",
            str(given.workers), *shared]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery")
    parser.add_argument("--config", default=ROOT / "config/telecom-example.toml")
    parser.add_argument("--env", default="tau2-telecom="
                        + str(ROOT / "examples/telecom"))
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--rollouts", type=int, default=4464,
                        help="how many the run will have, to spread the kills")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=0.5)
    parser.add_argument("--keep", help="a folder for the run; default: none")
    parser.add_argument("--recorded", help="the folder of an equal run")
    parser.add_argument("--workers", type=int, default=8,
                        help="with --recorded")
    given = parser.parse_args()
    given.brewery = str(Path(given.brewery).resolve())
    settings = [word for one in given.set for word in ("--set", one)]
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(given.keep or scratch)
        root.mkdir(parents=True, exist_ok=True)
        coordinator = Coordinator(given.brewery, root)
        worker = None
        try:
            while coordinator.value("brewery_workers") is None:
                time.sleep(0.05)
            order(given.brewery, coordinator.address, "submit", given.config,
                  "--id", "long", *settings)
            worker = subprocess.Popen(
                workers_of(given, root) + ["--connect", coordinator.address],
                stdout=coordinator.log, stderr=coordinator.log)
            rows, leases, state = watch(given, root, coordinator, "long")
        finally:
            for process in (worker, coordinator.process):
                if process:
                    process.kill()
                    process.wait()
        show(rows, leases, root, "long")
        if given.kills:
            subprocess.run([given.brewery, "run", str(given.config), "--quiet",
                            "--id", "long", "--set",
                            f"run.runs_dir={root / 'alone'}", *settings],
                           check=True, capture_output=True)
            same = (documents_of(root / "runs" / "long")
                    == documents_of(root / "alone" / "long"))
            print(f"the run is {state}; its documents are "
                  f"{'equal to' if same else 'NOT those of'} an undisturbed "
                  "run's")


if __name__ == "__main__":
    main()
