"""The grader as a program: hostile answers, and what it finds in goldens."""

import os
import unittest
import zipfile

from grade_testing import SHEET, Case
from support import bomb, edited, workbook


class Answers(Case):
    def test_the_hello_says_what_reads_the_workbooks(self):
        self.assertEqual(set(self.grader.hello), {"grader", "openpyxl", "isolation",
                                            "rungs", "users"})

    def test_the_first_difference_is_told_with_its_cell(self):
        answer = workbook(self.here / "a.xlsx", [["a", 1], ["x", 2], ["c", 3]])
        self.assertEqual(self.why(answer),
                         "Sheet1!A2: expected 'b', got 'x'")

    def test_a_missing_sheet_is_a_failed_grade(self):
        answer = workbook(self.here / "a.xlsx", [["a"]], sheet="sheet1")
        self.assertIn("no sheet 'Sheet1'", self.why(answer))

    def test_what_is_no_workbook_fails_and_says_what_it_is(self):
        with open(self.golden, "rb") as whole:
            content = whole.read()
        (self.here / "directory").mkdir()
        os.symlink(self.golden, self.here / "link")
        os.mkfifo(self.here / "fifo")
        for name, expected in (
                (self.file("empty", b""), "is empty"),
                (self.file("cut", content[:len(content) // 2]), "no .xlsx"),
                (self.file("csv", b"a,1\nb,2\n"), "no .xlsx"),
                (self.file("html", b"<html><table><tr><td>1"), "no .xlsx"),
                (self.file("ole", bytes.fromhex("d0cf11e0a1b11ae1") + b"x" * 99),
                 "encrypted"),
                (self.here / "nowhere", "No such file"),
                (self.here / "link", "symbolic link"),
                (self.here / "fifo", "not a regular file"),
                (self.here / "directory", "not a regular file")):
            with self.subTest(name):
                self.assertIn(expected, self.why(name))

    def test_a_zip_without_a_workbook_fails(self):
        with zipfile.ZipFile(self.here / "zip", "w") as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
        self.assertIn("without a workbook", self.why(self.here / "zip"))

    def test_a_zip_bomb_is_refused_before_it_inflates(self):
        answer = bomb(self.here / "bomb.xlsx", self.golden)
        self.assertLess(answer.stat().st_size, 1 << 20)
        self.assertIn("inflates to", self.why(answer))

    def test_too_many_parts_are_refused(self):
        with zipfile.ZipFile(self.here / "parts", "w") as archive:
            for n in range(5000):
                archive.writestr(f"p{n}", b"")
        self.assertIn("more than 4096 parts", self.why(self.here / "parts"))

    def test_tags_without_end_in_other_parts_are_refused(self):
        # openpyxl makes an object of each text, of each format and so on.
        for part in ("xl/styles.xml", "xl/workbook.xml"):
            with self.subTest(part):
                with zipfile.ZipFile(self.golden) as archive:
                    end = b"</" + archive.read(part).rpartition(b"</")[2]
                answer = edited(self.golden, self.here / "tags.xlsx", part, end,
                                b"<si/>" * 4_000_000 + end)
                self.assertLess(os.path.getsize(answer), 1 << 20)
                self.assertIn("more than 4000000 tags outside of its sheets",
                              self.why(answer))

    def test_merged_cells_without_end_are_refused(self):
        answer = edited(self.golden, self.here / "merged.xlsx", SHEET,
                        b"</sheetData>", b'</sheetData><mergeCells count="1">'
                        b'<mergeCell ref="A1:XFD1048576"/></mergeCells>')
        self.assertIn("more than 1000000 cells", self.why(answer))

    def test_a_value_under_merged_cells_does_not_count(self):
        answer = edited(self.golden, self.here / "merged.xlsx", SHEET,
                        b"</sheetData>", b'</sheetData><mergeCells count="1">'
                        b'<mergeCell ref="A1:B1"/></mergeCells>')
        self.assertIn("B1: expected 1, got nothing", self.why(answer))

    def test_a_formula_without_value_is_an_empty_cell(self):
        answer = workbook(self.here / "f.xlsx",
                          [["a", "=0+1"], ["b", None], ["c", 3]])
        self.assertIn("B1: expected 1, got nothing", self.why(answer))

    def test_a_macro_workbook_by_the_name_of_xlsx_is_read(self):
        answer = edited(
            self.golden, self.here / "macro.xlsx", "[Content_Types].xml",
            b"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main",
            b"vnd.ms-excel.sheet.macroEnabled.main")
        self.assertEqual(self.passes(answer), (True, True))

    def test_entities_that_multiply_are_not_expanded(self):
        levels = b"".join(
            b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10)
            for n in range(1, 12))
        answer = edited(self.golden, self.here / "laughs.xlsx", SHEET,
                        b"<worksheet", b'<!DOCTYPE w [<!ENTITY e0 "ha">'
                        + levels + b"]><worksheet")
        edited(answer, self.here / "laughs2.xlsx", SHEET, b"<sheetData>",
               b'<sheetData><row r="9"><c r="A9" t="str"><v>&e11;</v></c>'
               b"</row>")
        self.assertIn("declares a document type",
                      self.why(self.here / "laughs2.xlsx"))

    def test_a_reused_grader_sees_that_files_have_changed(self):
        answer = workbook(self.here / "a.xlsx", [["z"]])
        self.assertEqual(self.passes(answer), (False, False))
        workbook(self.here / "golden.xlsx", [["z"]])
        self.assertEqual(self.passes(answer), (True, True))


class Inspection(Case):
    def inspect(self, path, position=""):
        return self.grader.ask("inspect", workbook=str(path), position=position)

    def test_facts_about_formulas_and_the_answer(self):
        golden = workbook(self.here / "g.xlsx", [
            ["=NOW()", "=OFFSET(B2,0,0)", '="TODAY()"'], ["=A1", 5, None]])
        facts = self.inspect(golden, "A1:A2")
        self.assertEqual((facts["formulas"], facts["uncached"],
                          facts["volatile"]), (4, 4, ["NOW"]))
        answer = facts["answer"]["official"]
        self.assertEqual(answer["uncached_cells"], ["Sheet1!A1", "Sheet1!A2"])
        self.assertTrue(answer["itself"]["passed"])
        self.assertEqual((answer["cells"], answer["values"]), (2, 0))

    def test_a_golden_that_holds_nan_does_not_equal_itself(self):
        golden = workbook(self.here / "g.xlsx", [["nan"]])
        facts = self.inspect(golden, "A1")
        self.assertFalse(facts["answer"]["official"]["itself"]["passed"])

    def test_functions_of_time_and_chance_are_found_wherever_they_hide(self):
        golden = workbook(self.here / "g.xlsx", [
            ["=IF(1,today(),2)", "=RANDBETWEEN(1,6)", "=_xlfn.RANDARRAY(2)",
             '=CELL("filename")', "=BRAND(1)", "=TODAYS", "=INDIRECT(\"A1\")"]])
        self.assertEqual(self.inspect(golden)["volatile"],
                         ["CELL", "RANDARRAY", "RANDBETWEEN", "TODAY"])

    def test_what_does_not_load_says_why(self):
        facts = self.inspect(self.file("bad", b"x"))
        self.assertEqual((facts["loads"], "no .xlsx" in facts["why"]),
                         (False, True))


if __name__ == "__main__":
    unittest.main()
