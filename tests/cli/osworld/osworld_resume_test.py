#!/usr/bin/env python3
"""A run on real desktops of which a desktop, a worker and, twice, the whole
program are killed, and which is continued: the documents are those of an
undisturbed run, byte for byte, and nothing of a killed program is left.

  osworld_resume_test.py PATH_OF_BREWERY [unittest arguments]
"""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).resolve().parents[1]),
                str(ROOT / "envs/osworld/python/tests")]
from desktop import missing  # noqa: E402
from support.program import CommandCase, main, wait_until

PATIENCE_S = 120
# With this seed one of the first attempts meets its task, and each of them tries
# commands alone: what a menu shows in time is up to the machine.
CONFIG = """
[run]
seed = 1
threads = 2
[environment]
kind = "osworld"
data = "tasks"
eval_split = "eval"
[environment.osworld]
provider = "local"
desktops = 2
spares = 0
observation = "a11y_tree"
steps = 200
start_pause_ms = 100
action_pause_ms = 150
grade_pause_ms = 500
wait_ms = 300
[search]
initial_trials = 2
iterations = 1
candidates = 1
final_evaluation = false
[eval]
min_per_concept = 1
[agent]
max_calls = 200
explore_writes = 2
"""
KINDS = {"train": ("folder", "delete"), "eval": ("folder",),
         "test": ("folder",)}


def below(pid):
    """[(pid, words)] of all processes below one."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text().rsplit(")", 1)[1].split()
            if int(parent[1]) == pid:
                words = (process / "cmdline").read_bytes().split(b"\0")
                found += [(int(process.name), words), *below(
                    int(process.name))]
        except (OSError, ValueError):
            pass
    return found


def handles(processes):
    """Descriptors of processes that are still there; see `ended`."""
    found = []
    for pid, _ in processes:
        try:
            found.append(os.pidfd_open(pid))
        except OSError:
            pass
    return found


def ended(handle):
    try:
        signal.pidfd_send_signal(handle, 0)
        return False
    except ProcessLookupError:
        return True


class DesktopRuns(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "c.toml").write_text(CONFIG)
        tasks = ROOT / "examples/osworld/examples/os"
        (self.at / "tasks/examples").mkdir(parents=True)
        (self.at / "tasks/examples/os").symlink_to(tasks)
        for split, kinds in KINDS.items():
            listed = json.loads((ROOT / f"examples/osworld/commands-{split}"
                                 ".json").read_text())["os"]
            chosen = [next(name for name in listed if f"command-{kind}-" in
                           (tasks / f"{name}.json").read_text())
                      for kind in kinds]
            (self.at / f"tasks/{split}.json").write_text(
                json.dumps({"os": chosen}))

    def rollouts(self, run):
        try:
            return json.loads((self.at / "runs" / run / "status.json")
                              .read_text())["rollouts"]
        except (OSError, ValueError):
            return 0

    def await_rollouts(self, process, count):
        wait_until(f"{count} rollouts", lambda: self.rollouts("killed")
                   >= count or process.poll() is not None, limit=PATIENCE_S)
        self.assertIsNone(process.poll(), "it ended before it was killed")

    def kill_one(self, process, word):
        """A process below one that has this word among its first ones."""
        def killed():
            for pid, words in below(process.pid):
                if any(word in one for one in words[:2]):
                    # It may have ended since it was listed.
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        return True
            return False
        wait_until(f"a process with {word!r}", killed, limit=PATIENCE_S)

    def kill_all(self, process):
        left = handles(below(process.pid))
        self.assertGreater(len(left), 4)
        process.kill()
        process.communicate()
        wait_until("nothing is left", lambda: all(map(ended, left)),
                   limit=PATIENCE_S)
        for handle in left:
            os.close(handle)

    def test_killed_and_continued_it_learns_the_same(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        whole = self.documents("whole")
        self.assertTrue(any(name.endswith(".md") for name in whole))
        process = self.start("run", "c.toml", "--id", "killed", "--quiet",
                             "--workers", 2)
        self.addCleanup(process.kill)
        self.await_rollouts(process, 1)
        self.kill_one(process, b"bwrap")
        self.await_rollouts(process, 2)
        self.kill_one(process, b"worker")
        self.await_rollouts(process, 3)
        self.kill_all(process)
        process = self.start("resume", "killed", "--quiet")
        self.addCleanup(process.kill)
        self.await_rollouts(process, 5)
        self.kill_all(process)
        self.ok("resume", "killed", "--quiet")
        self.assertEqual(self.documents("killed"), whole)


if __name__ == "__main__":
    main(missing)
