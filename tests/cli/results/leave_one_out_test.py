#!/usr/bin/env python3
"""Runs of the built `brewery` that measure what each document contributes.

  leave_one_out_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import random
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import reuse_test
from reuse_test import REUSE, Case, command
from support.log_reader import events

ON = ("--set", "eval.leave_one_out=true")


class LeaveOneOut(Case):
    def section(self, name):
        text = (self.directory(name) / "report.md").read_text()
        _, _, rest = text.partition("## What each document contributes")
        return rest.partition("\n## ")[0]

    def arms(self, name):
        """The last evaluation of each arm, by its name."""
        return {key: arm for _, key, arm in
                events(self.directory(name), "evaluation_record")}

    def test_off_it_plays_and_says_nothing(self):
        expected, plain = self.run_to_end("off")
        self.assertEqual(self.section("off"), "")
        self.assertFalse(any(key.startswith("without")
                             for key in self.arms("off")))
        got, last = self.run_to_end("on", *ON)
        self.assert_same(got, expected)
        self.assertEqual(last["arms"], plain["arms"])

    def test_only_tasks_that_read_a_document_are_played_without_it(self):
        self.run_to_end("shown", *ON)
        arms = self.arms("shown")
        whole = next(arm for key, arm in arms.items()
                     if key.startswith("learned, "))
        manifest = json.loads(
            (self.directory("shown") / "kb" / "manifest.json").read_text())
        hashes = {one["concept"]: one["hash"] for one in manifest["documents"]}
        readers = {}
        tasks = set(whole["tasks"])
        for _, _, answer in events(self.directory("shown"), "job_result"):
            for rollout in answer.get("rollout", ()):
                if rollout["task"] not in tasks:
                    continue
                for record in rollout["retrievals"]:
                    for shown in record["documents"]:
                        readers.setdefault(shown, set()).add(rollout["task"])
        left_out = {key: arm for key, arm in arms.items()
                    if key.startswith("without ")}
        self.assertTrue(left_out)
        for key, arm in left_out.items():
            shown = hashes[int(key.split()[1])]
            self.assertLessEqual(set(arm["tasks"]), readers[shown], key)
            with_it = dict(zip(whole["tasks"], whole["rewards"]))
            gaps = [sum(with_it[task]) / len(with_it[task])
                    - sum(rewards) / len(rewards)
                    for task, rewards in zip(arm["tasks"], arm["rewards"])]
            self.assertIn(f"| {100 * sum(gaps) / len(gaps):+.1f} [",
                          self.section("shown"), key)

    def test_killed_runs_and_reuse_say_the_same(self):
        self.run_to_end("whole", *ON)
        self.run_to_end("reused", *ON, *REUSE)
        self.assertEqual(self.section("reused"), self.section("whole"))
        draw = random.Random(5)
        for number in range(4):
            name = f"killed-{number}"
            process = self.start(name, *ON)
            try:
                process.wait(timeout=draw.uniform(0.3, 2.5))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.communicate()
            if not (self.directory(name) / "events.db").exists():
                continue
            self.finished("resume", self.directory(name))
            self.assertEqual(self.section(name), self.section("whole"))

    def test_an_extended_run_measures_again(self):
        self.run_to_end("long", *ON, "--set", "search.iterations=5")
        self.run_to_end("short", *ON, "--set", "search.iterations=2")
        self.finished("resume", self.directory("short"), "--iterations", "5")
        self.assertEqual(self.section("short"), self.section("long"))


if __name__ == "__main__":
    reuse_test.BREWERY = sys.argv.pop(1)
    unittest.main()
