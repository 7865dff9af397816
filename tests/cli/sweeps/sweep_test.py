#!/usr/bin/env python3
"""Sweeps of the built `brewery`.

  sweep_test.py PATH_OF_BREWERY [unittest arguments]

The rule throughout: a run of a sweep has the documents, manifest and scores of
the same run alone, byte for byte, however many it shared jobs with, and
whatever was killed meanwhile.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.report_tables import without_times  # noqa: E402
from support.program import (TOY, clean_environment,  # noqa: E402
                             files_below, shared)

BREWERY = ""
SWEEP = """base = "{base}"
seeds = {seeds}
at_once = 3
[set]
search.strategies = ["mcts"]
search.iterations = {iterations}
[[points]]
name = "3x3"
search.max_width = 3
search.max_depth = 3
[[points]]
name = "3x10"
search.max_width = 3
search.max_depth = 10
[[points]]
name = "10x3"
search.max_width = 10
search.max_depth = 3
"""
POINTS = ("3x3", "3x10", "10x3")


def command(*words, scratch=None):
    """`scratch` is where it puts what a kill leaves behind."""
    variables = clean_environment()
    if scratch:
        variables["TMPDIR"] = str(scratch)
    return subprocess.Popen([BREWERY, *map(str, words)], env=variables,
                            text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def results(run):
    """The jobs with a result in a run's log."""
    with sqlite3.connect(f"file:{run / 'events.db'}?mode=ro", uri=True) as log:
        return {key for (key,) in log.execute(
            "SELECT key FROM events WHERE kind = 'job_result'")}


def workers_of(pid):
    """The worker processes of a sweep, by the process tree."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    out = set()
    try:
        for children in listed:
            for child in children.read_text().split():
                words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
                if words[:2] == [b"brewery", b"worker"]:
                    out.add(int(child))
    except (FileNotFoundError, ProcessLookupError):
        pass  # one of them has ended
    return out


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # a worker ends with its sweep


class SweepCase(unittest.TestCase):
    """Plays sweeps of `file` in a directory of the test."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.base = self.root / "base.toml"
        self.base.write_text(TOY, encoding="utf-8")
        self.file = self.write()

    def write(self, seeds=(1, 2), iterations=4):
        file = self.root / "sweep.toml"
        file.write_text(SWEEP.format(base="base.toml", seeds=list(seeds),
                                     iterations=iterations), encoding="utf-8")
        return file

    def finished(self, *words):
        process = command(*words)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        return out

    def sweep(self, name, *options):
        out = self.finished("sweep", self.file, "--out", self.root / name,
                            "--json", *options)
        return json.loads(out.splitlines()[-1])

    def refused(self, *words, code=1):
        process = command(*words)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, err)
        lines = [line for line in err.splitlines() if line]
        self.assertEqual(len(lines), 1, err)
        return lines[0]

    def documents(self, sweep):
        return {run.name: files_below(run / "kb")
                for run in (self.root / sweep).iterdir() if run.is_dir()}

    def tables(self, sweep):
        self.finished("report", self.root / sweep)
        return without_times((self.root / sweep / "report.md").read_text())

    def alone(self, run, into):
        """Plays a run of a sweep again, from its own configuration."""
        self.finished("run", run / "config.toml", "--id", run.name, "--quiet",
                      "--set", f"run.runs_dir={self.root / into}")

    def killed(self, name, words, kills, draw, end):
        """Plays sweeps until so many were killed, each to its end. Their
        names."""
        names, left = [], shared(kills)
        while left > 0:
            names.append(f"{name}-{len(names)}")
            out = self.root / names[-1]
            while True:
                resume = ["--resume"] if (out / "sweep.json").exists() else []
                process = command("sweep", self.file, "--out", out, "--quiet",
                                  *words, *resume, scratch=self.root)
                if left == 0:
                    _, err = process.communicate(timeout=300)
                    self.assertEqual(process.returncode, 0, err)
                    break
                try:
                    _, err = process.communicate(timeout=draw.uniform(0.05, 1))
                    self.assertEqual(process.returncode, 0, err)
                    break
                except subprocess.TimeoutExpired:
                    end(process)
                    process.communicate()
                    left -= 1
        return names

    def with_workers(self):
        self.file.write_text(self.file.read_text(encoding="utf-8").replace(
            "[set]", "[set]\nrun.workers = 2"), encoding="utf-8")

    def end_with_workers(self, draw):
        def end(process):
            """In any order, and sometimes a worker alone, some time before:
            the sweep starts another one."""
            victims = sorted(workers_of(process.pid))
            if victims and draw.random() < 0.5:
                kill(victims.pop(draw.randrange(len(victims))))
                time.sleep(draw.uniform(0, 1.5))
            victims.append(process.pid)
            for pid in draw.sample(victims, len(victims)):
                kill(pid)

        return end


class SweepTest(SweepCase):
    def test_runs_of_a_sweep_are_what_they_are_alone(self):
        self.sweep("together")
        for run in sorted((self.root / "together").iterdir()):
            if run.is_dir():
                self.alone(run, "alone")
        together = self.documents("together")
        self.assertEqual(len(together), 6)
        self.assertEqual(together, self.documents("alone"))
        for run in together:
            # Each log has all that its run needs.
            self.assertEqual(results(self.root / "together" / run),
                             results(self.root / "alone" / run))

    def test_runs_that_reuse_rollouts_are_what_they_are_alone(self):
        self.file.write_text(self.file.read_text(encoding="utf-8").replace(
            "[set]", '[set]\neconomy.reuse = "run"'), encoding="utf-8")
        self.sweep("together")
        for run in sorted((self.root / "together").iterdir()):
            if run.is_dir():
                self.alone(run, "alone")
        self.assertEqual(self.documents("together"), self.documents("alone"))

    def test_points_with_other_embedders_share_no_vectors(self):
        text = self.write(seeds=(1,), iterations=2).read_text(encoding="utf-8")
        for width, size in (("3x3", 256), ("3x10", 16), ("10x3", 16)):
            text = text.replace(f'name = "{width}"', f'name = "{width}"\n'
                                f"embedder.dimensions = {size}")
        self.file.write_text(text.replace(
            "[set]", '[set]\neconomy.reuse = "run"\nretrieval.kind = "dense"\n'
            "retrieval.top_k = 1"), encoding="utf-8")
        self.sweep("together")
        for run in sorted((self.root / "together").iterdir()):
            if run.is_dir():
                self.alone(run, "alone")
        self.assertEqual(self.documents("together"), self.documents("alone"))

    def test_points_with_other_integrators_share_no_documents(self):
        text = self.write(seeds=(1,), iterations=2).read_text(encoding="utf-8")
        for width, how in (("3x3", "max_rules = 1"), ("3x10", "max_rules = 2"),
                           ("10x3", 'drafts = "varied"')):
            text = text.replace(f'name = "{width}"', f'name = "{width}"\n'
                                f"integrator.{how}")
        self.file.write_text(text, encoding="utf-8")
        self.sweep("together")
        for run in sorted((self.root / "together").iterdir()):
            if run.is_dir():
                self.alone(run, "alone")
        self.assertEqual(self.documents("together"), self.documents("alone"))

    def test_what_points_have_in_common_is_played_once(self):
        made = self.sweep("s")
        state = json.loads((self.root / "s" / "sweep.json").read_text())
        self.assertEqual([p["name"] for p in state["points"]], list(POINTS))
        runs = [run for point in state["points"] for run in point["runs"]]
        self.assertEqual({run["state"] for run in runs}, {"finished"})
        # The first rollouts and the test without documents, at the least: of
        # 24 tasks each, for the second and the third point of both seeds.
        self.assertGreaterEqual(made["rollouts_shared"],
                                2 * 2 * (24 * 10 + 24 * 2))
        # And nothing twice.
        logs = [results(self.root / "s" / run["run"]) for run in runs]
        again = sum(map(len, logs)) - len(set().union(*logs))
        self.assertLessEqual(made["rollouts_shared"], again)
        self.assertEqual(self.sweep("s")["rollouts_shared"], 0)

    def test_a_sweep_without_its_state_is_made_anew_from_its_runs(self):
        self.sweep("s")
        state = self.root / "s" / "sweep.json"
        before = json.loads(state.read_text())
        for damage in (lambda: state.write_text('{"points'), state.unlink):
            damage()
            if state.exists():
                self.assertIn("--resume makes it anew", self.refused(
                    "sweep", self.file, "--out", self.root / "s"))
            self.sweep("s", "--resume")
            after = json.loads(state.read_text())
            for points in (before, after):  # what this session took
                for point in points["points"]:
                    for run in point["runs"]:
                        run.pop("seconds", None)
            self.assertEqual(after, before)

    def test_points_one_after_another_share_too(self):
        beside = self.sweep("beside")
        self.file.write_text(self.file.read_text(encoding="utf-8").replace(
            "at_once = 3", "at_once = 1"), encoding="utf-8")
        after = self.sweep("after")
        self.assertEqual(after["rollouts_shared"], beside["rollouts_shared"])
        self.assertEqual(self.documents("after"), self.documents("beside"))

    def test_a_killed_sweep_goes_on_to_the_same_bytes(self):
        self.sweep("whole")
        for name in self.killed("killed", [], 20, random.Random(5),
                                lambda process: process.kill()):
            self.assertEqual(self.documents(name), self.documents("whole"))
            self.assertEqual(self.tables(name), self.tables("whole"))

    def test_worker_processes_make_the_documents_of_threads(self):
        self.sweep("threads")
        self.with_workers()
        process = command("sweep", self.file, "--out", self.root / "workers",
                          "--quiet")
        seen = set()
        while process.poll() is None:
            seen |= workers_of(process.pid)
            time.sleep(0.005)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(len(seen), 2)
        self.assertEqual(self.documents("workers"), self.documents("threads"))
        for run in (self.root / "workers").glob("*-s*"):
            self.assertEqual(results(run),
                             results(self.root / "threads" / run.name))

    def test_a_sweep_killed_with_its_workers_goes_on_to_the_same_bytes(self):
        self.sweep("whole")
        self.with_workers()
        draw = random.Random(6)
        for name in self.killed("killed", [], 20, draw,
                                self.end_with_workers(draw)):
            self.assertEqual(self.documents(name), self.documents("whole"))
            self.assertEqual(self.tables(name), self.tables("whole"))

    def test_workers_that_cannot_serve_all_points_are_refused(self):
        text = self.file.read_text(encoding="utf-8").replace(
            "at_once = 3", "at_once = 3\nsame_data = false")
        self.file.write_text(
            text + "environment.max_train_tasks = 4\n", encoding="utf-8")
        self.with_workers()
        line = self.refused("sweep", self.file, "--out", self.root / "s",
                            code=2)
        self.assertIn("point 10x3: run.workers: ", line)
        self.assertFalse((self.root / "s").exists())

    def test_a_stopped_sweep_says_how_to_go_on(self):
        words = ["sweep", self.file, "--out", self.root / "s", "--quiet"]
        process = command(*words)
        state = self.root / "s" / "sweep.json"
        while process.poll() is None and not state.exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the sweep was faster than the signal")
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("--resume", err)
        self.assertIn("--resume", self.refused(*words))
        self.finished(*words, "--resume")

    def test_a_finished_sweep_is_extended(self):
        self.sweep("s")
        self.file = self.write(seeds=(1, 2, 3), iterations=6)
        self.sweep("s")
        self.sweep("fresh")
        self.assertEqual(len(self.documents("s")), 9)
        self.assertEqual(self.documents("s"), self.documents("fresh"))

    def test_a_changed_base_is_for_another_directory(self):
        self.sweep("s")
        self.base.write_text(TOY.replace("initial_trials = 10",
                                         "initial_trials = 9"),
                             encoding="utf-8")
        line = self.refused("sweep", self.file, "--out", self.root / "s",
                            code=2)
        self.assertIn("search.initial_trials = 10, and now 9", line)
        self.assertTrue(line.endswith("or the sweep another --out"), line)

    def test_seeds_of_a_sweep_learn_from_the_same_tasks(self):
        self.base.write_text(TOY.replace('eval_split = "eval"', ""),
                             encoding="utf-8")
        self.sweep("s")
        for run in ("3x3-s1", "3x3-s2"):
            text = (self.root / "s" / run / "config.toml").read_text()
            self.assertIn("hold_out_seed = 7", text)

    def test_an_estimate_says_that_finished_runs_are_in_it(self):
        self.sweep("known")
        process = command("sweep", self.file, "--out", self.root / "known",
                          "--estimate")
        err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("note: 6 runs are finished in", err)

    def test_an_estimate_runs_nothing(self):
        out = self.finished("sweep", self.file, "--estimate")
        self.assertIn("6: 3 points with 2 seeds", out)
        self.assertIn("none: nothing to pay for", out)
        made = json.loads(self.finished("sweep", self.file, "--estimate",
                                        "--json"))
        # Of each seed two more points have the first rollouts and the test
        # without documents, of 24 tasks each.
        for all, alone in zip(made["rollouts"], made["rollouts_alone"]):
            self.assertEqual(alone - all, 2 * 2 * (24 * 10 + 24 * 2))
        self.assertEqual(sorted(p.name for p in self.root.iterdir()),
                         ["base.toml", "sweep.toml"])

    def test_a_bad_file_is_one_line_and_writes_nothing(self):
        for old, new, says in (
                ("at_once = 3", "at_wonce = 3", "sweep.toml:3: at_wonce"),
                ("search.max_width = 10", "search.max_width = 0",
                 "sweep.toml:17: search.max_width: 0 is not"),
                ("search.max_width = 10", 'environment.kind = "toy"',
                 "sweep.toml:17: environment.kind: points would differ"),
                ("[1, 2]", "[1, 1]", "sweep.toml:2: seeds: 1 is there twice"),
                ("base.toml", "gone.toml", "sweep.toml:1: base: "),
                ("[[points]]", "[grid]\nsearch.iterations = []\n[[points]]",
                 "sweep.toml:8: search.iterations: ")):
            text = self.file.read_text(encoding="utf-8")
            bad = self.root / "bad" / "sweep.toml"
            bad.parent.mkdir(exist_ok=True)
            (bad.parent / "base.toml").write_text(TOY, encoding="utf-8")
            bad.write_text(text.replace(old, new, 1), encoding="utf-8")
            line = self.refused("sweep", bad, "--out", self.root / "s", code=2)
            self.assertIn(says, line)
            self.assertFalse((self.root / "s").exists())


if __name__ == "__main__":
    BREWERY = sys.argv.pop(1)
    unittest.main()
