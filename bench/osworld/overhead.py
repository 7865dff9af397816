#!/usr/bin/env python3
"""What a rollout costs beside the agent: `brewery run` and the official runner's
loop, on the same local desktops and the same tasks.

  python3 bench/osworld/overhead.py BREWERY [--tasks 3] [--repeats 5]
          [--checkout OSWORLD] [--python PYTHON] [--official 2]

The agent takes no time: on both sides it moves the mouse, sees a screenshot and
says that it is done. What is left is a desktop in its initial state, setup,
pauses, screenshots, and the grade. `brewery` plays one rollout after the other
with one desktop and a spare, with the pauses of config/osworld-example.toml
("short") and with those that are the default; its figure is the mean, because
progress is told once a second. The official loop is that of a checkout of
OSWorld (official_runner.py), run by PYTHON, which has what its desktop_env
imports. The tasks are of examples/osworld: train tasks of `os` that can be done.
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
sys.path[:0] = [str(ROOT / "envs/osworld/python/tests")]
from desktop import missing  # noqa: E402

EXAMPLES = ROOT / "examples/osworld"
OPTIONS = "environment.osworld."
# Of the options' defaults (config/OPTIONS.md); the example's are shorter.
USUAL_PAUSES_MS = {"start_pause_ms": 2000, "action_pause_ms": 500,
                   "grade_pause_ms": 1000}


def chosen_tasks(count):
    """Files of the first of `os` that can be done and download nothing."""
    chosen = []
    for task_id in json.loads((EXAMPLES / "train.json").read_text())["os"]:
        path = EXAMPLES / "examples/os" / f"{task_id}.json"
        task = json.loads(path.read_text())
        if task["evaluator"]["func"] != "infeasible" and all(
                step["type"] != "download" for step in task["config"]):
            chosen.append(path)
    return chosen[:count]


# As in official_runner.py.
SCRIPT = [{"tool": "pyautogui",
           "arguments": {"code": "pyautogui.moveTo(9, 9)"}},
          {"tool": "done", "arguments": {}}]


def scripts_of(tasks, place):
    scripts = Path(place) / "scripts"
    scripts.mkdir()
    for path in tasks:
        (scripts / path.name).write_text(json.dumps(SCRIPT))
    return scripts


def data_of(tasks, place):
    data = Path(place) / "data"
    data.mkdir()
    for entry in EXAMPLES.iterdir():
        if entry.name != "train.json":
            (data / entry.name).symlink_to(entry)
    (data / "train.json").write_text(json.dumps(
        {"os": [path.stem for path in tasks]}))
    return data


def brewery_seconds(brewery, tasks, repeats, pauses_ms):
    """Of a rollout, one after the other. Reset and start of desktops are hidden
    by a spare, as they are in a run."""
    with tempfile.TemporaryDirectory() as place:
        options = {"environment.data": data_of(tasks, place),
                   "environment.train_split": "train", "run.threads": 1,
                   "agent.kind": "scripted",
                   "agent.script": scripts_of(tasks, place),
                   OPTIONS + "desktops": 1,
                   OPTIONS + "observation": "screenshot",
                   "search.initial_trials": repeats + 1, "search.iterations": 0}
        options |= {OPTIONS + name: ms for name, ms in pauses_ms.items()}
        words = [brewery, "run", str(ROOT / "config/osworld-example.toml"),
                 "--runs-dir", place, "--id", "overhead", "--json"]
        for name, value in options.items():
            words += ["--set", f"{name}={value}"]
        process = subprocess.Popen(words, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        ends, rollouts = [], 0
        for line in process.stdout:
            now = json.loads(line).get("rollouts_run", 0)
            if now > rollouts:
                ends += [time.monotonic()] * (now - rollouts)
                rollouts = now
            if rollouts > repeats * len(tasks):
                break
        process.terminate()
        process.stdout.read()
        process.wait()
        if len(ends) < 2:
            raise SystemExit("overhead: `brewery run` played no rollouts")
        return (ends[-1] - ends[0]) / (len(ends) - 1)


def load():
    return f"load {os.getloadavg()[0]:.0f}"


def official(asked, tasks):
    """Prints a line for each rollout, and the mean of all."""
    process = subprocess.Popen(
        [asked.python, Path(__file__).with_name("official_runner.py"),
         asked.checkout, *tasks, "--repeats", str(asked.official)],
        text=True, stdout=subprocess.PIPE)
    taken, parts = [], {}
    for line in process.stdout:
        said = json.loads(line)
        if "task" not in said:
            print("official: stood in for, because not installed: "
                  + (", ".join(said["stood_in_for"]) or "nothing"))
            continue
        taken.append(said["seconds"])
        for name, seconds in said["parts"].items():
            parts.setdefault(name, []).append(seconds)
        print(f"official, {said['task'][:8]}: {taken[-1]:.1f} s, score "
              f"{said['score']}, {load()}", flush=True)
    if process.wait() != 0 or not taken:
        raise SystemExit("overhead: the official runner failed")
    print(f"official: {statistics.mean(taken):.1f} s each of {len(taken)}: "
          + ", ".join(f"{name} {sum(seconds) / len(taken):.2f}" for
                      name, seconds in sorted(parts.items(),
                                              key=lambda one: -sum(one[1]))))


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("brewery")
    words.add_argument("--tasks", type=int, default=3)
    words.add_argument("--repeats", type=int, default=5)
    words.add_argument("--official", type=int, default=2,
                       help="repeats of each task by the official runner")
    words.add_argument("--checkout", help="of OSWorld, with lib_run_single.py")
    words.add_argument("--python", default="python3")
    asked = words.parse_args()
    if lacking := missing():
        print(f"skipped: {lacking}")
        return 77
    tasks = chosen_tasks(asked.tasks)
    for what, pauses_ms in (("short", {}), ("default", USUAL_PAUSES_MS)):
        seconds = brewery_seconds(asked.brewery, tasks, asked.repeats,
                                  pauses_ms)
        print(f"brewery, {what} pauses: {seconds:.2f} s each of "
              f"{asked.repeats * len(tasks)}, {load()}", flush=True)
    if not asked.checkout:
        print("no official runner: --checkout names no OSWorld")
    elif not (Path(asked.checkout) / "lib_run_single.py").is_file():
        print(f"no official runner: {asked.checkout} has no lib_run_single.py")
    else:
        official(asked, tasks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
