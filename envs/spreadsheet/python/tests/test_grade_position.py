"""Positions in every form the official data has, read in both ways."""

import unittest

import support  # noqa: F401
import openpyxl
from grade_position import PositionError, official, repaired

SHEETS = ["First", "Sheet1", "Data Table", "Sub CO's", "b2b, sez, de",
          "Received", " Edge ", "\u0648\u0631\u0642\u06291", "A1, B2"]

# (position, official, repaired): areas as text, or None when it cannot be read
FORMS = [
    ("A1:B9", "First!A1:B9", "First!A1:B9"),
    ("D10", "First!D10:D10", "First!D10:D10"),
    ("'Sheet1'!A1:B9", "Sheet1!A1:B9", "Sheet1!A1:B9"),
    ("'Sheet1'!F4", "Sheet1!F4:F4", "Sheet1!F4:F4"),
    ("Sheet1!A1:B9", "Sheet1!A1:B9", "Sheet1!A1:B9"),
    # A quote too few, or round the wrong thing.
    ("Sheet1'!A1:B9", "Sheet1!A1:B9", "Sheet1!A1:B9"),
    ("'Sheet1!'A1:D1", "Sheet1!A1:D1", "Sheet1!A1:D1"),
    ("'Sheet1!A1:AB7'", "Sheet1!A1:AB7", "Sheet1!A1:AB7"),
    ("'Sheet1'!'A2:C150'", "Sheet1!A2:C150", "Sheet1!A2:C150"),
    ("\u00a0'Sheet1'!C2:C3", "\u00a0'Sheet1!C2:C3", "Sheet1!C2:C3"),
    ("Sheet1\u2019!C2", "Sheet1\u2019!C2:C2", "Sheet1!C2:C2"),
    ("'Received'!'Received!A1:G16'", None, "Received!A1:G16"),
    # Blanks, case, colons, columns.
    ("G4:G6, G11:G13", None, "First!G4:G6 First!G11:G13"),
    ("'Sheet1'!A1, 'Received'!B2", "Sheet1!A1:A1  'Received!B2:B2",
     "Sheet1!A1:A1 Received!B2:B2"),
    ("K4:k5", "First!K4:AQ5", "First!K4:K5"),
    ("k4", "First!K4:K4", "First!K4:K4"),
    ("$A$1:$B$2", None, "First!A1:B2"),
    ("G12\uff1aJ15", None, "First!G12:J15"),
    ("A:G", None, "First!A1:G-"),
    ("'Sheet1'!A:G,'Received'!B:B", None, "Sheet1!A1:G- Received!B1:B-"),
    # No column at its end: nothing is compared, officially.
    ("'Sheet1'!BD2:308", "Sheet1!BD2:-308", "Sheet1!BD2:BD308"),
    ("B9:A1", "First!B9:A1", "First!A1:B9"),
    ("5:A3", "First!5:A3", None),
    # Several parts: the second one's sheet.
    ("'Sheet1'!F2:F3,G2:G3", "Sheet1!F2:F3 First!G2:G3",
     "Sheet1!F2:F3 Sheet1!G2:G3"),
    ("'Sheet1!'A2:B3,'Received!'A2:D4'", "Sheet1!A2:B3 Received!A2:D4",
     "Sheet1!A2:B3 Received!A2:D4"),
    # Names.
    ("'b2b, sez, de'!A5:V10", None, "b2b, sez, de!A5:V10"),
    ("'Sub CO's'!B4:B11", "Sub CO's!B4:B11", "Sub CO's!B4:B11"),
    ("'Sub CO''s'!B4", "Sub CO''s!B4:B4", "Sub CO's!B4:B4"),
    ("'A1, B2'!C3", "First!A1:A1  B2!C3:C3", "A1, B2!C3:C3"),
    ("'sheet1'!A1", "sheet1!A1:A1", "Sheet1!A1:A1"),
    ("'Edge'!A1", "Edge!A1:A1", " Edge !A1:A1"),
    ("\u0648\u0631\u0642\u06291'!H2:L4", "\u0648\u0631\u0642\u06291!H2:L4",
     "\u0648\u0631\u0642\u06291!H2:L4"),
    ("'Nowhere'!A1", "Nowhere!A1:A1", None),
    # No position at all.
    ("", None, None), (",", None, None), ("A", None, None), ("A1:", None, None),
    ("A1:B2:C3", None, None), ("A0:A2", None, None), ("A1:AAAA2", None, None),
    ("A1!B2!C3", None, None),
]


def told(read, *words):
    try:
        areas = read(*words)
    except PositionError:
        return None
    letter = openpyxl.utils.get_column_letter
    return " ".join(
        f"{a.sheet}!{letter(a.left) if a.left else ''}{a.top}:"
        f"{letter(a.right) if a.right else ''}"
        f"{'-' if a.bottom is None or not a.right else ''}{a.bottom or ''}"
        for a in areas)


class Forms(unittest.TestCase):
    def test_official_reads_each_form_as_the_evaluation_does(self):
        for position, expected, _ in FORMS:
            with self.subTest(position):
                self.assertEqual(told(official, position, SHEETS), expected)

    def test_repaired_reads_each_form_as_it_was_meant(self):
        for position, _, expected in FORMS:
            with self.subTest(position):
                self.assertEqual(told(repaired, position, SHEETS), expected)

    def test_an_empty_range_has_no_cells(self):
        area, = official("'Sheet1'!BD2:308", SHEETS)
        self.assertEqual(list(area.cells()), [])

    def test_a_readable_official_cell_is_one_for_openpyxl_too(self):
        sheet = openpyxl.Workbook().active
        for cell in ("A1", "a1", "$A$1", "$B2", "ZZZ9", "AAAA1", "A", "1",
                     " A1", "A1 ", "A0", "", "A-1", "G12\uff1aJ15"):
            with self.subTest(cell):
                try:
                    sheet[cell].value  # what the evaluation asks for
                    expected = True
                except Exception:
                    expected = False
                self.assertIs(told(official, cell, SHEETS) is not None,
                              expected)


class Defaults(unittest.TestCase):
    def test_repaired_takes_the_answer_sheet_for_a_part_without_one(self):
        for sheet, expected in (("Sheet1", "Sheet1"), ("'sheet1'", "Sheet1"),
                                ("Received,First", "Received"),
                                ("b2b, sez, de", "b2b, sez, de"),
                                ("Elsewhere", "First"), ("", "First")):
            with self.subTest(sheet):
                self.assertEqual(repaired("A1", SHEETS, sheet)[0].sheet,
                                 expected)

    def test_official_ignores_all_but_the_first_sheet(self):
        self.assertEqual(official("A1,B2", SHEETS)[1].sheet, "First")

    def test_more_cells_than_can_be_compared_are_refused(self):
        for read in (official, repaired):
            with self.assertRaisesRegex(PositionError, "at most"):
                read("A1:ZZ99999", SHEETS)


if __name__ == "__main__":
    unittest.main()
