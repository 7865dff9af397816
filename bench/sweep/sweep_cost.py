#!/usr/bin/env python3
"""What a sweep costs beside the same runs alone, as a table.

  bench/sweep/sweep_cost.py PATH_OF_BREWERY [--seeds 5] [--threads 8]
                            [--workers N] [--latency MS]
                            [--set OPTION=VALUE ...]

Plays config/sweeps/table5.toml with so many seeds, then each of its runs alone,
one after the other, with as many threads; with `--workers`, both have so many
worker processes instead. `--latency` delays every tool call, as an agent on a
language model would: without it the processor is what a run waits for. Documents
must be equal byte for byte: the script ends with an error if they are not. A rollout
counts as shared if another run of the sweep played it.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SWEEP = ROOT / "config/sweeps/table5.toml"


def timed(words):
    """What it printed, wall time and processor time in seconds."""
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    began, before = time.monotonic(), spent()
    done = subprocess.run(words, capture_output=True, text=True, env={
        k: v for k, v in os.environ.items() if not k.startswith("BREWERY_")})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout, time.monotonic() - began, spent() - before


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def sweep_file(options, into):
    given = {line.split("=")[0].strip() for line in options.set}
    text = "".join(
        line for line in SWEEP.read_text(encoding="utf-8").splitlines(True)
        if line.split("=")[0].strip() not in given)
    lines = [f"run.threads = {options.threads}",
             f"run.workers = {options.workers}",
             f"environment.simulated_latency_ms = {options.latency}",
             *options.set]
    for old, new in (('"../telecom-example.toml"',
                      json.dumps(str(ROOT / "config/telecom-example.toml"))),
                     ("[1, 2, 3]", str(list(range(1, options.seeds + 1)))),
                     ("\n[set]\n", "\n".join(["\n[set]", *lines, ""]))):
        if old not in text:
            sys.exit(f"{SWEEP} has no {old} any more")
        text = text.replace(old, new, 1)
    into.write_text(text, encoding="utf-8")
    return into


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    brewery = options.brewery.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        file = sweep_file(options, root / "sweep.toml")
        out, wall, processor = timed([brewery, "sweep", file, "--out",
                                      root / "sweep", "--json"])
        said = json.loads(out.splitlines()[-1])
        runs = sorted(p for p in (root / "sweep").iterdir() if p.is_dir())
        alone_wall = alone_processor = 0
        for run in runs:
            _, seconds, used = timed([
                brewery, "run", run / "config.toml", "--id", run.name,
                "--quiet", "--set", f"run.runs_dir={root / 'alone'}"])
            alone_wall += seconds
            alone_processor += used
            if files_below(run / "kb") != files_below(
                    root / "alone" / run.name / "kb"):
                sys.exit(f"{run.name}: other documents than alone")
        rollouts = sum(point["rollouts"] for point in said["points"])
    played = rollouts - said["rollouts_shared"]
    print("| runs | rollouts | wall time | processor time |\n|---|---|---|---|")
    print(f"| {len(runs)} alone | {rollouts} | {alone_wall:.1f} s | "
          f"{alone_processor:.1f} s |")
    print(f"| as a sweep | {played} | {wall:.1f} s | {processor:.1f} s |")
    print(f"| share | {played / rollouts:.1%} | {wall / alone_wall:.1%} | "
          f"{processor / alone_processor:.1%} |")
    print(f"\n{len(runs)} of {len(runs)} knowledge bases equal, byte for byte")


if __name__ == "__main__":
    main()
