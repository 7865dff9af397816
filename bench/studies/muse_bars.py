#!/usr/bin/env python3
"""What the memory of MUSE is worth: whole runs, one for each seed, pooled.

  muse_bars.py PATH_OF_BREWERY CONFIG DIRECTORY [--seeds 1-5] [--tasks 18]
               [--set OPTION=VALUE]...

Plays for each seed a run that learns from the first train tasks in three
iterations; one that attempts the same tasks as often and is given no memory;
and one of an agent that does not explore, with the first one's memory, which
travels as its documents, and without. Prints what reports say: S_partial by
iteration and on the sealed test tasks, the difference that the memory makes
there, and calls per completed task. Runs go to DIRECTORY/runs; one that is there is
resumed, so an interrupted study goes on.

Which train tasks are attempted, and in which order, is the same for all seeds:
seeds are runs of one protocol, as in the paper, and not samples of tasks.
"""

import argparse
import re
import subprocess
from pathlib import Path

ROW = re.compile(r"^\| ([^|]+) \| (\d+)/(\d+) \| [\d.]+ \| ([\d.]+) "
                 r"\[([\d.]+), ([\d.]+)\] \| (?:([-+][\d.]+) "
                 r"\[([-+][\d.]+), ([-+][\d.]+)\]|-) \| (\d+) of (\d+) "
                 r"\| (\d+) \| ([\d.]+|-) \|$", re.MULTILINE)
WITH, WITHOUT = "learned, muse", "muse, no memory"


def seeds_of(text):
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def play(chosen, name, seed, options):
    """The rows of a run's section on the memory, by name."""
    run = chosen.directory / "runs" / name
    if run.exists():
        words = ["resume", str(run), "--quiet"]
    else:
        words = ["run", chosen.config, "--id", name, "--quiet"]
        for option in ["search.learner=muse", f"run.seed={seed}",
                       f"run.runs_dir={run.parent}",
                       f"environment.max_train_tasks={chosen.tasks}",
                       *chosen.set, *options]:
            words += ["--set", option]
    subprocess.run([chosen.program, *words], check=True,
                   stdout=subprocess.DEVNULL)
    rows = {}
    for row in ROW.findall((run / "report.md").read_text()):
        done, calls = int(row[9]), int(row[11])
        rows[row[0]] = {"partial": float(row[3]), "done": done, "calls": calls,
                        "difference": row[6:9]}
    return rows


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def line(what, values, digits=1):
    print(f"{what:34} " + " ".join(f"{one:7.{digits}f}" for one in values)
          + f"   mean {mean(values):7.{digits}f}")


def per_completed(rows, arm):
    """Over all runs, since one may have completed nothing."""
    done = sum(one[arm]["done"] for one in rows)
    return sum(one[arm]["calls"] for one in rows) / done if done else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--tasks", type=int, default=18)
    parser.add_argument("--set", action="append", default=[])
    chosen = parser.parse_args()
    chosen.directory = chosen.directory.absolute()
    chosen.directory.mkdir(parents=True, exist_ok=True)
    learned, bare, moved = [], [], []
    for seed in seeds_of(chosen.seeds):
        learned.append(play(chosen, f"seed-{seed}", seed, []))
        bare.append(play(chosen, f"bare-{seed}", seed,
                         ["muse.stores=[]", "search.final_evaluation=false"]))
        memory = chosen.directory / "runs" / f"seed-{seed}" / "kb"
        moved.append(play(chosen, f"moved-{seed}", seed,
                          ["muse.iterations=0", "muse.explore=0",
                           f"muse.memory={memory}"]))
    print("S_partial, a column for each seed")
    for name in [one for one in learned[0] if one.startswith("iteration")]:
        line(f"train, {name}", [one[name]["partial"] for one in learned])
        line(f"train, {name}, none given",
             [one[name]["partial"] for one in bare])
    line("test, no memory", [one[WITHOUT]["partial"] for one in learned])
    line("test, memory frozen", [one[WITH]["partial"] for one in learned])
    line("test, moved, no exploring", [one[WITH]["partial"] for one in moved])
    line("test, no memory, no exploring",
         [one[WITHOUT]["partial"] for one in moved])
    print("Difference on test that the memory makes, by seed: "
          + "; ".join("{} [{}, {}]".format(*one[WITH]["difference"])
                      for one in learned))
    gain = mean(one[WITH]["partial"] - one[WITHOUT]["partial"]
                for one in learned)
    kept = mean(there[WITH]["partial"] - here[WITHOUT]["partial"]
                for here, there in zip(learned, moved))
    print(f"Gain {gain:+.1f}; without exploring {kept:+.1f}"
          + (f", {100 * kept / gain:.0f} % of it" if gain > 0 else ""))
    for arm in (WITHOUT, WITH):
        calls = per_completed(learned, arm)
        print(f"Calls per completed test task, {arm}: "
              + (f"{calls:.1f}" if calls else "none was completed"))


if __name__ == "__main__":
    main()
