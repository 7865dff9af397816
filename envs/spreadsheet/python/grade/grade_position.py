"""Where the answer is: `answer_position` of a task, read in two ways.

`official` does what the benchmark's own evaluation does, mistakes included: its
scores are only comparable so. `repaired` reads what the author of the task
meant. Both give, for each part, a sheet and a rectangle of cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterator, List, Optional, Sequence, Tuple

from openpyxl.utils import get_column_letter

MAX_CELLS = 1_000_000
MAX_COLUMN, MAX_ROW = 18278, 1048576  # ZZZ, as far as openpyxl goes


class PositionError(Exception):
    """Cannot be read; the official evaluation fails the case then."""


@dataclass(frozen=True)
class Area:
    """Part of a position. `bottom` is None for whole columns."""

    sheet: str
    left: int
    top: int
    right: int
    bottom: Optional[int]

    def cells(self, rows: int = 0) -> Iterator[Tuple[int, int]]:
        """(row, column), column by column. `rows` is where a column ends."""
        bottom = rows if self.bottom is None else self.bottom
        for column in range(self.left, self.right + 1):
            for row in range(self.top, bottom + 1):
                yield row, column

    def count(self) -> int:
        bottom = self.top if self.bottom is None else self.bottom
        return (max(0, self.right - self.left + 1)
                * max(0, bottom - self.top + 1))


def name_of(row: int, column: int) -> str:
    return f"{get_column_letter(column)}{row}"


def official(position: str, sheets: Sequence[str]) -> List[Area]:
    """Commas separate and exclamation marks qualify, inside quotes too; a part
    without a sheet is on the golden's first one."""
    areas = []
    for part in position.split(","):
        sheet, cells = sheets[0], part
        if "!" in part:
            pieces = part.split("!")
            if len(pieces) != 2:
                raise PositionError(f"{part!r} has {len(pieces) - 1} '!'")
            sheet, cells = pieces
        areas.append(_official_area(sheet.strip("'"), cells.strip("'")))
    _check_size(areas)
    return areas


def _official_area(sheet: str, cells: str) -> Area:
    ends = cells.split(":")
    if len(ends) == 1:
        return _one_cell(sheet, cells)
    if len(ends) != 2:
        raise PositionError(f"{cells!r} has {len(ends) - 1} ':'")
    (left, top), (right, bottom) = map(_official_corner, ends)
    area = Area(sheet, left, top, right, bottom)
    # An empty range holds for any answer. Otherwise a column below A has no
    # letters, and what is asked for is a row, which has no value; a row 0, or a
    # column of four letters, is no cell.
    if area.count() and (left < 1 or right > MAX_COLUMN or top < 1
                         or bottom > MAX_ROW):
        raise PositionError(f"{cells!r} has cells that do not exist")
    return area


def _official_corner(text: str) -> Tuple[int, int]:
    """Column and row. All that is no digit is taken for letters of the column,
    counted from 'A': 'k' is column 43, and none at all is column 0."""
    column, digits = 0, ""
    for character in text:
        if character.isdigit():
            digits += character
        else:
            column = column * 26 + ord(character) - ord("A") + 1
    try:
        return column, int(digits)
    except ValueError:
        raise PositionError(f"{text!r} has no row") from None


def _one_cell(sheet: str, cell: str) -> Area:
    """What openpyxl takes for one cell: either case, and dollar signs."""
    found = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?(\d+)", cell)
    if not found or not 1 <= int(found[2]) <= MAX_ROW:
        raise PositionError(f"{cell!r} is not a cell")
    column = _column(found[1])
    return Area(sheet, column, int(found[2]), column, int(found[2]))


_BLANKS = " \t\r\n\u00a0\u2007\u202f\u3000\ufeff"
_QUOTES = "'\"\u2018\u2019\u201a\u201c\u201d\u00b4`"
# One cell, a range (its second column may be missing), or whole columns.
_CELLS = (r"\$?[A-Za-z]{1,3}\$?\d+(?:\s*:\s*\$?[A-Za-z]{0,3}\$?\d+)?"
          r"|\$?[A-Za-z]{1,3}\s*:\s*\$?[A-Za-z]{1,3}")
_END = rf"[{_BLANKS}{_QUOTES}]*(?:,|$)"
_WELL_FORMED = re.compile(rf"[{_BLANKS}]*'((?:[^']|'')+)'!({_CELLS}){_END}")
# The shortest text before cells that end a part, be it quoted right or not.
_LOOSE = re.compile(rf"(?:(.*?)!)?[{_BLANKS}{_QUOTES}]*({_CELLS}){_END}")


def repaired(position: str, sheets: Sequence[str],
             answer_sheet: str = "") -> List[Area]:
    """Knows the golden's sheets. A part without a sheet is on that of the part
    before it, else on the task's answer sheet, else on the golden's first."""
    text = position.replace("\uff1a", ":").replace("\uff0c", ",")
    sheet = _default_sheet(answer_sheet, sheets)
    areas, start = [], 0
    while start < len(text):
        part = (_WELL_FORMED.match(text, start) or _LOOSE.match(text, start))
        if part is None:
            raise PositionError(f"{text[start:][:60]!r} is not a position")
        if part[1] is not None:
            sheet = _sheet(part[1], sheets)
        areas.append(_area(sheet, part[2]))
        start = part.end()
    if not areas:
        raise PositionError("the position is empty")
    _check_size(areas)
    return areas


def _area(sheet: str, cells: str) -> Area:
    ends = re.sub(r"[\s$]", "", cells).split(":")
    columns = [re.sub(r"\d", "", end) or re.sub(r"\d", "", ends[0])
               for end in ends]
    rows = [re.sub(r"\D", "", end) for end in ends]
    left, right = sorted((_column(columns[0]), _column(columns[-1])))
    if rows == ["", ""]:
        return Area(sheet, left, 1, right, None)
    top, bottom = sorted((int(rows[0]), int(rows[-1])))
    if top < 1 or bottom > MAX_ROW:
        raise PositionError(f"{cells!r} has cells that do not exist")
    return Area(sheet, left, top, right, bottom)


def _default_sheet(answer_sheet: str, sheets: Sequence[str]) -> str:
    """`answer_sheet` may be a name, or a list of which the first is meant."""
    for wanted in (answer_sheet, answer_sheet.split(",")[0]):
        found = _find(wanted, sheets)
        if found is not None:
            return found
    return sheets[0]


def _sheet(text: str, sheets: Sequence[str]) -> str:
    """`text` is what stands before the last '!', quotes included."""
    pieces = {_bare(piece) for piece in text.split("!")} - {""}
    for wanted in [text] + sorted(pieces if len(pieces) == 1 else []):
        found = _find(wanted, sheets)
        if found is not None:
            return found
    raise PositionError(f"the golden has no sheet {_bare(text)[:60]!r}")


def _find(wanted: str, sheets: Sequence[str]) -> Optional[str]:
    """Exactly, else the only one that differs in case, blanks and quotes at
    the ends; with doubled quotes inside as a formula has them, or single."""
    for same in (lambda name: name,
                 lambda name: _bare(name).replace("''", "'"),
                 lambda name: _bare(name).replace("''", "'").casefold()):
        if wanted and (found := [name for name in sheets
                                 if same(name) == same(wanted)]):
            return found[0] if len(found) == 1 else None
    return None


def _bare(text: str) -> str:
    return text.strip(_BLANKS + _QUOTES)


def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _check_size(areas: Sequence[Area]) -> None:
    cells = sum(area.count() for area in areas)
    if cells > MAX_CELLS:
        raise PositionError(f"{cells} cells; at most {MAX_CELLS} are compared")
