"""Rollouts per second of the telecom run by the number of slots, with 5 ms of
simulated latency in each tool call, and how far from linear that is.

usage: scaling.py BREWERY [--workers] [--slots 1,4,16,64] [--trials 10]

Slots are threads of one process, with --workers processes of one slot each.
Every width does the same jobs: all initial rollouts, as many trials of each of
the 60 tasks. The rate is of the time between the first and the last of them, so
that a run's start does not count; its end does, when fewer jobs are left than
there are slots. The share of the cores says where linear must end.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TASKS = 60  # of the train split


def cpu_of_children():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def measure(brewery, slots, as_workers, trials):
    wanted = TASKS * trials
    kind = "workers" if as_workers else "threads"
    with tempfile.TemporaryDirectory() as runs:
        began, cpu = time.monotonic(), cpu_of_children()
        process = subprocess.Popen(
            [brewery, "run", ROOT / "config/telecom-example.toml", "--id",
             "scaling", "--json", "--set", f"run.runs_dir={runs}", "--set",
             "environment.simulated_latency_ms=5", "--set",
             f"search.initial_trials={trials}", "--set",
             f"run.{kind}={slots}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True)
        first = None
        for line in process.stdout:
            done, now = json.loads(line)["rollouts_run"], time.monotonic()
            if first is None and done > 0:
                first = (done, now)
            if done >= wanted:
                break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        share = (cpu_of_children() - cpu) / (now - began) / os.cpu_count()
    return (done - first[0]) / (now - first[1]), share


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery")
    parser.add_argument("--workers", action="store_true")
    parser.add_argument("--slots", default="1,4,16,64")
    parser.add_argument("--trials", type=int, default=10)
    words = parser.parse_args()
    base = None
    for slots in map(int, words.slots.split(",")):
        rate, share = measure(words.brewery, slots, words.workers,
                              words.trials)
        base = base or rate / slots
        # Of processes of a process nothing is known here.
        used = "" if words.workers else f"  {share:.0%} of the cores"
        print(f"{slots:3} slots  {rate:7.2f} rollouts/s  "
              f"{rate / (base * slots):.2f} of linear{used}", flush=True)


if __name__ == "__main__":
    main()
