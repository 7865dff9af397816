#!/usr/bin/env python3
"""The official runner's rollouts on local desktops: run_single_example of a
checkout of OSWorld (lib_run_single.py) with its DesktopEnv, and an agent that
says one action and DONE at once.

  PYTHON bench/osworld/official_runner.py CHECKOUT TASK.json... [--repeats 2]

DesktopEnv's provider is ours and hands out the desktop that `brewery` starts.
PYTHON has what the checkout's desktop_env imports; modules that it lacks are
stood in for, and the first line names them. One rollout is played before, to
warm up. Prints a line of JSON for each rollout: task, seconds, score, and the
seconds of its parts, of which each counts what is not in another.
"""

import argparse
import contextlib
import functools
import io
import json
import sys
import tempfile
import time
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "envs/osworld/python/tests"),
                str(ROOT / "tests/envs/osworld/python")]
from desktop import TOKEN, Desktop  # noqa: E402
import official_cases  # noqa: E402


class Clock:
    """Seconds by part; time within an inner part is not the outer one's."""

    def __init__(self):
        self.open, self.taken = [], {}

    def clear(self):
        self.taken = {}

    @contextlib.contextmanager
    def part(self, name):
        begun = time.monotonic()
        self.open.append(0.0)
        try:
            yield
        finally:
            whole = time.monotonic() - begun
            inner = self.open.pop()
            self.taken[name] = self.taken.get(name, 0) + whole - inner
            if self.open:
                self.open[-1] += whole

    def around(self, owner, method, name):
        """`name` may depend on the caller's module."""
        plain = getattr(owner, method)

        @functools.wraps(plain)
        def timed(*args, **options):
            caller = sys._getframe(1).f_globals.get("__name__")
            with self.part(name(caller) if callable(name) else name):
                return plain(*args, **options)
        setattr(owner, method, timed)


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


class Absent(official_cases.Standing):
    """Stands in for what the checkout's own modules import and is not
    installed, and remembers it."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def find_spec(self, name, path=None, target=None):
        package = name.split(".")[0]
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith(
                "importlib"):
            frame = frame.f_back
        asks = frame.f_globals.get("__name__", "") if frame else ""
        if package not in self.names and not asks.startswith(
                ("desktop_env", "lib_")):
            return None
        found = super().find_spec(name, path, target)
        if found:
            self.names.add(package)
        return found


def load(checkout, clock):
    """(lib_run_single, desktop_env.desktop_env, modules stood in for)"""
    import requests
    plain = requests.Session.request

    def with_token(self, *args, **options):
        options["headers"] = {**(options.get("headers") or {}),
                              "Authorization": "Bearer " + TOKEN}
        return plain(self, *args, **options)
    requests.Session.request = with_token
    sys.path.insert(0, checkout)
    absent = Absent()
    sys.meta_path.append(absent)
    from desktop_env import desktop_env
    from desktop_env.controllers.python import PythonController
    import lib_run_single
    lib_run_single.setup_logger = lambda *_: None
    clock.around(time, "sleep", lambda caller: "sleeps of the runner"
                 if caller == "lib_run_single" else "sleeps of controllers")
    for owner, method, name in (
            (desktop_env.DesktopEnv, "reset", "setup"),
            (desktop_env.DesktopEnv, "step", "actions"),
            (desktop_env.DesktopEnv, "evaluate", "grade"),
            (PythonController, "get_screenshot", "screenshots"),
            (PythonController, "start_recording", "recording"),
            (PythonController, "end_recording", "recording"),
            (LocalProvider, "start_emulator", "desktop"),
            (LocalProvider, "revert_to_snapshot", "desktop")):
        clock.around(owner, method, name)
    return lib_run_single, desktop_env, absent.names


def rollout(runner, env, task, place):
    """Its score. The runner's results go below `place`."""
    scores = []
    with tempfile.TemporaryDirectory(dir=place) as results:
        directory = Path(results) / "os" / task["id"]
        directory.mkdir(parents=True)
        with contextlib.redirect_stdout(io.StringIO()):
            runner.run_single_example(
                QuickAgent(), env, task, 15, task["instruction"],
                types.SimpleNamespace(sleep_after_execution=0.0,
                                      result_dir=results),
                str(directory), scores)
    return scores[-1]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("checkout")
    words.add_argument("tasks", nargs="+", type=Path)
    words.add_argument("--repeats", type=int, default=2)
    asked = words.parse_args()
    tasks = [json.loads(path.read_text()) for path in asked.tasks]
    clock = Clock()
    with tempfile.TemporaryDirectory() as place:
        runner, desktop_env, absent = load(asked.checkout, clock)
        print(json.dumps({"stood_in_for": sorted(absent)}), flush=True)
        provider = LocalProvider()
        desktop_env.create_vm_manager_and_provider = (
            lambda *_, **__: (provider, provider))
        # As run_multienv: the tree is not asked for with "screenshot".
        env = desktop_env.DesktopEnv("docker", path_to_vm="local",
                                     require_a11y_tree=False, cache_dir=place)
        rollout(runner, env, tasks[0], place)
        for task in tasks * asked.repeats:
            clock.clear()
            begun = time.monotonic()
            score = rollout(runner, env, task, place)
            print(json.dumps({"task": task["id"],
                              "seconds": time.monotonic() - begun,
                              "score": score, "parts": clock.taken}),
                  flush=True)
        env.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
