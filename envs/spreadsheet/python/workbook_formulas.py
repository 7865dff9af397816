"""Which formulas a workbook has, and which of them depend on time or chance."""

from __future__ import annotations

import re
import zipfile
from typing import Iterator, List, Tuple

import workbook_guard
import workbook_xml

_QUOTED = re.compile("\"[^\"]*\"|'[^']*'")

# Another value at another time, place or throw of the dice. OFFSET and INDIRECT
# are recalculated as often, but their value follows from the workbook alone.
_UNREPEATABLE = re.compile(
    r"(?<![\w.])(?:_xlfn\.)?(TODAY|NOW|RANDARRAY|RANDBETWEEN|RAND|INFO)\s*\(",
    re.IGNORECASE)
_FILE_NAME = re.compile(r'(?<![\w.])CELL\s*\(\s*"filename"', re.IGNORECASE)


# As many as a workbook may have cells. Their text is looked at in Python.
_MAX_FORMULAS = workbook_guard.MAX_CELLS
_MAX_BYTES = 16 << 20


def texts(archive: zipfile.ZipFile) -> Iterator[str]:
    """The formula of each cell that has one; "" where it shares another's.
    Raises Refused for what is too much to look at."""
    return _bounded(tag for _, xml in workbook_guard.worksheets(archive)
                    for tag in workbook_xml.tags(xml, b"f"))


def _bounded(tags: Iterator[workbook_xml.Tag]) -> Iterator[str]:
    size = 0
    for count, tag in enumerate(tags, 1):
        size += len(tag.text)
        if count > _MAX_FORMULAS:
            raise workbook_guard.Refused(
                f"has more than {_MAX_FORMULAS} formulas")
        if size > _MAX_BYTES:
            raise workbook_guard.Refused(
                f"has formulas of more than {_MAX_BYTES} bytes")
        yield workbook_xml.plain(tag.text)


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
        volatile.update(unrepeatable_functions(formula))
    if count and "xl/workbook.xml" in archive.namelist():
        xml = workbook_guard.read_part(archive, "xl/workbook.xml")
        for formula in _bounded(workbook_xml.tags(xml, b"definedName")):
            volatile.update(unrepeatable_functions(formula))
    return count, sorted(volatile)


def _without_quoted(formula: str) -> str:
    """Texts, and names of sheets, may look like a call. A quote in a text is
    doubled: two texts, for what is asked here. A formula in which one is not
    closed stays as it is."""
    kept = _QUOTED.sub("\0", formula)
    return formula if '"' in kept or "'" in kept else kept
