#!/usr/bin/env python3
"""What several strategies in one run cost, as a table.

  bench/sweep/side_by_side.py PROGRAM [PROGRAM ...] [--rounds 3] [--slots 32]
                        [--latency 20] [--set OPTION=VALUE ...]

Plays the toy benchmark with mcts, greedy and iterative in one run, by each program
in turn, so that two versions are measured on the same machine at the same time.
Every tool call waits for `--latency` ms, as an agent on a language model would:
slots are what a run waits for. Prints the median wall time of each, and of one run
for each strategy alone, one after the other. Documents must be equal byte for
byte: the script ends with an error if they are not.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STRATEGIES = ("mcts", "greedy", "iterative")
TOY = """
[run]
seed = 7
log_level = "off"
threads = {slots}
[environment]
kind = "toy"
eval_split = "eval"
simulated_latency_ms = {latency}
[search]
iterations = 6
initial_trials = 10
final_evaluation = false
"""


def documents(run):
    """By strategy and file; the manifest names the strategy's run."""
    return {path.relative_to(run).as_posix(): path.read_bytes()
            for path in sorted(run.glob("**/kb/*.md"))}


def played(program, options, strategies, root):
    """Wall time in seconds, and the documents."""
    with tempfile.TemporaryDirectory(dir=root) as runs:
        words = [program, "run", root / "toy.toml", "--id", "r", "--quiet",
                 "--set", f"run.runs_dir={runs}", "--set",
                 f"search.strategies={list(strategies)}".replace("'", '"')]
        for one in options.set:
            words += ["--set", one]
        began = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, env={
            k: v for k, v in os.environ.items()
            if not k.startswith("BREWERY_")})
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
        return time.monotonic() - began, documents(Path(runs) / "r")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slots", type=int, default=32)
    parser.add_argument("--latency", type=int, default=20)
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    took = {program: [] for program in options.programs}
    alone = []
    found = None
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "toy.toml").write_text(
            TOY.format(latency=options.latency, slots=options.slots))
        for _ in range(options.rounds):
            for program in options.programs:
                seconds, made = played(program.resolve(), options, STRATEGIES,
                                       root)
                took[program].append(seconds)
                if found not in (None, made):
                    sys.exit(f"{program}: other documents")
                found = made
            alone.append(sum(played(options.programs[0].resolve(), options,
                                    [one], root)[0] for one in STRATEGIES))
    print("| what | wall time, median | all rounds |\n|---|---|---|")
    for name, seconds in [*((str(p), s) for p, s in took.items()),
                          ("three runs, one after the other", alone)]:
        print(f"| {name} | {statistics.median(seconds):.1f} s | "
              f"{', '.join(f'{one:.1f}' for one in seconds)} |")
    print(f"\n{len(found)} documents equal, byte for byte")


if __name__ == "__main__":
    main()
