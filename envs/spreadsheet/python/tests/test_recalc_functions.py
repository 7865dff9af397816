"""What an agent is told of functions and array formulas holds, cell by cell:
in workbooks as openpyxl writes them, by the office that recalculates them."""

import unittest

import openpyxl

import support
from recalc_testing import Case, value
from support import workbook
import recalc_functions

FIRST = 11


@support.needs_office
class Functions(Case):
    def values(self):
        """Of each function what it gives bare and with its prefix."""
        rows = [list(cells) for cells in recalc_functions.CELLS] + [["=1+1"]]
        rows += [["=" + bare, "=" + prefixed]
                 for _, bare, prefixed in recalc_functions.spellings()]
        source = workbook(self.here / "all.xlsx", rows)
        self.assertEqual(self.recalculate(source)["status"], "ok")
        sheet = openpyxl.load_workbook(self.out, data_only=True).active
        return {prefixed.split("(")[0]: (name, sheet.cell(at, 1).value,
                                         sheet.cell(at, 2).value)
                for at, (name, _, prefixed)
                in enumerate(recalc_functions.spellings(), FIRST)}

    def test_each_function_computes_as_the_hello_says_and_no_other_way(self):
        said = self.service.hello["functions"]
        for spelled, (name, bare, prefixed) in self.values().items():
            with self.subTest(spelled):
                failed = [result is None or str(result).startswith("#")
                          for result in (bare, prefixed)]
                if spelled in said["prefixed"]:
                    self.assertEqual(failed, [True, False])
                elif name in said["unknown"]:
                    self.assertEqual(failed, [True, True])
                else:
                    self.assertFalse(failed[0])

    def test_functions_of_2010_are_among_those_with_a_prefix(self):
        said = self.service.hello["functions"]
        for name in ("AGGREGATE", "STDEV.S", "STDEV.P", "VAR.S", "VAR.P",
                     "RANK.EQ", "PERCENTILE.INC", "PERCENTILE.EXC",
                     "QUARTILE.INC", "MODE.SNGL", "NORM.DIST", "TEXTJOIN"):
            with self.subTest(name):
                self.assertIn("_xlfn." + name, said["prefixed"])
        self.assertIn("VSTACK", said["unknown"])
        for name in ("NETWORKDAYS.INTL", "WORKDAY.INTL"):
            self.assertNotIn("_xlfn." + name, said["prefixed"])

    def test_with_the_prefix_they_give_what_they_should(self):
        found = self.values()
        for spelled, expected in (
                ("_xlfn.AGGREGATE", 45), ("_xlfn.STDEV.S", 7.5 ** 0.5),
                ("_xlfn.VAR.P", 20 / 3), ("_xlfn.RANK.EQ", 7),
                ("_xlfn.PERCENTILE.INC", 4.2), ("_xlfn.QUARTILE.INC", 3),
                ("_xlfn.MODE.SNGL", 2), ("_xlfn.NORM.S.INV", -0.2533471),
                ("_xlfn.MAXIFS", 8), ("_xlfn.BASE", "111"),
                ("_xlfn.TEXTJOIN", "a,b,c"), ("_xlfn.FORMULATEXT", "=1+1")):
            with self.subTest(spelled):
                got = found[spelled][2]
                if isinstance(expected, str):
                    self.assertEqual(got, expected)
                else:
                    self.assertAlmostEqual(got, expected, 6)

    def test_the_probes_own_formulas_are_no_evidence_of_one_cell(self):
        """A name stands once in the table, with arguments."""
        names = [name for name, _, _ in recalc_functions.spellings()]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(all("(" in bare and bare.endswith(")")
                            for _, bare, _ in recalc_functions.spellings()))


@support.needs_office
class Dates(Case):
    def test_dates_up_to_serial_60_are_a_day_before_those_of_excel(self):
        source = workbook(self.here / "days.xlsx", [
            [f'=TEXT({serial},"yyyy-mm-dd")', f"=DAY({serial})"]
            for serial in (1, 59, 60, 61, 62)])
        self.recalculate(source)
        sheet = openpyxl.load_workbook(self.out, data_only=True).active
        self.assertEqual(list(sheet.iter_rows(values_only=True)), [
            ("1899-12-31", 31), ("1900-02-27", 27), ("1900-02-28", 28),
            ("1900-03-01", 1), ("1900-03-02", 2)])


@support.needs_office
class Arrays(Case):
    ROWS = [[n, n] for n in range(1, 10)]

    def summed(self, write):
        source = workbook(self.here / "array.xlsx", self.ROWS)
        book = openpyxl.load_workbook(source)
        write(book.active)
        book.save(source)
        self.assertEqual(self.recalculate(source)["status"], "ok")
        return value(self.out, "C1")

    def test_attributes_of_a_formula_make_it_an_array_in_openpyxl_3_0(self):
        if not openpyxl.__version__.startswith("3.0"):
            self.skipTest(f"openpyxl {openpyxl.__version__}")

        def write(ws):
            ws["C1"] = "=SUM(A1:A9*B1:B9)"
            ws.formula_attributes["C1"] = {"t": "array", "ref": "C1"}
        self.assertEqual(self.summed(write), 285)

    def test_without_them_it_is_another_value(self):
        def write(ws):
            ws["C1"] = "=SUM(A1:A9*B1:B9)"
        self.assertNotEqual(self.summed(write), 285)


if __name__ == "__main__":
    unittest.main()
