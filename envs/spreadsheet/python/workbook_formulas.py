"""Which formulas a workbook has, and which of them depend on time or chance."""

from __future__ import annotations

import re
import zipfile
from typing import Iterator, List, Tuple

import workbook_guard
import workbook_xml

_QUOTE = re.compile("[\"']")

# Another value at another time, place or throw of the dice. OFFSET and INDIRECT
# are recalculated as often, but their value follows from the workbook alone.
_UNREPEATABLE = re.compile(
    r"(?<![\w.])(?:_xlfn\.)?(TODAY|NOW|RANDARRAY|RANDBETWEEN|RAND|INFO)\s*\(",
    re.IGNORECASE)
_FILE_NAME = re.compile(r'(?<![\w.])CELL\s*\(\s*"filename"', re.IGNORECASE)


# As many as a workbook may have cells.
_MAX_FORMULAS = workbook_guard.MAX_CELLS


def texts(archive: zipfile.ZipFile) -> Iterator[str]:
    """The formula of each cell that has one; "" where it shares another's."""
    for _, xml in workbook_guard.worksheets(archive):
        for formula in workbook_xml.tags(xml, b"f"):
            yield workbook_xml.plain(formula.text)


def unrepeatable_functions(formula: str) -> List[str]:
    found = {name.upper() for name
             in _UNREPEATABLE.findall(_without_quoted(formula))}
    if _FILE_NAME.search(formula):
        found.add("CELL")
    return sorted(found)


def survey(archive: zipfile.ZipFile) -> Tuple[int, List[str]]:
    """How many formulas there are, and the functions among them whose values
    cannot be repeated (a defined name may hide one)."""
    count, volatile = 0, set()
    for formula in texts(archive):
        count += 1
        if count > _MAX_FORMULAS:
            raise workbook_guard.Refused(
                f"has more than {_MAX_FORMULAS} formulas")
        volatile.update(unrepeatable_functions(formula))
    if count and "xl/workbook.xml" in archive.namelist():
        xml = workbook_guard.read_part(archive, "xl/workbook.xml")
        for name in workbook_xml.tags(xml, b"definedName"):
            volatile.update(unrepeatable_functions(
                workbook_xml.plain(name.text)))
    return count, sorted(volatile)


def _without_quoted(formula: str) -> str:
    """Texts, and names of sheets, may look like a call. A quote in a text is
    doubled: two texts, for what is asked here. What is not closed stays."""
    kept, at = [], 0
    for quote in iter(lambda: _QUOTE.search(formula, at), None):
        end = formula.find(quote.group(), quote.end())
        if end < 0:
            break
        kept.append(formula[at:quote.start()])
        at = end + 1
    return '""'.join(kept + [formula[at:]])
