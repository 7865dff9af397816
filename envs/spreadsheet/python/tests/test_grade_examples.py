"""The example tasks: sound, solvable by their cells, and what their generator
writes. Answers with formulas are recalculated as in an episode."""

import contextlib
import filecmp
import io
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import support
from support import ROOT, folder, shared

EXAMPLES = ROOT / "examples/spreadsheets"
TASKS = json.loads((EXAMPLES / "dataset.json").read_text("utf-8"))


def case_files(task, case):
    stem = EXAMPLES / task["spreadsheet_path"] / f"{case}_{task['id']}"
    return f"{stem}_input.xlsx", f"{stem}_answer.xlsx"


def all_cases():
    return [(task, case) for task in TASKS for case in (1, 2, 3)]


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.grader = shared("grade/grade_server.py")

    def passes(self, task, answer, golden):
        grades = self.grader.ask("grade", answer=str(answer), golden=golden,
                                 position=task["answer_position"],
                                 sheet=task["answer_sheet"])
        official, repaired = grades["official"], grades["repaired"]
        self.assertEqual(official["passed"], repaired["passed"], grades)
        return official["passed"]

    def test_there_are_24_tasks_of_eight_families(self):
        self.assertEqual(len(TASKS), 24)
        self.assertEqual(len({task["id"].split("-")[0] for task in TASKS}), 8)

    def test_doing_nothing_fails_and_the_golden_passes_in_every_case(self):
        for task, case in all_cases():
            source, golden = case_files(task, case)
            with self.subTest(task["id"], case=case):
                self.assertFalse(self.passes(task, source, golden))
                self.assertTrue(self.passes(task, golden, golden))

    def test_no_golden_has_formulas_without_value_or_volatile_ones(self):
        for task, case in all_cases():
            facts = self.grader.ask("inspect",
                                    workbook=case_files(task, case)[1],
                                    position=task["answer_position"])
            with self.subTest(task["id"], case=case):
                self.assertEqual((facts["uncached"], facts["volatile"]),
                                 (0, []))
                self.assertEqual(facts["formulas"] > 0,
                                 task["id"].startswith("formulas-"))

    @support.needs_office
    def test_cells_solve_every_case_and_wrong_ones_do_not(self):
        office = shared("recalc_server.py")
        files = sorted((EXAMPLES / "cells").glob("*.json"))
        for turn, file in enumerate(files):
            name, _, wrong = file.stem.partition(".")
            task = next(task for task in TASKS if task["id"] == name)
            # One case is enough for what is wrong not to solve the task.
            for case in (1 + turn % 3,) if wrong else (1, 2, 3):
                source, golden = case_files(task, case)
                workspace = folder(self)
                shutil.copy(source, workspace / "input.xlsx")
                play(json.loads(file.read_text("utf-8")), workspace)
                answer = str(workspace / "output.xlsx")
                with self.subTest(file.stem, case=case):
                    formulas = name.startswith("formulas-")
                    if formulas:
                        # As openpyxl leaves it: no values to be graded.
                        self.assertFalse(self.passes(task, answer, golden))
                    reply = office.ask("recalculate", out=answer,
                                       **{"in": answer})
                    self.assertEqual(reply["status"],
                                     "ok" if formulas else "unchanged")
                    self.assertIs(self.passes(task, answer, golden), not wrong)

    @support.needs_office
    def test_the_committed_files_are_what_the_generator_writes(self):
        out = folder(self)
        subprocess.run([sys.executable, "-B", str(EXAMPLES / "generate.py"),
                        "--out", str(out)], check=True)
        made = {path.relative_to(out) for path in out.rglob("*")
                if path.is_file()}
        there = {path.relative_to(EXAMPLES)
                 for part in ("cells", "spreadsheet")
                 for path in (EXAMPLES / part).rglob("*") if path.is_file()}
        self.assertEqual(made, there | {Path("dataset.json")})
        _, different, lost = filecmp.cmpfiles(out, EXAMPLES, made,
                                              shallow=False)
        self.assertEqual((different, lost), ([], []))


def play(cells, workspace):
    """As a kernel would: one namespace, in the workspace."""
    before, names = os.getcwd(), {}
    os.chdir(workspace)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for code in cells:
                exec(code, names)
    finally:
        os.chdir(before)


if __name__ == "__main__":
    unittest.main()
