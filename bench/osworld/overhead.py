#!/usr/bin/env python3
"""What a rollout costs beside the agent: `brewery run` and the official runner's
loop, on the same local desktops and the same task.

  python3 bench/osworld/overhead.py BREWERY [--rollouts 30] [--checkout OSWORLD]

The agent takes no time: in `brewery` it has one step, in the official loop it
says one action and DONE. What is left is a desktop in its initial state, setup,
pauses, screenshots, and the grade. The official loop is run_single_example of a
checkout (lib_run_single.py) with its DesktopEnv, whose provider starts the
desktop that `brewery` starts; it needs a Python with requests, gymnasium,
requests_toolbelt and dotenv. Other modules of it that are missing are stood in
for: this task uses none. It runs once to warm up, then `--official` times.
"""

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "envs/osworld/python/tests"),
                str(ROOT / "tests/envs/osworld/python"), str(ROOT / "bench/osworld")]
from desktop import TOKEN, Desktop, missing  # noqa: E402
import endurance  # noqa: E402


def brewery_rollouts(asked, place):
    """Seconds of a rollout, one after the other: the mean, because progress
    is told once a second. Reset and start of desktops are hidden by a spare."""
    asked.desktops, asked.steps, asked.domain = 1, 1, "os"
    words = endurance.words_of(asked, Path(place) / "runs", place)
    words += ["--set", "run.threads=1", "--set", "agent.max_calls=1"]
    process = subprocess.Popen(words, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    ends, rollouts = [], 0
    for line in process.stdout:
        now = json.loads(line).get("rollouts_run", 0)
        if now > rollouts:
            ends += [time.monotonic()] * (now - rollouts)
            rollouts = now
        if rollouts >= asked.rollouts:
            break
    process.terminate()
    process.stdout.read()
    process.wait()
    return [(ends[-1] - ends[0]) / (len(ends) - 1)]


class LocalProvider:
    """What DesktopEnv asks of a provider, on desktops of this machine."""

    def __init__(self):
        self.desktop = None

    def get_vm_path(self, **_):
        return "local"

    def start_emulator(self, *_):
        if self.desktop is None:
            self.desktop = Desktop((1920, 1080))

    def get_ip_address(self, _):
        ports = self.desktop.hello["ports"]
        return f"127.0.0.1:{ports['server']}:{ports['chromium']}:0:{ports['vlc']}"

    def revert_to_snapshot(self, *_):
        self.stop_emulator()
        return "local"

    def stop_emulator(self, *_):
        if self.desktop is not None:
            self.desktop.close()
            self.desktop = None


class QuickAgent:
    def reset(self, *_, **__):
        self.said = False

    def predict(self, *_):
        actions = ["DONE"] if self.said else ["pyautogui.moveTo(9, 9)"]
        self.said = True
        return "", actions


def official_rollouts(checkout, task, count, place):
    """Seconds of each, after one to warm up, and the last score."""
    import dotenv  # noqa: F401 (before modules are stood in for)
    import gymnasium  # noqa: F401
    import official_cases
    import requests
    import requests_toolbelt.multipart.encoder  # noqa: F401
    sys.path.insert(0, str(checkout))
    sys.meta_path.append(official_cases.Standing())
    plain = requests.Session.request

    def with_token(self, *args, **options):
        options["headers"] = {**(options.get("headers") or {}),
                              "Authorization": "Bearer " + TOKEN}
        return plain(self, *args, **options)
    requests.Session.request = with_token
    from desktop_env import desktop_env
    import lib_run_single
    provider = LocalProvider()
    desktop_env.create_vm_manager_and_provider = (
        lambda *_, **__: (provider, provider))
    lib_run_single.setup_logger = lambda *_: None
    # As run_multienv: the tree is not asked for with observation "screenshot".
    env = desktop_env.DesktopEnv("docker", path_to_vm="local",
                                 require_a11y_tree=False, cache_dir=str(place))
    taken, scores = [], []
    for number in range(count + 1):
        results = Path(place) / str(number)
        results.mkdir()
        begun = time.monotonic()
        with contextlib.redirect_stdout(io.StringIO()):
            lib_run_single.run_single_example(
                QuickAgent(), env, task, 15, task["instruction"],
                types.SimpleNamespace(sleep_after_execution=0.0,
                                      result_dir=str(results)),
                str(results), scores)
        taken.append(time.monotonic() - begun)
    env.close()
    return taken[1:], scores[-1]


def report(what, taken):
    print(f"{what}: {statistics.mean(taken):.1f} s each, load "
          f"{os.getloadavg()[0]:.0f}", flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("brewery")
    words.add_argument("--rollouts", type=int, default=30)
    words.add_argument("--official", type=int, default=2)
    words.add_argument("--checkout", type=Path)
    asked = words.parse_args()
    if lacking := missing():
        print(f"skipped: {lacking}")
        return 77
    with tempfile.TemporaryDirectory() as place:
        report("brewery", brewery_rollouts(asked, place))
        if asked.checkout:
            task = next(task for task in map(
                json.loads, (path.read_text() for path in sorted(
                    (ROOT / "examples/osworld/examples/os").glob("*.json"))))
                if task["evaluator"]["func"] != "infeasible"
                and not any(step["type"] == "download"
                            for step in task.get("config", [])))
            taken, score = official_rollouts(asked.checkout, task,
                                             asked.official, Path(place))
            report(f"official runner (score {score})", taken)
    return 0


if __name__ == "__main__":
    sys.exit(main())
