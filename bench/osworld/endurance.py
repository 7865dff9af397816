#!/usr/bin/env python3
"""What hundreds of rollouts on local desktops do to the program that plays them:
memory, open files, threads, processes, disk, and what is left afterwards.

  python3 bench/osworld/endurance.py BREWERY [--rollouts 500] [--desktops 2]
          [--steps 15] [--domain os] [--every 25] [--keep DIR]

It plays the train tasks of examples/osworld again and again with the procedural
agent and an empty knowledge base, through `brewery run`, and prints a line every
25 rollouts, then the middle of each figure in the first and the last third.
Processes are those below the program; disk is the run's directory. A desktop's
files are in its own memory.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ("MB", "open files", "threads", "processes", "KB of log",
           "entries of /tmp")


def children_of(pid):
    """All processes below one, by their parents."""
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "stat").read_text()
        except OSError:
            continue
        parents.setdefault(int(text.rsplit(")", 1)[1].split()[1]), []).append(
            int(process.name))
    found, ahead = [], [pid]
    while ahead:
        below = parents.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


class Spaces:
    """PID namespaces that were seen; held open, a number is not used again."""

    def __init__(self):
        self.own, self.held = os.readlink("/proc/self/ns/pid"), {}

    def see(self, pids):
        for pid in pids:
            try:
                name = os.readlink(f"/proc/{pid}/ns/pid")
                if name != self.own and name not in self.held:
                    self.held[name] = os.open(f"/proc/{pid}/ns/pid",
                                              os.O_RDONLY)
            except OSError:
                pass

    def left(self, patience_s=10):
        """How many processes are still in them; the kernel ends them after the
        first of each."""
        deadline = time.monotonic() + patience_s
        while (found := self.alive()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return found

    def alive(self):
        found = 0
        for process in Path("/proc").glob("[0-9]*"):
            try:
                found += os.readlink(process / "ns/pid") in self.held
            except OSError:
                pass
        return found


def size_kb(directory):
    return sum(path.stat().st_size for path in directory.rglob("*")
               if path.is_file()) // 1024


def look(pid, run, spaces):
    below = children_of(pid)
    spaces.see(below)
    status = Path(f"/proc/{pid}/status").read_text()

    def number(name):
        return int(status.split(name + ":")[1].split()[0])
    return (number("VmRSS") // 1024, len(os.listdir(f"/proc/{pid}/fd")),
            number("Threads"), len(below), size_kb(run),
            len(os.listdir(tempfile.gettempdir())))


def chosen_tasks(asked, place):
    """A data directory with the train tasks of the chosen domains."""
    source, data = ROOT / "examples/osworld", Path(place) / "data"
    data.mkdir()
    for entry in source.iterdir():
        if entry.name != "train.json":
            (data / entry.name).symlink_to(entry)
    tasks = {domain: ids for domain, ids in
             json.loads((source / "train.json").read_text()).items()
             if asked.domain in (None, domain)}
    (data / "train.json").write_text(json.dumps(tasks))
    return data, sum(map(len, tasks.values()))


def words_of(asked, runs, place):
    data, count = chosen_tasks(asked, place)
    options = {"environment.data": data, "environment.train_split": "train",
               "environment.osworld.desktops": asked.desktops,
               "environment.osworld.steps": asked.steps,
               "search.initial_trials": -(-asked.rollouts // count),
               "search.iterations": 0}
    words = [asked.brewery, "run", str(ROOT / "config/osworld-example.toml"),
             "--runs-dir", str(runs), "--id", "endurance", "--json"]
    for name, value in options.items():
        words += ["--set", f"{name}={value}"]
    return words


def print_line(rollouts, figures):
    print(f"{rollouts:5} rollouts: " + ", ".join(
        f"{value} {name}" for name, value in zip(FIGURES, figures)),
          flush=True)


def watch(process, asked, run):
    """[(rollouts, figures)], the namespaces, and what was said last."""
    spaces, seen, said = Spaces(), [], {}
    looked = 0
    for line in process.stdout:
        said = json.loads(line)
        rollouts = said.get("rollouts_run", 0)
        spaces.see(children_of(process.pid))
        if rollouts >= looked + asked.every:
            looked = rollouts
            seen.append((rollouts, look(process.pid, run, spaces)))
            print_line(*seen[-1])
        if rollouts >= asked.rollouts:
            break
    return seen, spaces, said


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("brewery")
    words.add_argument("--rollouts", type=int, default=500)
    words.add_argument("--desktops", type=int, default=2)
    words.add_argument("--steps", type=int, default=15)
    words.add_argument("--domain", help="of the tasks; default: all")
    words.add_argument("--every", type=int, default=25)
    words.add_argument("--keep", help="directory for the run")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as place:
        runs = Path(asked.keep or place)
        process = subprocess.Popen(words_of(asked, runs, place), text=True,
                                   stdout=subprocess.PIPE)
        seen, spaces, said = watch(process, asked, runs / "endurance")
        process.terminate()
        process.stdout.read()
        code = process.wait()
        print(f"ended with exit status {code}; environment errors "
              f"{said.get('environment_errors')}, given up "
              f"{said.get('rollouts_given_up')}")
        if not seen:
            return 1
        third = max(1, len(seen) // 3)
        for place_of, name in enumerate(FIGURES):
            first, last = (statistics.median(figures[place_of] for _, figures
                                             in part)
                           for part in (seen[:third], seen[-third:]))
            print(f"{name:16} first third {first:8.0f}, last third {last:8.0f}")
        print(f"namespaces seen {len(spaces.held)}; processes left in them "
              f"{spaces.left()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
