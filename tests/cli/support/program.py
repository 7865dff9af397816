"""What the tests of the built `brewery` share."""

import contextlib
import os
import random
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]

# With BREWERY_SHARE=2, as in .ci/run, the longest tests play a half.
SHARE = int(os.environ.get("BREWERY_SHARE", "1"))


def shared(count):
    return -(-count // SHARE)


# Learns something within a second.
TOY = """
[run]
seed = 7
log_level = "off"
[environment]
kind = "toy"
eval_split = "eval"
[search]
iterations = 4
initial_trials = 10
strategies = ["mcts", "greedy"]
[eval]
test_trials = 2
"""
# Points of TOY, each with three seeds: 12 runs of a second.
SWEEP = """
base = "toy.toml"
seeds = [1, 2, 3]
at_once = 2
[set]
search.iterations = 3
[grid]
search.max_width = [1, 3]
search.max_depth = [3, 10]
"""
# A program of the user's own; which one is filled in.
LOCK = """
[environment]
kind = "external"
eval_split = "eval"
[environment.external]
command = ["python3", "{program}"]
[search]
initial_trials = 10
iterations = 1
[eval]
test_trials = 1
"""
# With what `generate` writes into `desk`.
DESK = """
[environment]
kind = "tau2-telecom"
data = "desk"
eval_split = "eval"
max_train_tasks = 4
max_eval_tasks = 2
max_test_tasks = 2
[search]
iterations = 1
initial_trials = 1
[eval]
test_trials = 1
min_per_concept = 1
max_per_concept = 2
"""


def clean_environment():
    """The environment without what would change a command's behaviour."""
    return {k: v for k, v in os.environ.items()
            if not k.startswith("BREWERY_") and k != "NO_COLOR"}


def done_by(program, *words, code=0, variables=None):
    """What the program wrote: to standard output, or why it failed."""
    done = subprocess.run([program, *map(str, words)], text=True,
                          env=clean_environment() | (variables or {}),
                          capture_output=True, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def write_rusty_lock(folder):
    """`lock.toml`, whose environment cannot grade the tasks that the file
    `broken` names; all, if it is empty."""
    text = (SOURCE / "envs/python/examples/lock.py").read_text()
    (folder / "lock.py").write_text("import os\n" + text.replace(
        "    def grade(self):\n",
        "    def grade(self):\n"
        f"        broken = {str(folder / 'broken')!r}\n"
        "        if os.path.exists(broken) and self._task in ("
        "open(broken).read().split() or self._starts):\n"
        "            raise RuntimeError('the lock is rusty')\n",
        1).replace("    def reset(self, task):\n",
                   "    def reset(self, task):\n"
                   "        self._task = task\n", 1)
        .replace("#!/usr/bin/env python3\n", ""))
    (folder / "lock.toml").write_text(LOCK.format(program=folder / "lock.py"))


def wait_until(what, holds, limit=120.0, every=0.02):
    """Polls; the error says what did not come true. What is read of None, as
    of the status while no coordinator answers, does not hold yet."""
    deadline, why = time.monotonic() + limit, None
    while time.monotonic() < deadline:
        try:
            if holds():
                return
        except TypeError as problem:
            why = problem
        time.sleep(every)
    raise AssertionError(f"not within {limit} s: {what}") from why


def free_port():
    """Below those that connections get, so that none takes it before it is
    listened on."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("", port))
            return port


class ScratchCase(unittest.TestCase):
    """A directory for all tests of a class; its `toy.toml` holds `toy`."""
    toy = TOY

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.root = Path(scratch.name)
        cls.config = cls.root / "toy.toml"
        cls.config.write_text(cls.toy)


class CommandCase(unittest.TestCase):
    """A directory for each test, where it runs the program."""
    program = ""  # set by `main`

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.at = Path(scratch.name)

    def environment(self):
        return clean_environment()

    def start(self, *words, at=None, variables=None):
        return subprocess.Popen(
            [self.program, *map(str, words)], cwd=at or self.at, text=True,
            env=self.environment() | (variables or {}),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def background(self, command, said):
        """A shell's line that goes on; returns once it wrote `said`."""
        log = self.at / f"log-{len(list(self.at.glob('log-*')))}"
        with log.open("w") as out:
            process = subprocess.Popen(
                shlex.split(command), cwd=self.at, env=self.environment(),
                stdout=out, stderr=out, start_new_session=True)
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.send_signal, signal.SIGKILL)
        wait_until(command, lambda: said in log.read_text())
        return process

    def brewery(self, *words, **how):
        process = self.start(*words, **how)
        try:
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def ok(self, *words, **how):
        done = self.brewery(*words, **how)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def documents(self, run):
        """Without the run's name, which is in the manifest."""
        return {name: text.replace(f'"run": "{run}"'.encode(), b"")
                for name, text in files_below(self.at / "runs" / run / "kb")
                .items()}


def main(lacking=lambda: ""):
    """FILE PATH_OF_BREWERY [unittest arguments]; status 77 where something is
    lacking, which is then said."""
    CommandCase.program = os.path.abspath(sys.argv.pop(1))
    if missing := lacking():
        print(f"skipped: {missing}")
        sys.exit(77)
    unittest.main()
