"""Recalculation as a program: its results, and what it refuses."""

import os
import unittest
import zipfile

import support
from recalc_testing import SHEET, Case, value
from support import bomb, edited, workbook


@support.needs_office
class Results(Case):
    def test_the_hello_names_the_version_and_the_isolation(self):
        hello = self.service.hello
        self.assertEqual(hello["recalculation"], 1)
        self.assertRegex(hello["office"], r"^\d+\.\d+")
        self.assertIn(hello["isolation"], ("bubblewrap+landlock+seccomp",
                                           "landlock+seccomp"))

    def test_a_formula_without_a_value_gets_one(self):
        self.works()

    def test_a_stale_value_is_replaced(self):
        source = edited(self.double(), self.here / "stale.xlsx", SHEET,
                        b"<f>A1*2</f><v></v>", b"<f>A1*2</f><v>20</v>")
        self.assertEqual(value(source), 20)
        self.assertEqual(self.recalculate(source)["status"], "ok")
        self.assertEqual(value(self.out), 100)

    def test_a_workbook_without_formulas_is_left_alone(self):
        source = workbook(self.here / "plain.xlsx", [[1]])
        self.assertEqual(self.recalculate(source)["status"], "unchanged")
        self.assertFalse(os.path.exists(self.out))

    def test_new_functions_are_known_as_the_version_has_it(self):
        source = workbook(self.here / "new.xlsx", [
            ["a", 1, '=_xlfn.XLOOKUP("b",A1:A2,B1:B2)'], ["b", 2]])
        self.recalculate(source)
        version = int(self.service.hello["office"].split(".")[0])
        self.assertEqual(value(self.out, "C1"), 2 if version >= 25 else "#NAME?")

    def test_a_macro_workbook_by_the_name_of_xlsx_becomes_one_without(self):
        source = edited(
            self.double(), self.here / "macro.xlsx", "[Content_Types].xml",
            b"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main",
            b"vnd.ms-excel.sheet.macroEnabled.main")
        self.assertEqual(self.recalculate(source)["status"], "ok")
        with zipfile.ZipFile(self.out) as archive:
            self.assertNotIn(b"macroEnabled",
                             archive.read("[Content_Types].xml"))

    def test_the_result_may_take_the_place_of_its_source(self):
        source = self.double()
        os.chmod(source, 0o644)
        if os.geteuid() == 0:
            os.chown(source, 12345, 23456)
        self.out = source
        before = os.stat(source)
        self.assertEqual(self.recalculate(source)["status"], "ok")
        self.assertEqual(value(source), 100)
        after = os.stat(source)
        self.assertEqual((after.st_uid, after.st_gid, after.st_mode),
                         (before.st_uid, before.st_gid, before.st_mode))
        self.assertEqual(os.listdir(self.here), ["double.xlsx"])

    def test_a_link_at_the_target_is_replaced_not_followed(self):
        victim = self.here / "victim"
        victim.write_text("as it was")
        os.symlink(victim, self.out)
        self.works()
        self.assertEqual(victim.read_text(), "as it was")
        self.assertFalse(os.path.islink(self.out))

    def test_requests_at_once_are_answered_one_after_the_other(self):
        numbers = []
        for n in range(6):
            source = self.double(n, f"s{n}.xlsx")
            numbers.append(self.service.send("recalculate", **{
                "in": source, "out": str(self.here / f"o{n}.xlsx")}))
        replies = [self.service.reply() for _ in numbers]
        self.assertEqual([reply["id"] for reply in replies], numbers)
        self.assertEqual([value(self.here / f"o{n}.xlsx") for n in range(6)],
                         [0, 2, 4, 6, 8, 10])

    def test_functions_of_time_and_chance_are_reported(self):
        source = workbook(self.here / "now.xlsx", [["=NOW()", "=RAND()"]])
        self.assertEqual(self.recalculate(source)["volatile"], ["NOW", "RAND"])
        self.assertEqual(self.recalculate(self.double())["volatile"], [])


@support.needs_office
class Refusals(Case):
    def file(self, name, content):
        (self.here / name).write_bytes(content)
        return self.here / name

    def test_what_is_no_workbook_is_invalid(self):
        with open(self.double(), "rb") as whole:
            content = whole.read()
        os.symlink(self.here / "double.xlsx", self.here / "link")
        os.mkfifo(self.here / "fifo")
        for name, expected in (
                (self.file("empty.xlsx", b""), "is empty"),
                (self.file("cut.xlsx", content[:-40]), "no .xlsx"),
                (self.file("csv.xlsx", b"a,=1+1\n"), "no .xlsx"),
                (self.file("html.xlsx", b"<table><tr><td>=1"), "no .xlsx"),
                (self.file("text.xlsx", b"=1+1"), "no .xlsx"),
                (self.file("ole.xlsx", bytes.fromhex("d0cf11e0a1b11ae1")),
                 "encrypted"),
                (self.here / "nowhere.xlsx", "No such file"),
                (self.here / "link", "symbolic link"),
                (self.here / "fifo", "not a regular file"),
                (bomb(self.here / "bomb"), "inflates to")):
            with self.subTest(name):
                reply = self.recalculate(name)
                self.assertEqual(reply["status"], "invalid")
                self.assertIn(expected, reply["detail"])
        self.assertFalse(os.path.exists(self.out))
        self.works()

    def test_a_workbook_that_only_libreoffice_finds_broken_is_invalid(self):
        source = edited(self.double(), self.here / "broken.xlsx",
                        "xl/workbook.xml", b"<sheets>", b"<sheets></oops>")
        reply = self.recalculate(source)
        self.assertEqual(reply["status"], "invalid", reply)
        self.works()

    def test_requests_that_make_no_sense_are_answered_by_name(self):
        good = {"in": "/a", "out": "/b"}
        for fields, expected in (
                ({"op": "dance"}, "op"), ({"op": "recalculate"}, "in"),
                ({"op": "recalculate", "in": "a", "out": "/b"}, "in"),
                ({"op": "recalculate", "in": "/a"}, "out"),
                ({"op": "recalculate", **good, "timeout_ms": 0}, "timeout_ms"),
                ({"op": "recalculate", **good, "timeout_ms": True},
                 "timeout_ms")):
            with self.subTest(fields):
                self.assertRegex(self.service.ask(**fields)["error"],
                                 rf"^{expected}:")
        self.service.raw(b"no json")
        self.assertIn("error", self.service.reply())
        self.works()

    def test_a_target_that_cannot_be_written_is_not_the_workbooks_fault(self):
        reply = self.recalculate(self.double(), out="/nowhere/at/all.xlsx")
        self.assertEqual(reply["status"], "failed")


if __name__ == "__main__":
    unittest.main()
