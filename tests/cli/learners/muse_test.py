#!/usr/bin/env python3
"""Runs that learn with MUSE: what they write, that a kill changes no byte, and
that a memory travels.

  muse_test.py PATH_OF_BREWERY [unittest arguments]

BREWERY_KILLS sets the number of seeded kills (default 6). Runs that are killed
have 1, 2 and 8 threads and 2 worker processes in turn.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.program import TOY, ScratchCase, clean_environment, files_below

BREWERY = ""
WIDTHS = ("run.threads=1", "run.threads=2", "run.threads=8", "run.workers=2")
MUSE = TOY.replace("[search]", '[search]\nlearner = "muse"').replace(
    "initial_trials = 10\n", "").replace(
    'strategies = ["mcts", "greedy"]\n', "").replace("iterations = 4\n", "")


def command(*words):
    return subprocess.Popen([BREWERY, *map(str, words)],
                            env=clean_environment(), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Case(ScratchCase):
    def setUp(self):
        super().setUp()
        self.config.write_text(MUSE)

    def directory(self, name):
        return self.root / name / "run"

    def start(self, name, *options):
        return command("run", self.config, "--id", "run", "--quiet", "--set",
                       f"run.runs_dir={self.root / name}", *options)

    def learn(self, name, *options):
        process = self.start(name, *options)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        return out

    def refused(self, name, *options):
        process = self.start(name, *options)
        _, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        return err

    def unchecked(self, *options):
        """What `config check` says is wrong."""
        process = command("config", "check", self.config, *options)
        out, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        return out + err

    def memory(self, name):
        return files_below(self.directory(name) / "kb")

    def section(self, name):
        """What the report says of the memory."""
        text = (self.directory(name) / "report.md").read_text()
        return text[text.index("## Memory"):]

    def partial(self, name, arm):
        row = re.search(rf"^\| {re.escape(arm)} \|.*$", self.section(name),
                        re.MULTILINE).group(0)
        return float(row.split("|")[4].split("[")[0])


class Learning(Case):
    def test_a_memory_helps_and_is_reported_by_checkpoints(self):
        out = self.learn("first")
        self.assertIn("learned, muse", out)
        self.assertIn("muse, no memory", out)
        self.assertGreater(self.partial("first", "learned, muse"),
                           self.partial("first", "muse, no memory"))
        for iteration in (1, 2, 3):
            self.assertIn(f"| iteration {iteration} |", self.section("first"))
        text = b"".join(self.memory("first").values()).decode()
        self.assertIn("# Application: ", text)
        self.assertIn("# Tools", text)
        listed = command("runs", "--runs-dir", self.root / "first", "--json")
        run = json.loads(listed.communicate(timeout=60)[0])
        self.assertEqual((run["iteration"], run["iterations"]), (3, 3))

    def test_threads_batches_and_processes_learn_alike(self):
        self.learn("one", "--set", "run.threads=1", "--set", "muse.batch=4")
        for name, options in (("eight", ["run.threads=8"]),
                              ("workers", ["run.workers=2"])):
            self.learn(name, "--set", options[0], "--set", "muse.batch=4")
            self.assertEqual(self.memory(name), self.memory("one"))
            self.assertEqual(self.section(name), self.section("one"))

    def test_a_kill_at_any_moment_changes_no_byte(self):
        began = time.monotonic()
        self.learn("whole")
        seconds = time.monotonic() - began
        draw = random.Random(14)
        kills = int(os.environ.get("BREWERY_KILLS", "6"))
        done = played = 0
        # Every width has its turn, however few kills meet a run.
        while done < kills or played < len(WIDTHS):
            name = f"killed-{played}"
            width = ("--set", WIDTHS[played % len(WIDTHS)])
            played += 1
            process = self.start(name, *width)
            for _ in range(3):
                try:
                    process.wait(timeout=draw.uniform(0.02, seconds))
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    done += 1
                process.communicate()
                if (self.directory(name) / "events.db").exists():
                    process = command("resume", self.directory(name))
                else:
                    shutil.rmtree(self.root / name, ignore_errors=True)
                    process = self.start(name, *width)
            _, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, err)
            self.assertEqual(self.memory(name), self.memory("whole"))
            self.assertEqual(self.section(name), self.section("whole"))
            shutil.rmtree(self.root / name)

    def test_a_memory_travels_byte_for_byte(self):
        self.learn("from")
        self.learn("to", "--set", "muse.iterations=0", "--set",
                   f"muse.memory={self.directory('from') / 'kb'}")

        def texts(name):
            return [text for file, text in sorted(self.memory(name).items())
                    if file.endswith(".md")]
        bodies = [[re.sub(rb"(?s)\A---.*?\n---\n", b"", text)
                   for text in texts(name)] for name in ("from", "to")]
        self.assertEqual(bodies[0], bodies[1])
        self.assertEqual(self.partial("to", "learned, muse"),
                         self.partial("from", "learned, muse"))

    def test_without_grades_only_what_is_usual_is_learned(self):
        self.learn("blind", "--set", "muse.grades=never")
        text = b"".join(self.memory("blind").values()).decode()
        self.assertIn("Most tasks begin with", text)
        self.assertNotIn("attempts with it", text)
        self.assertNotIn("Done when", text)
        self.assertIn("Lessons are drawn from grades of train tasks: no",
                      self.section("blind"))


class Refusals(Case):
    def test_a_directory_that_is_no_memory(self):
        (self.root / "kb").mkdir()
        page = self.root / "kb" / "00-a.md"
        setting = f"muse.memory={self.root / 'kb'}"
        for above in ("", "---\ntitle: Board\n---\n"):
            page.write_text(above + "# Board\n\nToggle it.\n")
            line = above.count("\n") + 1
            for said in (self.refused("bad", "--set", setting),
                         self.unchecked("--set", setting)):
                self.assertIn(f"{page}:{line}: no document of a memory: the "
                              "first line is no title", said)

    def test_a_memory_that_neither_is_nor_learns(self):
        self.assertIn("set muse.memory",
                      self.unchecked("--set", "muse.iterations=0"))

    def test_roles_that_cannot_plan(self):
        self.assertIn('"muse" needs agent.kind',
                      self.refused("bad", "--set", "agent.kind=scripted",
                                   "--set", "agent.script=/tmp"))


if __name__ == "__main__":
    BREWERY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
