#!/usr/bin/env python3
"""What `brewery ui` serves of sweeps, comparisons and knowledge bases is what
`brewery report`, `compare` and `kb search` say.

  ui_pages_api_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import sys
import unittest
from functools import partial
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.page_server import ask, items_of, page_of  # noqa: E402
from support.program import (SWEEP, ScratchCase,  # noqa: E402
                             done_by)
from support.report_tables import of_page  # noqa: E402

BREWERY = os.path.abspath(sys.argv.pop(1))
brewery = partial(done_by, BREWERY)


class Pages(ScratchCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = cls.root / "runs"
        for run, seed in (("first", 5), ("second", 6)):
            brewery("run", cls.config, "--id", run, "--quiet", "--set",
                    f"run.runs_dir={cls.runs}", "--set", f"run.seed={seed}")
        (cls.root / "sweep.toml").write_text(SWEEP)
        cls.sweep = cls.runs / "table"
        brewery("sweep", cls.root / "sweep.toml", "--out", cls.sweep, "--quiet")
        served = page_of(BREWERY, cls.runs)
        cls.page = served.__enter__()
        cls.addClassCleanup(served.__exit__, None, None, None)

    def get(self, path, status=200, page=None):
        answered, _, body = ask(page or self.page, "/api/" + path)
        self.assertEqual(answered, status, (path, body[:300]))
        self.assertLessEqual(len(body), 1 << 20)
        return json.loads(body)

    def read(self, path, page=None):
        """Asked until all runs are read."""
        for _ in range(100):
            if "reading" not in self.get(path, page=page):
                return items_of(page or self.page, "/api/" + path)
        self.fail(path + " is never read")

    def test_a_sweep_is_what_its_report_says(self):
        brewery("report", self.sweep)
        report = (self.sweep / "report.html").read_text()
        points = self.read("sweeps/table")
        head = self.get("sweeps/table")
        self.assertIn(head["headline"].replace('"', "&quot;"), report)
        charts = self.read("sweeps/table/charts")
        self.assertEqual([c["id"] for c in charts[:4]],
                         ["scores", "cost", "heat", "progress"])
        for chart in charts:
            self.assertIn(chart["svg"], report)
        tables = of_page(report)

        def shown(table):
            return [[cell["text"] + (f" ({cell['note']})" if "note" in cell
                                     else "") for cell in row]
                    for row in table["rows"]]
        asked = self.read("sweeps/table/tables")
        for table in asked + [c["numbers"] for c in charts[:4]]:
            self.assertEqual(shown(table), tables[table["caption"]])
        by_name = {row[1]: row for row in tables[
            "Points, in the order of the sweep's file"]}
        for point in points:
            self.assertIn(f"{100 * point['score']['value']:.1f} %",
                          by_name[point["name"]][2])
            self.assertEqual([s["seed"] for s in point["seeds"]], [1, 2, 3])

    def test_runs_of_a_sweep_are_shown_under_its_name(self):
        run = self.read("sweeps/table")[0]["seeds"][0]["run"]
        one = self.get("runs/" + quote("table/" + run, safe=""))
        self.assertEqual(one["id"], "table/" + run)
        with page_of(BREWERY, self.sweep) as page:
            self.assertEqual(self.get("sweeps", page=page)["total"], 1)
            self.read("sweeps/table", page=page)
            self.assertEqual(self.get("sweeps/table?limit=1",
                                      page=page)["prefix"], "")
            self.assertEqual(self.get("runs/" + run, page=page)["id"], run)
        # As it is written by completion in a shell.
        with page_of(BREWERY, f"{self.sweep}/") as page:
            self.assertEqual(self.get("sweeps", page=page)["items"][0]["id"],
                             "table")
            self.read("sweeps/table", page=page)
        with page_of(BREWERY, "--runs-dir", f"{self.runs}/") as page:
            self.assertEqual(
                self.get("compare?runs=first+second", page=page)["runs"],
                [["first"], ["second"]])
        with page_of(BREWERY, self.runs / "first") as page:
            self.assertEqual(self.get("sweeps", page=page)["total"], 0)
        for path in ("sweeps/..", "sweeps/first", "sweeps/table%2f..",
                     "runs/first%2fkb", "runs/table%2f..%2ffirst",
                     "runs/..%2fruns", "sweeps/table/charts/x"):
            self.get(path, 404)

    def test_what_was_read_of_a_sweep_is_read_again_if_it_changes(self):
        folder = self.root / "changes"
        brewery("sweep", self.root / "sweep.toml", "--out", folder, "--quiet")
        with page_of(BREWERY, folder) as page:
            before = self.read("sweeps/changes", page)
            (folder / before[0]["seeds"][0]["run"] / "events.db").unlink()
            self.read("sweeps/changes", page)
            head = self.get("sweeps/changes", page=page)
            self.assertEqual((head["unreadable"], head["finished"]), (1, 11))
            self.assertTrue(any("1 run" in one for one in head["cautions"]))

    def test_a_comparison_is_that_of_brewery_compare(self):
        for words, runs in (("first+second", ("first", "second")),
                            ("x%3Dfirst+y%3Dsecond", ("x=first", "y=second")),
                            ("table", (self.sweep,))):
            said = json.loads(brewery("compare", *runs, "--runs-dir", self.runs,
                                      "--json"))
            made = self.get("compare?runs=" + words)
            self.assertEqual(made["contenders"], said["contenders"])
            tasks = items_of(self.page, "/api/compare?runs=" + words)
            for i, one in enumerate(made["contenders"]):
                grades = [task["grades"][i] for task in tasks]
                self.assertAlmostEqual(sum(grades) / len(grades), one["score"])
                if i:
                    by = [task["differences"][i] for task in tasks]
                    self.assertAlmostEqual(sum(by) / len(by),
                                           one["difference"])
        options = {o["key"]: o["values"]
                   for o in self.get("compare?runs=table")["options"]}
        self.assertEqual(options["search.max_width"], ["1", "1", "3", "3"])
        for query, status in (("", 400), ("runs=", 400), ("runs=%3Dfirst", 400),
                              ("runs=none", 404), ("runs=..%2fruns", 404),
                              ("runs=first&arm=none", 404)):
            self.get("compare?" + query, status)

    def test_a_query_finds_what_brewery_kb_search_finds(self):
        for strategy in ("mcts", "greedy"):
            folder = (self.runs / "first" / "kb" if strategy == "mcts" else
                      self.runs / "first/strategies/greedy/kb")
            for words in ("rack slot", "Light: bright", "toggle_fan", "the"):
                said = [json.loads(line) for line in brewery(
                    "kb", "search", folder, *words.split(), "--limit", 9,
                    "--json").splitlines()]
                found = items_of(self.page, "/api/runs/first/kb?strategy="
                                 f"{strategy}&query={quote(words)}")
                self.assertEqual(
                    [(f["rank"], f["score"], f["concept"]) for f in found],
                    [(s["rank"], s["score"], s["concept"]) for s in said])
        self.assertEqual(self.get("runs/first/kb?query=xyzzy")["total"], 0)
        self.assertEqual(self.get("runs/first/kb")["strategies"],
                         ["mcts", "greedy"])
        listed = items_of(self.page, "/api/runs/first/kb")
        said = [json.loads(line) for line in brewery(
            "kb", "list", self.runs / "first", "--json").splitlines()]
        self.assertEqual([d["title"] for d in listed],
                         [d["title"] for d in said])
        self.get("runs/first/kb?strategy=..", 404)
        self.get("runs/first/kb?query=" + "a" * 5000, 400)


if __name__ == "__main__":
    unittest.main()
