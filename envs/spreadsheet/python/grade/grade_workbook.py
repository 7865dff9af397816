"""Values of a workbook's cells, as openpyxl gives them with `data_only`."""

from __future__ import annotations

import io
import warnings
from typing import Any, Dict, List, Tuple

import openpyxl

import grade_files
import workbook_guard
import workbook_links

Values = Dict[Tuple[int, int], Any]  # (row, column) -> value; no entry: None


class Workbook:
    """What of a loaded workbook is compared."""

    def __init__(self, sheets: Dict[str, Any]):
        self._sheets = sheets
        self.names: List[str] = list(sheets)

    def cells(self, sheet: str) -> Values:
        """KeyError: there is no such sheet. TypeError: it is a chart, which has
        no cells."""
        values = self._sheets[sheet]
        if values is None:
            raise TypeError(f"sheet {sheet!r} is a chart")
        return values

    def rows(self, sheet: str) -> int:
        """The last row with a value."""
        return max((row for row, _ in self.cells(sheet)), default=0)


def load(source: grade_files.Source) -> Workbook:
    """Raises Refused for whatever is not a workbook."""
    return parse(source.content())


def parse(content: bytes) -> Workbook:
    """Loaded in full: the read-only way of openpyxl is no faster for files of
    this size, and shows values under merged cells that the other one hides."""
    archive = workbook_guard.open_archive(content)
    workbook_links.check_parts(archive)
    workbook_guard.check_size(archive)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    except MemoryError:
        raise workbook_guard.Refused("needs more memory than a grader may "
                                     "have") from None
    except Exception as problem:  # openpyxl raises anything on odd XML
        first = (str(problem).strip().splitlines() or [""])[0][:160]
        raise workbook_guard.Refused(
            f"cannot be loaded: {type(problem).__name__}: {first}") from None
    if not loaded.sheetnames:
        raise workbook_guard.Refused("has no sheets")
    return Workbook({name: _values(loaded[name]) for name in loaded.sheetnames})


def _values(sheet: Any) -> Any:
    # The dictionary of openpyxl's sheets: asking a sheet for a cell makes one.
    cells = getattr(sheet, "_cells", None)
    if cells is None:
        return None
    return {place: cell.value for place, cell in cells.items()
            if cell.value is not None}
