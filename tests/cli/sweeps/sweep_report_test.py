#!/usr/bin/env python3
"""The report of runs side by side, held against the runs' logs as another
program reads them.

  sweep_report_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.log_reader import events
from support.program import TOY, ScratchCase, clean_environment

BREWERY = ""
BOTH = """base = "toy.toml"
seeds = [7]
same_data = false
[set]
search.strategies = ["mcts"]
search.iterations = 1
environment.plant.machines = 8
environment.plant.families = 2
environment.max_train_tasks = 16
environment.max_eval_tasks = 8
environment.max_test_tasks = 12
[[points]]
name = "no-kb-toy"
search.strategies = []
[[points]]
name = "mcts-toy"
[[points]]
name = "no-kb-plant"
environment.kind = "plant"
search.strategies = []
[[points]]
name = "mcts-plant"
environment.kind = "plant"
"""
HTML = "{http://www.w3.org/1999/xhtml}"


class SweepReport(ScratchCase):
    def brewery(self, *words, code=0):
        done = subprocess.run([BREWERY, *map(str, words)], text=True,
                              env=clean_environment(), capture_output=True,
                              timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def grades(self, run, arm):
        """Mean grade by task, of the arm's last evaluation."""
        record = [content for _, key, content
                  in events(self.root / "runs" / run, "evaluation_record")
                  if key == arm][-1]
        return {task: sum(some) / len(some) for task, some
                in zip(record["tasks"], record["rewards"]) if some}

    def test_numbers_are_those_of_the_logs(self):
        self.config.write_text(TOY)
        points = {"short": "1", "long": "4"}
        for point, iterations in points.items():
            for seed in ("7", "8"):
                self.brewery("run", self.config, "--id", f"{point}-{seed}",
                             "--quiet", "--set", f"run.seed={seed}", "--set",
                             f"run.runs_dir={self.root / 'runs'}", "--set",
                             f"search.iterations={iterations}")
        self.brewery("report", *(f"{point}={point}-7,{point}-8"
                                 for point in points),
                     "--out", self.root / "report", "--runs-dir",
                     self.root / "runs")
        page = (self.root / "report" / "report.html").read_text()
        text = (self.root / "report" / "report.md").read_text()
        tree = ElementTree.fromstring(page.partition("\n")[2])
        shown = " ".join("".join(tree.itertext()).split())
        self.assertFalse(tree.findall(f".//{HTML}script"))
        scores = {}
        for point in points:
            means = []
            for seed in ("7", "8"):
                grades = self.grades(f"{point}-{seed}", "learned, mcts")
                means.append(sum(grades.values()) / len(grades))
            scores[point] = sum(means) / 2
            rollouts = sum(len(answer.get("rollout", ()))
                           for seed in ("7", "8") for _, _, answer in
                           events(self.root / "runs" / f"{point}-{seed}",
                                  "job_result"))
            row = re.search(rf"^\| \d \| \**{point}\** \| .*$", text,
                            re.MULTILINE).group()
            self.assertIn(f"| {100 * scores[point]:.1f} %", row)
            self.assertIn(f"| {rollouts:,} |", row)
            self.assertIn(f"{100 * scores[point]:.1f} %", shown)
        gap = 100 * (scores["long"] - scores["short"])
        self.assertIn(f"{gap:+.1f} pp", text)

    def test_points_of_several_benchmarks_are_rows_by_method(self):
        self.config.write_text(TOY)
        (self.root / "both.toml").write_text(BOTH)
        sweep = self.root / "both"
        self.brewery("sweep", self.root / "both.toml", "--out", sweep,
                     "--quiet")
        self.brewery("report", sweep)
        table = (sweep / "report.md").read_text().partition(
            "## Methods by benchmark")[2].partition("##")[0]
        self.assertRegex(table, r"\| method \| toy \|[^|]*\| plant \|")
        rows = dict(re.findall(r"(?m)^\| (no-kb|mcts) \| (.*)$", table))
        for point in json.loads((sweep / "sweep.json").read_text())["points"]:
            method, _, benchmark = point["name"].rpartition("-")
            cells = rows[method].split(" | ")
            score, difference = cells[:2] if benchmark == "toy" else cells[2:]
            run, = point["runs"]
            self.assertIn(f"{100 * run['score']:.1f} %", score)
            gain = 100 * (run["score"] - run["without_documents"])
            self.assertIn("first" if method == "no-kb" else f"{gain:+.1f} pp",
                          difference)

    def test_a_place_to_write_must_be_known(self):
        self.config.write_text(TOY)
        self.brewery("run", self.config, "--id", "one", "--quiet", "--set",
                     f"run.runs_dir={self.root / 'alone'}")
        said = self.brewery("report", "a=one", "--runs-dir",
                            self.root / "alone", code=2)
        self.assertIn("--out DIRECTORY", said)
        said = self.brewery("report", "a=none", "--runs-dir",
                            self.root / "alone", "--out", self.root / "x",
                            code=1)
        self.assertIn("none", said)
        self.assertFalse((self.root / "x").exists())


if __name__ == "__main__":
    BREWERY = sys.argv.pop(1)
    unittest.main()
