"""The grader as a program: hostile answers, bad goldens, bad requests."""

import os
import signal
import unittest
import zipfile

import support
from support import Service, await_end, edited, folder, workbook

SHEET = "xl/worksheets/sheet1.xml"


class Case(unittest.TestCase):
    words = ()

    @classmethod
    def setUpClass(cls):
        cls.grader = Service(cls, "grade_server.py", *cls.words)

    def setUp(self):
        self.here = folder(self)
        self.golden = workbook(self.here / "golden.xlsx",
                               [["a", 1], ["b", None], ["c", 3]])

    def grade(self, answer, position="A1:B3", golden=None):
        return self.grader.ask("grade", answer=str(answer),
                               golden=golden or self.golden, position=position)

    def why(self, answer):
        """Why neither way of grading passes it."""
        reply = self.grade(answer)
        self.assertFalse(reply["official"]["passed"])
        self.assertFalse(reply["repaired"]["passed"])
        self.assertLessEqual(len(reply["official"]["why"]), 200)
        return reply["official"]["why"]

    def passes(self, answer, **more):
        reply = self.grade(answer, **more)
        return (reply["official"]["passed"], reply["repaired"]["passed"])

    def file(self, name, content):
        (self.here / name).write_bytes(content)
        return self.here / name


class Answers(Case):
    def test_the_hello_says_what_reads_the_workbooks(self):
        self.assertEqual(set(self.grader.hello), {"grader", "openpyxl"})

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
        bomb = self.here / "bomb.xlsx"
        with zipfile.ZipFile(self.golden) as good, zipfile.ZipFile(
                bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in good.namelist():
                archive.writestr(name, good.read(name))
            with archive.open("xl/bomb.xml", "w", force_zip64=True) as part:
                for _ in range(300):
                    part.write(bytes(1 << 20))
        self.assertLess(bomb.stat().st_size, 1 << 20)
        self.assertIn("inflates to", self.why(bomb))

    def test_too_many_parts_are_refused(self):
        with zipfile.ZipFile(self.here / "parts", "w") as archive:
            for n in range(5000):
                archive.writestr(f"p{n}", b"")
        self.assertIn("more than 4096 parts", self.why(self.here / "parts"))

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
        self.assertIn("cannot be loaded", self.why(self.here / "laughs2.xlsx"))

    def test_a_reused_grader_sees_that_files_have_changed(self):
        answer = workbook(self.here / "a.xlsx", [["z"]])
        self.assertEqual(self.passes(answer), (False, False))
        workbook(self.here / "golden.xlsx", [["z"]])
        self.assertEqual(self.passes(answer), (True, True))


class Faults(Case):
    words = ("--deadline-ms", "1000")

    def test_a_bad_golden_is_an_error_not_a_grade(self):
        for golden in (self.here / "nowhere.xlsx", self.file("bad", b"x")):
            reply = self.grade(self.golden, golden=str(golden))
            self.assertIn("golden", reply["error"])
            self.assertNotIn("official", reply)

    def test_requests_that_make_no_sense_are_answered_by_name(self):
        for fields, expected in (
                ({"op": "dance"}, "op"), ({"op": "grade"}, "answer"),
                ({"op": "grade", "answer": "relative.xlsx"}, "answer"),
                ({"op": "grade", "answer": "/a", "golden": 7}, "golden"),
                ({"op": "grade", "answer": "/a", "golden": "/b"}, "position"),
                ({"op": "inspect", "workbook": "/a\0b"}, "workbook")):
            with self.subTest(fields):
                self.assertRegex(self.grader.ask(**fields)["error"],
                                 rf"^{expected}:")
        for line in (b"x", b"[]", b"{}", b'{"id":"one"}', b"[" * 100_000):
            self.grader.raw(line)
            self.assertIn("error", self.grader.reply())
        self.assertEqual(self.passes(self.golden), (True, True))

    def test_a_position_that_cannot_be_read_fails_with_its_text(self):
        reply = self.grade(self.golden, position="A1:B2, C3")
        self.assertIn("position", reply["official"]["why"])
        self.assertTrue(reply["repaired"]["passed"])

    def test_an_answer_that_takes_too_long_fails_and_the_next_is_graded(self):
        # Below every limit of size, and seconds of work.
        rows = b"".join(b'<row r="%d">%s</row>' % (
            r, b"".join(b'<c r="%s%d"><v>1</v></c>' % (c, r)
                        for c in (b"A", b"B", b"C", b"D", b"E", b"F", b"G")))
            for r in range(10, 40_000))
        slow = edited(self.golden, self.here / "slow.xlsx", SHEET,
                      b"</sheetData>", rows + b"</sheetData>")
        self.assertIn("not read within 1000 ms", self.why(slow))
        self.assertEqual(self.passes(self.golden), (True, True))

    def test_a_killed_child_costs_one_reply_at_most(self):
        self.assertEqual(self.passes(self.golden), (True, True))
        for child in children(self.grader.process.pid):
            os.kill(child, signal.SIGKILL)
        # Nothing had been read yet: an error, which may be asked again.
        self.assertIn("error", self.grade(self.golden))
        self.assertEqual(self.passes(self.golden), (True, True))

    def test_its_child_ends_with_it_however_that_is(self):
        for killed in (False, True):
            with self.subTest(killed=killed):
                grader = Service(self, "grade_server.py")
                grader.ask("inspect", workbook=self.golden)
                child, = children(grader.process.pid)
                watched = os.pidfd_open(child)
                if killed:
                    grader.process.kill()
                self.assertEqual(grader.end(), -9 if killed else 0)
                await_end([watched])


class Memory(Case):
    words = ("--memory-mb", "240")

    def test_an_answer_that_needs_too_much_memory_fails(self):
        cells = b"".join(b'<row r="%d"><c r="A%d" t="str"><v>%d</v></c></row>'
                         % (r, r, r) for r in range(10, 250_000))
        large = edited(self.golden, self.here / "large.xlsx", SHEET,
                       b"</sheetData>", cells + b"</sheetData>")
        self.assertRegex(self.why(large), "memory|ended")
        self.assertEqual(self.passes(self.golden), (True, True))


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


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


if __name__ == "__main__":
    unittest.main()
