"""Recalculation with a kept LibreOffice, and grading, in milliseconds a workbook.

usage: /usr/bin/python3 bench/spreadsheets/recalc_bench.py [--rounds 3] [--tasks DIR]

Asks the two services as a worker does, one request after the other, for each
case of a folder of tasks in the official layout (default: the examples). What is
recalculated are goldens with formulas, without the cache; what is graded are
goldens and inputs against goldens.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "envs/spreadsheet/python"
# (name, goal of p50, goal of p90), in ms; grading has one goal for a case.
GOALS = {"recalculate": (100, 200), "grade": (60, 60)}


class Service:
    def __init__(self, script):
        began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, str(MODULES / script)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.hello = json.loads(self._process.stdout.readline())
        self.start_ms = (time.perf_counter() - began) * 1000

    def ask(self, **request):
        """The reply, and milliseconds as the asker sees them."""
        began = time.perf_counter()
        self._process.stdin.write(json.dumps({"id": 1, **request}) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        return reply, (time.perf_counter() - began) * 1000

    def resident_mb(self):
        """Of the service and everything below it."""
        found, total = [self._process.pid], 0
        for pid in found:
            try:
                facts = Path(f"/proc/{pid}/statm").read_text().split()
                total += int(facts[1]) * os.sysconf("SC_PAGE_SIZE")
                for task in os.listdir(f"/proc/{pid}/task"):
                    children = Path(f"/proc/{pid}/task/{task}/children")
                    found += map(int, children.read_text().split())
            except FileNotFoundError:
                continue
        return total / (1 << 20)

    def end(self):
        self._process.communicate()


def cases(folder):
    for task in json.loads((folder / "dataset.json").read_text("utf-8")):
        for number in (1, 2, 3):
            stem = folder / task["spreadsheet_path"] / f"{number}_{task['id']}"
            files = [f"{stem}_{kind}.xlsx" for kind in ("input", "answer")]
            if all(map(os.path.isfile, files)):
                yield task, *files


def told(name, figures):
    ordered = sorted(figures)
    p50, p90, p99 = (ordered[math.ceil(len(ordered) * q) - 1]
                     for q in (0.5, 0.9, 0.99))
    print(f"{name:12} n {len(figures):5}  p50 {p50:6.1f} ms  p90 {p90:6.1f} ms"
          f"  p99 {p99:6.1f} ms  mean {statistics.fmean(figures):6.1f} ms"
          f"  (goals: p50 {GOALS[name][0]}, p90 {GOALS[name][1]})", flush=True)


def recalculations(all_cases, rounds):
    office = Service("recalc_server.py")
    print(f"office {office.hello['office']}, isolation "
          f"{office.hello['isolation']}, start {office.start_ms:.0f} ms")
    figures = []
    with tempfile.TemporaryDirectory() as out:
        for _ in range(rounds):
            for _, _, golden in all_cases:
                reply, took = office.ask(op="recalculate", out=f"{out}/out.xlsx",
                                         **{"in": golden})
                if reply["status"] == "ok":
                    figures.append(took)
    told("recalculate", figures)
    print(f"memory of the service and its office: {office.resident_mb():.0f} MB")
    office.end()


def gradings(all_cases, rounds):
    grader = Service("grade/grade_server.py")
    print(f"openpyxl {grader.hello['openpyxl']}, start {grader.start_ms:.0f} ms")
    figures = []
    for _ in range(rounds):
        for task, source, golden in all_cases:
            for answer in (source, golden):
                reply, took = grader.ask(
                    op="grade", answer=answer, golden=golden,
                    position=task["answer_position"],
                    sheet=task.get("answer_sheet"))
                if "error" in reply:
                    sys.exit(f"recalc_bench: {golden}: {reply['error']}")
                figures.append(took)
    told("grade", figures)
    print(f"memory of the grader: {grader.resident_mb():.0f} MB")
    grader.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", type=Path,
                        default=ROOT / "examples/spreadsheets")
    words = parser.parse_args()
    all_cases = list(cases(words.tasks.resolve()))
    recalculations(all_cases, words.rounds)
    gradings(all_cases, words.rounds)


if __name__ == "__main__":
    main()
