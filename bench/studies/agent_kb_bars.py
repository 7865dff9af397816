#!/usr/bin/env python3
"""What the stages of Agent KB are worth: arms of whole runs beside each other,
sealed, paired by task, pooled over seeds.

  agent_kb_bars.py PATH_OF_BREWERY CONFIG DIRECTORY [--seeds 1-5]
                   [--set OPTION=VALUE]...

Plays a run for each seed into DIRECTORY/runs; a run that is there is resumed,
so an interrupted study goes on. Prints the mean of each arm by seed, what it
took, and the differences with their 95 % intervals (bootstrap over tasks and
seeds, as `brewery compare`).
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/cli"))

from support.bootstrap import interval  # noqa: E402
from support.log_reader import unpacked, unzipped  # noqa: E402

import sqlite3  # noqa: E402

FULL = "learned, agent_kb"
PLANNING, BLIND, RETRY = ("agent_kb, " + name for name in (
    "planning", "planning-retry", "retry"))
PAIRS = [(PLANNING, "no KB"), (FULL, "no KB"), (FULL, RETRY), (FULL, BLIND),
         (RETRY, "no KB")]


def seeds_of(text):
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def play(program, config, where, seed, options):
    run = f"seed-{seed}"
    runs = ["--set", f"run.runs_dir={where / 'runs'}"]
    if (where / "runs" / run).exists():
        words = ["resume", str(where / "runs" / run), "--quiet"]
    else:
        words = ["run", config, "--id", run, "--quiet", *runs,
                 "--set", f"run.seed={seed}",
                 "--set", "search.learner=agent_kb", "--set",
                 'agent_kb.compare=["planning", "planning-retry", "retry"]']
        for option in options:
            words += ["--set", option]
    subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)
    return where / "runs" / run


def arms_of(run):
    with sqlite3.connect(f"file:{run / 'events.db'}?mode=ro",
                         uri=True) as database:
        rows = database.execute("SELECT payload FROM events WHERE kind = "
                                "'evaluation_record'").fetchall()
    found = (unpacked(unzipped(payload)) for payload, in rows)
    return {arm["name"]: arm for arm in found}


def by_task(arm):
    return {task: sum(rewards) / len(rewards)
            for task, rewards in zip(arm["tasks"], arm["rewards"]) if rewards}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--set", action="append", default=[])
    chosen = parser.parse_args()
    where = chosen.directory.absolute()
    where.mkdir(parents=True, exist_ok=True)
    seeds = []
    for seed in seeds_of(chosen.seeds):
        run = play(chosen.program, chosen.config, where, seed, chosen.set)
        seeds.append(arms_of(run))
    for name in seeds[0]:
        means = [100 * sum(by_task(arms[name]).values())
                 / len(by_task(arms[name])) for arms in seeds]
        taken = {}
        for arms in seeds:
            for one in arms[name].get("counts", []):
                taken[one["what"]] = taken.get(one["what"], 0) + one["count"]
        print(f"{name:28} " + " ".join(f"{mean:5.1f}" for mean in means)
              + "  mean " + f"{sum(means) / len(means):5.1f}  "
              + ", ".join(f"{count // len(seeds)} {what}"
                          for what, count in taken.items()))
    out = {}
    for one, other in PAIRS:
        if one not in seeds[0] or other not in seeds[0]:
            continue
        rows = []
        for arms in seeds:
            mine, base = by_task(arms[one]), by_task(arms[other])
            rows.append({task: mine[task] - base[task]
                         for task in mine if task in base})
        centre, low, high, _ = interval(rows, -1, 1)
        each = [interval([row], -1, 1) for row in rows]
        out[f"{one} - {other}"] = [centre, low, high]
        print(f"{one} - {other}: {100 * centre:+.1f} "
              f"[{100 * low:.1f}, {100 * high:.1f}]; by seed, lower bounds "
              + " ".join(f"{100 * one_seed[1]:.1f}" for one_seed in each))
    (where / "differences.json").write_text(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
