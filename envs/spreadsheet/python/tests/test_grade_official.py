"""The official tasks, as many as there are: goldens against themselves, inputs
against goldens, and parity with what the evaluation does cell by cell."""

import unittest
import warnings
from collections import Counter

import support
import grade_compare
import grade_position
import openpyxl
from support import official_cases, one_case_a_task, shared


def loaded(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(path, data_only=True)


def cell_by_cell(golden, answer, position):
    """The evaluation in the order it does it, by asking openpyxl's sheets for
    one cell after the other. Slow, and independent of how areas are kept."""
    try:
        for area in grade_position.official(position, golden.sheetnames):
            sheets = [book[area.sheet] for book in (golden, answer)]
            for place in area.cells():
                name = grade_position.name_of(*place)
                if not grade_compare.same(*(sheet[name].value
                                            for sheet in sheets)):
                    return False
        return True
    except Exception:
        return False


@support.needs_official_data
class Official(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.grader = shared("grade/grade_server.py")

    def grade(self, task, answer, golden):
        return self.grader.ask("grade", answer=answer, golden=golden,
                               position=task["answer_position"],
                               sheet=task.get("answer_sheet"))

    def test_goldens_equal_themselves_and_inputs_are_graded_as_officially(self):
        seen = Counter()
        # One case is enough to tell that a position is read as officially.
        compared = {golden for _, _, golden in one_case_a_task()}
        for task, source, golden in official_cases():
            with self.subTest(task["id"], golden=golden):
                itself = self.grade(task, golden, golden)
                nothing = self.grade(task, source, golden)
                for reader in ("official", "repaired"):
                    seen[f"golden passes, {reader}"] += itself[reader]["passed"]
                    seen[f"input passes, {reader}"] += nothing[reader]["passed"]
                seen["cases"] += 1
                if (golden not in compared and itself["official"]["passed"]
                        and not nothing["official"]["passed"]):
                    continue
                seen["cell by cell"] += 1
                books = loaded(golden), loaded(source)
                for answer, graded in ((books[0], itself),
                                       (books[1], nothing)):
                    self.assertEqual(
                        graded["official"]["passed"],
                        cell_by_cell(books[0], answer,
                                     task["answer_position"]))
        print("official cases:", dict(seen), flush=True)
        self.assertEqual(seen["golden passes, official"], seen["cases"])
        self.assertEqual(seen["golden passes, repaired"], seen["cases"])
        self.assertLess(seen["input passes, official"], seen["cases"] / 5)

    def test_inspection_reads_every_golden(self):
        seen = Counter()
        for task, _, golden in official_cases():
            facts = self.grader.ask("inspect", workbook=golden,
                                    position=task["answer_position"])
            with self.subTest(golden):
                self.assertTrue(facts["loads"], facts["why"])
                seen["with formulas"] += facts["formulas"] > 0
                seen["with formulas without value"] += facts["uncached"] > 0
                seen["such in the answer"] += (
                    facts["answer"]["official"]["uncached"] > 0)
                seen["volatile"] += bool(facts["volatile"])
        print("official goldens:", dict(seen), flush=True)


if __name__ == "__main__":
    unittest.main()
