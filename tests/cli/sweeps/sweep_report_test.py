#!/usr/bin/env python3
"""The report of a sweep: every number of its tables, computed a second time
from the runs' logs.

  sweep_report_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.program import TOY, CommandCase, write_rusty_lock  # noqa: E402
from support.report_tables import (Cell, count, of_markdown,  # noqa: E402
                                   of_page, share, with_interval, wrong_cells)
from support.sweep_figures import mean, on_front, points_of  # noqa: E402

SWEEP = """base = "toy.toml"
seeds = [3, 1, 2]
at_once = 2
[set]
search.iterations = {iterations}
economy.reuse = "run"
eval.leave_one_out = true
[grid]
search.max_width = [1, 3]
search.max_depth = [1, 3]
"""
# Of a program, so without what only embedded environments have.
LOCKS = """base = "lock.toml"
seeds = [1, 2]
[set]
search.iterations = 2
eval.test_trials = 2
[[points]]
name = "narrow"
search.max_width = 1
[[points]]
name = "wide"
search.max_width = 3
"""
PART = """base = "toy.toml"
seeds = [1, 2]
at_once = 2
[set]
search.strategies = ["mcts"]
search.iterations = 1
[[points]]
name = "a"
search.max_width = 1
[[points]]
name = "b"
[[points]]
name = "untested"
search.final_evaluation = false
"""
# Points of two benchmarks, as of the paper's table 1.
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


def duration(seconds):
    for unit, length, most in (("s", 1, 600), ("min", 60, 7200)):
        if seconds < most:
            return Cell(f"# {unit}", seconds / length)
    return Cell("# h", seconds / 3600)


def points_rows(points):
    for number, point in enumerate(points, 1):
        yield [str(number), point.name, with_interval(point.score, "%"),
               with_interval(point.gain, "pp"),
               "first" if number == 1
               else with_interval(point.difference(points[0]), "pp"),
               count(len(point.runs)),
               count(sum(len(run.counted) for run in point.runs)),
               count(sum(reused(run) for run in point.runs)),
               count(sum(calls(run) for run in point.runs)), count(0),
               Cell("$#", 0), duration(sum(run.status["seconds"]
                                           for run in point.runs))]


def reused(run):
    return sum(1 for one in run.counted.values() if one.get("reused_from"))


def calls(run):
    return sum(1 for one in run.counted.values() for step in one["steps"]
               if step["tool"])


def growth_rows(points):
    for number, point in enumerate(points, 1):
        grown = [run.grown() for run in point.runs]
        yield [str(number), point.name,
               *(count(sum(one[i] for one in grown)) for i in (0, 1)),
               *(count(max(one[i] for one in grown)) for i in (2, 3))]


def savings_rows(points):
    for number, point in enumerate(points, 1):
        scoring = [run.scoring() for run in point.runs]
        saved = [run.saved() for run in point.runs]
        yield [str(number), point.name,
               *(count(sum(one[what] for one in scoring)) for what in (
                   "asked", "pruned", "resumed", "raced", "rescored",
                   "confirmed")),
               count(sum(reused(run) for run in point.runs)),
               count(sum(one for one, _ in saved)), Cell("$#", 0),
               duration(sum(one for _, one in saved))]


def runs_rows(points):
    for number, point in enumerate(points, 1):
        for run in point.runs:
            yield [str(number), point.name, str(run.seed), run.name,
                   run.status["state"], share(run.score(run.published_arm)),
                   share(run.score(run.without)), count(len(run.counted)),
                   count(reused(run)), count(calls(run)), count(0),
                   Cell("$#", 0),
                   duration(run.status["seconds"])]


def curve_rows(point):
    for iteration, runs, rollouts, *shares in point.curve():
        yield [str(iteration), str(runs), count(rollouts), *map(share, shares)]


def document_rows(points):
    rows = []
    for number, point in enumerate(points, 1):
        for run in point.runs:
            for title, tasks, attempts, grade, gain, alone in run.documents():
                rows.append(
                    [title, str(number), point.name, str(run.seed),
                     count(tasks), count(attempts), share(grade),
                     with_interval(gain, "pp"), with_interval(alone, "pp")])
    # Measured ones first, by size; a sort that keeps the order of equals.
    return sorted(rows, key=lambda row: [
        (not cell.values, -abs(cell.values[0] if cell.values else 0))
        for cell in (row[-1], row[-2])])


def heat_rows(points, widths, depths):
    for depth in depths:
        yield [str(depth), *(share(mean(
            point.score[0] for point in points
            if point.options == {"search.max_width": str(width),
                                 "search.max_depth": str(depth)}))
            for width in widths)]


class SweepReport(CommandCase):
    def expect(self, caption, rows):
        """Of the page, and of the Markdown where that has it."""
        self.expected.add(caption)
        rows = list(rows)
        for name, tables in (("page", self.page), ("text", self.text)):
            if name == "page" or caption in tables:
                self.assertIn(caption, tables, name)
                bad = wrong_cells(rows, tables[caption])
                self.assertFalse(bad, f"{name}, {caption}: " + "\n".join(bad))

    def check(self, sweep):
        self.ok("report", sweep)
        self.page = of_page((self.at / sweep / "report.html").read_text())
        self.text = of_markdown((self.at / sweep / "report.md").read_text())
        self.expected = set()
        points = points_of(self.at / sweep)
        first = points[0]
        self.expect("Points, in the order of the sweep's file",
                    points_rows(points))
        self.expect("What each point sets",
                    [[str(i), one.name, *one.options.values()]
                     for i, one in enumerate(points, 1)])
        grown = list(growth_rows(points))
        if any(row[3].values[0] for row in grown):
            self.expect("What the searches drew, and how far their trees grew",
                        grown)
        savings = list(savings_rows(points))
        if any(cell.values[0] for row in savings for cell in row[3:10]):
            self.expect("Rollouts that scored versions, and what was saved",
                        savings)
        self.expect("Runs of all points", runs_rows(points))
        self.expect("Scores of points and of their seeds", [
            [str(i), one.name, with_interval(one.score, "%"),
             Cell("; ".join("#: # %" for _ in one.runs),
                  *(number for run in one.runs for number in
                    (run.seed, 100 * run.score(run.published_arm))))]
            for i, one in enumerate(points, 1)])
        places = [(one.rollouts_per_run(), one.score[0]) for one in points]
        self.expect("Mean cost of a run and score", [
            [str(i), one.name, Cell("#", place[0]), share(place[1]),
             "yes" if front else "no"]
            for i, (one, place, front)
            in enumerate(zip(points, places, on_front(places)), 1)])
        curves = [(str(i), one.name, *row) for i, one in enumerate(points, 1)
                  for row in curve_rows(one)]
        self.assertTrue(curves)
        self.expect("Best reward so far against rollouts",
                    [[*row[:5], row[8]] for row in curves])
        self.assertFalse(wrong_cells(curves, self.text[
            "By iteration, means over the runs that reached it"]))
        for i, one in enumerate(points, 1):
            self.expect(f"By iteration, point {i}; test at the end: "
                        f"{100 * one.score[0]:.1f} %", curve_rows(one))
        rows = document_rows(points)
        if not any(row[-1].values for row in rows):
            rows = [row[:-1] for row in rows]
        self.expect("Documents, by the size of their contribution"
                    if len(rows[0]) == 9 else
                    "Documents, by the size of their gain", rows)
        best = max(points, key=lambda one: one.score[0])
        said = (self.at / sweep / "report.md").read_text()
        self.assertIn(f"on sealed tasks is {100 * best.score[0]:.1f} % (95 % "
                      f"interval {100 * best.score[1]:.1f} to ", said)
        return points

    def test_every_number_is_that_of_the_logs(self):
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "sweep.toml").write_text(SWEEP.format(iterations=2))
        self.ok("sweep", "sweep.toml", "--out", "out")
        (self.at / "sweep.toml").write_text(SWEEP.format(iterations=4))
        self.ok("sweep", "sweep.toml", "--out", "out", "--resume")
        points = self.check("out")
        self.expect("Score by width (columns) and depth (rows)",
                    heat_rows(points, (1, 3), (1, 3)))
        self.assertEqual(self.expected, set(self.page))
        # Two trials at a task: no document was shown in more attempts.
        self.assertTrue(any(attempts == 2 * tasks > 0 for one in points
                            for run in one.runs
                            for _, tasks, attempts, *_ in run.documents()))

    def test_attempts_without_a_grade_do_not_count(self):
        write_rusty_lock(self.at)
        (self.at / "sweep.toml").write_text(LOCKS)
        (self.at / "broken").write_text("lock-00 lock-02 lock-05 lock-08")
        self.ok("sweep", "sweep.toml", "--out", "out")
        points = self.check("out")
        self.assertTrue(any(one["outcome"] for point in points
                            for run in point.runs
                            for one in run.counted.values()))
        (self.at / "broken").write_text("none")
        for seed in (0, 1):  # after the first, seeds have grades at other tasks
            for point in points:
                self.ok("resume", f"out/{point.runs[seed].name}",
                        "--retry-failed")
            again = self.check("out")
            self.assertEqual(seed == 1, len({
                frozenset(run.published_arm) for run in again[0].runs}) == 1)
        for before, after in zip(points, again):
            for one, other in zip(before.runs, after.runs):
                self.assertLess(len(one.published_arm),
                                len(other.published_arm))

    def test_points_of_several_benchmarks_are_rows_by_method(self):
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "both.toml").write_text(BOTH)
        self.ok("sweep", "both.toml", "--out", "both", "--quiet")
        self.ok("report", "both")
        table = (self.at / "both/report.md").read_text().partition(
            "## Methods by benchmark")[2].partition("##")[0]
        self.assertRegex(table, r"\| method \| toy \|[^|]*\|[^|]*\| plant \|")
        rows = dict(re.findall(r"(?m)^\| (no-kb|mcts) \| (.*)$", table))
        state = json.loads((self.at / "both/sweep.json").read_text())
        for point in state["points"]:
            method, _, benchmark = point["name"].rpartition("-")
            cells = rows[method].split(" | ")
            score, difference = (cells[:2] if benchmark == "toy"
                                 else cells[3:5])
            run, = point["runs"]
            self.assertIn(f"{100 * run['score']:.1f} %", score)
            gain = 100 * (run["score"] - run["without_documents"])
            self.assertIn("first" if method == "no-kb" else f"{gain:+.1f} pp",
                          difference)

    def test_tables_are_of_what_is_there_and_say_what_is_not(self):
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "part.toml").write_text(PART)
        self.ok("sweep", "part.toml", "--out", "out", "--quiet")
        out = self.at / "out"
        state = json.loads((out / "sweep.json").read_text())
        for name in ("a-s1", "b-s2"):
            (out / name).rename(self.at / name)
        state["points"][1]["runs"][1]["state"] = "waiting"
        (out / "sweep.json").write_text(json.dumps(state))
        # As a run is that failed before its test.
        failed = out / "untested-s1" / "status.json"
        failed.write_text(json.dumps(json.loads(failed.read_text()) | {
            "state": "failed", "reason": "no key"}))
        left_out = [
            "left out: a-s1: is gone: sweep.json says finished, and it has no "
            "folder",
            "left out: b-s2: has not begun",
            "left out: untested-s1: failed: no key",
            "left out: untested-s2: the run has no final evaluation, as its "
            "configuration says: `brewery eval` measures its documents"]
        lines = self.ok("compare", "out").splitlines()
        self.assertEqual(lines[-4:], left_out)
        made = json.loads(self.ok("compare", "out", "--json"))
        self.assertEqual([(one["name"], one["runs"])
                          for one in made["contenders"]], [("a", 1), ("b", 1)])
        self.assertEqual([one["run"] for one in made["left_out"]],
                         ["a-s1", "b-s2", "untested-s1", "untested-s2"])
        self.ok("report", "out")
        said = (out / "report.md").read_text()
        self.assertIn("1 run has not begun", said)
        self.assertIn("1 run is not here, and the numbers are those of the "
                      "rest: a-s1 is gone", said)
        # Nobody named the baseline; then a run that has nothing is named.
        (out / "a-s2").rename(self.at / "a-s2")
        lines = self.ok("compare", "out").splitlines()
        self.assertIn("The first point, a, has no run that can be compared: "
                      "differences are to b.", lines)
        for words in (("u=out/untested-s1", "out"), ("out/untested-s1",)):
            done = self.brewery("compare", *words)
            self.assertEqual(
                (done.returncode, done.stderr),
                (1, "brewery: run untested-s1: failed: no key\n"))
        # After one that can be compared it is an error beside the table.
        done = self.brewery("compare", "out", "out/untested-s1")
        self.assertEqual((done.returncode, done.stderr),
                         (1, "brewery: run untested-s1: failed: no key\n"))
        self.assertIn("differences are to b.", done.stdout)
        (out / "b-s1").rename(self.at / "b-s1")
        done = self.brewery("compare", "out")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_name_of_nothing_is_named(self):
        for command in ("report", "compare"):
            done = self.brewery(command, "nosuch")
            self.assertEqual(done.returncode, 1)
            self.assertIn("no sweep nosuch, and no run 'nosuch'", done.stderr)

    def test_a_place_to_write_must_be_known(self):
        (self.at / "toy.toml").write_text(TOY)
        self.ok("run", "toy.toml", "--id", "one", "--quiet")
        done = self.brewery("report", "a=one")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--out DIRECTORY", done.stderr)
        done = self.brewery("report", "a=none", "--out", "x")
        self.assertEqual(done.returncode, 1)
        self.assertIn("none", done.stderr)
        self.assertFalse((self.at / "x").exists())

    def test_a_report_of_something_else_is_not_replaced(self):
        (self.at / "toy.toml").write_text(TOY)
        self.ok("run", "toy.toml", "--id", "one", "--quiet")
        own = self.at / "runs" / "one" / "report.md"
        before = own.read_text()
        done = self.brewery("report", "a=one", "--out", "runs/one")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is not the report of a sweep", done.stderr)
        self.assertEqual(own.read_text(), before)
        self.assertFalse(own.with_suffix(".html").exists())
        for _ in range(2):  # one of its own is
            self.ok("report", "a=one", "--out", "x")
        done = self.brewery("compare", "a=one,one")
        self.assertEqual(done.returncode, 2)
        self.assertIn("are both of seed", done.stderr)


if __name__ == "__main__":
    program.main()
