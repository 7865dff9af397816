"""Plays solutions while parts of their desktops are killed at random: every
score that comes is right, and nothing of any desktop is left.

  python3 examples/osworld/tools/chaos.py [--rollouts 300] [--seed 1]

A worker is a process with one desktop. Killed are an application, the X server,
the guest server, the first program of the desktop, or the worker itself, by
SIGKILL, at a random moment. Right is a score of 1; or no score, and a reason. A
score of 0 would blame the task for what it did not do, unless an application was
killed: what it left undone is undone.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import play
from desktop import Desktop, home_directory, missing

KINDS = ("nothing", "application", "X server", "guest server", "first program",
         "worker")
SHORT = ("rename-", "count-", "permissions-", "archive-", "setting-qt",
         "setting-undo", "setting-reply_to", "total-costs")
LATEST_KILL_S = 3.0
END_S = 30


def work(task, home):
    """The worker: one JSON line with a score or an error."""
    play.UNTIL_S = 40
    solution = json.loads((play.ROOT / "solutions" / f"{task['id']}.json")
                          .read_text())
    try:
        desktop = Desktop((1280, 720), home)
    except (RuntimeError, ValueError) as problem:
        return {"error": f"no desktop: {problem}"}
    try:
        play.set_up(desktop, task["config"])
        last = play.solve(desktop, solution["steps"])
        return {"score": play.grade(desktop, task["evaluator"], last)}
    except (play.Wrong, AssertionError, OSError, ValueError, KeyError) as why:
        return {"error": f"{type(why).__name__}: {why}"}


def namespace_of(worker):
    """The PID namespace of its desktop, held open, or None."""
    deadline = time.monotonic() + 2 * LATEST_KILL_S
    while time.monotonic() < deadline and worker.poll() is None:
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(worker.pid)], text=True,
            capture_output=True, check=False).stdout.split()
        for pid in found:
            try:
                children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
                for child in children.split():
                    return os.open(f"/proc/{child}/ns/pid", os.O_RDONLY)
            except OSError:
                pass
        time.sleep(0.02)
    return None


def processes_in(space):
    name = f"pid:[{os.fstat(space).st_ino}]"
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "ns/pid") == name:
                words = (process / "cmdline").read_bytes().decode(
                    "utf-8", "replace").replace("\0", " ")
                yield int(process.name), words
        except OSError:
            pass


def part_of(words, order):
    """What a process of a desktop is; its own programs come in this order."""
    if words.startswith("Xvfb"):
        return "X server"
    if "desktop_session.run" in words and "bwrap" not in words:
        return "first program" if order == 0 else "guest server"
    own = ("bwrap" in words or "dbus" in words or words.startswith("openbox")
           or "at-spi" in words or "dconf" in words)
    return "" if own else "application"


def kill_one(kind, worker, space, chance):
    if kind == "worker":
        worker.kill()
        return True
    order, candidates = 0, []
    for pid, words in sorted(processes_in(space)):
        part = part_of(words, order)
        order += part in ("first program", "guest server")
        if part == kind:
            candidates.append(pid)
    if not candidates:
        return False
    try:
        os.kill(chance.choice(candidates), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def one(number, seed, tasks, home):
    """(kind, whether something was killed, how it ended, what is wrong)"""
    chance = random.Random(f"{seed} {number}")
    kind, task = chance.choice(KINDS), chance.choice(tasks)
    worker = subprocess.Popen(
        [sys.executable, __file__, "--work", task["id"], "--home", home],
        stdout=subprocess.PIPE, text=True)
    space = namespace_of(worker)
    time.sleep(chance.uniform(0, LATEST_KILL_S))
    killed = kind != "nothing" and space is not None and kill_one(
        kind, worker, space, chance)
    told = worker.communicate()[0]
    wrong = []
    if told:
        said = json.loads(told)
        ended = "score" if "score" in said else "no score"
        undone = 0.0 if kind == "application" and killed else 1.0
        if said.get("score") not in (None, 1.0, undone):
            wrong.append(f"score {said['score']}")
        if ended == "no score" and not killed:
            wrong.append(said["error"])
    else:
        ended = "worker gone"
        if kind != "worker":
            wrong.append("the worker ended")
    if space is not None:
        deadline = time.monotonic() + END_S
        while any(processes_in(space)) and time.monotonic() < deadline:
            time.sleep(0.1)
        wrong += [f"left: {words}" for _, words in processes_in(space)]
        os.close(space)
    return kind, killed, ended, [f"rollout {number} ({kind}, "
                                 f"{task['source']}): {one}" for one in wrong]


def load(wanted):
    return [task for task in (json.loads(path.read_text()) for path in
                              sorted(play.ROOT.glob("examples/*/*.json")))
            if wanted(task)]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rollouts", type=int, default=300)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--at-once", type=int, default=3)
    words.add_argument("--work", help=argparse.SUPPRESS)
    words.add_argument("--home", help=argparse.SUPPRESS)
    asked = words.parse_args()
    if asked.work:
        print(json.dumps(work(load(lambda task: task["id"] == asked.work)[0],
                              asked.home)))
        return 0
    if lacking := missing():
        print(f"skipped: {lacking}")
        return 77
    tasks = load(lambda task: any("(" + one in task["source"]
                                  for one in SHORT))
    home = os.path.join(home_directory().name, "home.tar")
    directory = Path(tempfile.gettempdir())
    before = set(directory.iterdir())
    counts, wrong = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(asked.at_once) as players:
        for kind, killed, ended, why in players.map(
                lambda number: one(number, asked.seed, tasks, home),
                range(asked.rollouts)):
            counts[kind + (" killed" if killed else ""), ended] += 1
            wrong += why
    for (kind, ended), times in sorted(counts.items()):
        print(f"{kind:24} {ended:12} {times:4}")
    left = {path for path in set(directory.iterdir()) - before
            if path.name.startswith((".X11-unix", ".X", "brewery", "tmp"))
            and path.stat().st_uid >= 20_000}
    wrong += [f"left: {path}" for path in left]
    print("\n".join(wrong))
    print(f"{asked.rollouts - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
