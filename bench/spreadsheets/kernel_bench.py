#!/usr/bin/python3
"""What kernels of spreadsheet episodes cost: their start, the memory of eight
of them, and whether thousands leave anything behind.

usage: kernel_bench.py [--rung auto|bubblewrap|landlock] [--opens 5000]

A start is "open" and a first trivial "run", asked one after the other through
the host's own protocol. Memory is the proportional share (PSS) of the host and
everything below it, from /proc. For the last part each episode gets a workspace
of its own, writes a file, and is closed; the workspace is then deleted.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

MODULES = Path(__file__).resolve().parents[2] / "envs/spreadsheet/python/kernel"
PYTHON = "/usr/bin/python3"
GOAL_MS = 20
WORKBOOK = """
import openpyxl, pandas as pd
w = openpyxl.Workbook()
for i in range(50): w.active.append([i, f"row {i}", i * 1.5])
w.save("output.xlsx")
pd.read_excel("output.xlsx").describe()
"""


class Host:
    def __init__(self, rung, workspaces):
        self.workspaces = workspaces
        began = time.monotonic()
        self.process = subprocess.Popen(
            [PYTHON, str(MODULES / "kernel_host.py"), "--workspaces",
             workspaces, "--rung", rung], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.hello = json.loads(self.process.stdout.readline())
        self.start_ms = (time.monotonic() - began) * 1000
        self._asked = 0

    def ask(self, **request):
        self._asked += 1
        print(json.dumps({"id": self._asked, **request}),
              file=self.process.stdin, flush=True)
        reply = json.loads(self.process.stdout.readline())
        if "error" in reply:
            raise SystemExit(f"kernel_bench: {request['op']}: "
                             f"{reply['error']}")
        return reply

    def open(self, name):
        path = os.path.join(self.workspaces, name)
        os.mkdir(path)
        return path, self.ask(op="open", workspace=path)["kernel"]

    def run(self, kernel, code):
        reply = self.ask(op="run", kernel=kernel, code=code)
        if reply["status"] != "ok":
            raise SystemExit(f"kernel_bench: a cell: {reply['output']}")

    def close(self, path, kernel):
        self.ask(op="close", kernel=kernel)
        shutil.rmtree(path)

    def tree(self):
        children, found = {}, []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", "rb") as facts:
                    after = facts.read().rpartition(b")")[2].split()
            except OSError:
                continue
            children.setdefault(int(after[1]), []).append(int(name))
        unvisited = [self.process.pid]
        while unvisited:
            one = unvisited.pop()
            found.append(one)
            unvisited += children.get(one, [])
        return found

    def memory_mb(self):
        total_kb = 0
        for process in self.tree():
            with open(f"/proc/{process}/smaps_rollup",
                      encoding="ascii") as lines:
                total_kb += next(int(line.split()[1]) for line in lines
                                 if line.startswith("Pss:"))
        return total_kb / 1024

    def descriptors(self):
        return sum(len(os.listdir(f"/proc/{process}/fd"))
                   for process in self.tree())


def quantiles(times_ms):
    times_ms = sorted(times_ms)
    return ", ".join(
        f"p{part} {times_ms[len(times_ms) * part // 100]:.1f}"
        for part in (50, 90, 99)) + f", max {times_ms[-1]:.1f} ms"


def starts(host, rounds, code):
    took_ms = []
    for number in range(rounds):
        path = os.path.join(host.workspaces, f"start-{number}")
        os.mkdir(path)
        began = time.monotonic()
        kernel = host.ask(op="open", workspace=path)["kernel"]
        host.run(kernel, code)
        took_ms.append((time.monotonic() - began) * 1000)
        host.close(path, kernel)
    return took_ms


def eight(host):
    print(f"memory without a kernel: {host.memory_mb():.0f} MB (PSS)")
    open_ones = [host.open(f"idle-{number}") for number in range(8)]
    for _, kernel in open_ones:
        host.run(kernel, "1")
    print(f"  with 8 that ran a trivial cell: {host.memory_mb():.0f} MB")
    for _, kernel in open_ones:
        host.run(kernel, WORKBOOK)
    print(f"  with 8 that worked on a workbook: {host.memory_mb():.0f} MB")
    for path, kernel in open_ones:
        host.close(path, kernel)


def many(host, opens):
    def look(done):
        left = len(os.listdir(host.workspaces))
        print(f"  after {done}: {host.memory_mb():.1f} MB, "
              f"{host.descriptors()} descriptors, {len(host.tree())} "
              f"processes, {left} files left", flush=True)

    print(f"{opens} episodes, one after the other:")
    began = time.monotonic()
    for number in range(opens):
        path, kernel = host.open(f"many-{number}")
        host.run(kernel, "open('output.xlsx', 'w').write('x' * 1000)")
        host.close(path, kernel)
        if number + 1 in (100, opens // 2, opens):
            look(number + 1)
    took_s = time.monotonic() - began
    print(f"  {opens / took_s:.0f} episodes/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rung", default="auto",
                        choices=["auto", "bubblewrap", "landlock"])
    parser.add_argument("--opens", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as workspaces:
        os.chmod(workspaces, 0o755)
        host = Host(options.rung, workspaces)
        print(f"{host.hello['isolation']}, users {host.hello['users']}: "
              f"ready after {host.start_ms:.0f} ms")
        starts(host, 20, "1")  # to warm up
        print(f"episode start (goal {GOAL_MS} ms), {options.rounds} times: "
              + quantiles(starts(host, options.rounds, "1")))
        print(f"  with a first workbook, {options.rounds // 3} times: "
              + quantiles(starts(host, options.rounds // 3, WORKBOOK)))
        eight(host)
        many(host, options.opens)
        host.process.stdin.close()
        raise SystemExit(host.process.wait())


if __name__ == "__main__":
    main()
