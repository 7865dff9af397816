"""One case: an answer against its golden, at a position read in both ways."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import grade_compare
import grade_files
import grade_position
import grade_workbook
import workbook_guard
from grade_position import Area

READERS = ("official", "repaired")
# Of all goldens together, so that a worker's memory is bounded.
_MAX_KEPT_VALUES = 400_000

Grade = Dict[str, Any]


class BadGolden(Exception):
    """The fault of the data set, not of the answer."""


class Wanted(NamedTuple):
    """A part of the position and what the golden has there."""

    area: Area
    rows: int  # where whole columns end
    values: Tuple[Any, ...]  # as compared; in the order of area.cells
    raw: grade_workbook.Values


class Expected(NamedTuple):
    """Why no answer can pass, or what it has to have."""

    why: str
    parts: List[Wanted]


def grade(passed: bool, why: str = "") -> Grade:
    return {"passed": passed, "why": why[:200]}


class Goldens:
    """What goldens have at a position. The same one is graded thousands of
    times, so that the latest are kept, without the rest of their workbooks."""

    def __init__(self, max_values: int = _MAX_KEPT_VALUES):
        self._kept: "OrderedDict[tuple, Dict[str, Expected]]" = OrderedDict()
        self._max_values, self._values = max_values, 0
        self.loads = 0

    def expected(self, source: grade_files.Source, position: str,
                 sheet: str) -> Dict[str, Expected]:
        key = (source.path, source.identity(), position, sheet)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        try:
            golden = grade_workbook.load(source)
        except workbook_guard.Refused as problem:
            raise BadGolden(f"golden {source.path} {problem}") from None
        self.loads += 1
        made = {reader: expected_of(golden, reader, position, sheet)
                for reader in READERS}
        self._kept[key] = made
        self._values += _weight(made)
        while self._values > self._max_values and len(self._kept) > 1:
            self._values -= _weight(self._kept.popitem(last=False)[1])
        return made


def compare(answer: grade_workbook.Workbook, wanted: Expected) -> Grade:
    """Every part is looked at, the first difference is told."""
    if wanted.why:
        return grade(False, wanted.why)
    for part in wanted.parts:
        why = _difference(answer, part)
        if why:
            return grade(False, why)
    return grade(True)


def grade_case(goldens: Goldens, answer: grade_files.Source,
               golden: grade_files.Source, position: str, sheet: str) -> Dict[str, Grade]:
    expected = goldens.expected(golden, position, sheet)
    try:
        loaded = grade_workbook.load(answer)
    except workbook_guard.Refused as problem:
        return failed(f"the answer {problem}")
    return {reader: compare(loaded, expected[reader]) for reader in READERS}


def failed(why: str) -> Dict[str, Grade]:
    return {reader: grade(False, why) for reader in READERS}


def areas(workbook: grade_workbook.Workbook, reader: str, position: str,
          sheet: str) -> List[Area]:
    if reader == "official":
        return grade_position.official(position, workbook.names)
    return grade_position.repaired(position, workbook.names, sheet)


def expected_of(golden: grade_workbook.Workbook, reader: str, position: str,
                sheet: str) -> Expected:
    parts = []
    try:
        for area in areas(golden, reader, position, sheet):
            raw = golden.cells(area.sheet)
            rows = golden.rows(area.sheet) if area.bottom is None else 0
            values = tuple(grade_compare.normal(raw.get(place))
                           for place in area.cells(rows))
            kept = {place: raw[place] for place in area.cells(rows)
                    if place in raw}
            parts.append(Wanted(area, rows, values, kept))
    except grade_position.PositionError as problem:
        return Expected(f"position: {problem}", [])
    except KeyError as problem:
        return Expected(f"the golden has no sheet {problem}", [])
    except (TypeError, OverflowError) as problem:
        return Expected(f"the golden: {problem}", [])
    return Expected("", parts)


def _difference(answer: grade_workbook.Workbook, part: Wanted) -> str:
    """The first one; empty when there is none."""
    area = part.area
    try:
        values = answer.cells(area.sheet)
    except KeyError:
        return f"the answer has no sheet {area.sheet!r}"
    except TypeError as problem:
        return f"the answer's {problem}"
    for place, expected in zip(area.cells(part.rows), part.values):
        got = values.get(place)
        try:
            if grade_compare.equal(expected, grade_compare.normal(got)):
                continue
        except OverflowError:
            pass
        return _told(area, place, part.raw.get(place), got)
    if area.bottom is None:  # below the last row of the golden
        for place in sorted(values):
            if (place[0] > part.rows and area.left <= place[1] <= area.right
                    and values[place] != ""):
                return _told(area, place, None, values[place])
    return ""


def _told(area: Area, place: Tuple[int, int], expected: Any, got: Any) -> str:
    return (f"{area.sheet}!{grade_position.name_of(*place)}: expected "
            f"{grade_compare.shown(expected)}, got {grade_compare.shown(got)}")


def _weight(made: Dict[str, Expected]) -> int:
    return 1 + sum(len(part.values) for one in made.values()
                   for part in one.parts)
