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
    r"(?<![\w.])(?:_xlfn\.)?(?:ORG\.LIBREOFFICE\.)?"
    r"(TODAY|NOW|RANDARRAY|RANDBETWEEN(?:\.NV)?|RAND(?:\.NV)?|INFO)\s*\(",
    re.IGNORECASE)
# Its first argument is not known, or the name of the file.
_CELL_OF_PLACE = re.compile(r"(?<![\w.])CELL\s*\((?!\s*\0\s*[,)])",
                            re.IGNORECASE)
_FILE_NAME = '"filename"'
# In the place of a function's name, of a formula in pieces.
IN_PIECES = "a comment in a formula"


# As many as a workbook may have cells. Their text is looked at in Python.
_MAX_FORMULAS = workbook_guard.MAX_CELLS
_MAX_BYTES = 16 << 20


def _of_cells(archive: zipfile.ZipFile) -> Iterator[workbook_xml.Tag]:
    """Of each cell that has a formula; empty where it shares another's."""
    return _bounded(tag for _, xml in workbook_guard.worksheets(archive)
                    for tag in workbook_xml.tags(xml, b"f"))


def _bounded(tags: Iterator[workbook_xml.Tag]) -> Iterator[workbook_xml.Tag]:
    """Raises Refused for what is too much to look at."""
    size = 0
    for count, tag in enumerate(tags, 1):
        size += len(tag.text)
        if count > _MAX_FORMULAS:
            raise workbook_guard.Refused(
                f"has more than {_MAX_FORMULAS} formulas")
        if size > _MAX_BYTES:
            raise workbook_guard.Refused(
                f"has formulas of more than {_MAX_BYTES} bytes")
        yield tag


def _unrepeatable(tag: workbook_xml.Tag) -> List[str]:
    """Of the text between its tags, which may be only the start of it."""
    return (unrepeatable_functions(workbook_xml.plain(tag.text))
            + [IN_PIECES] * tag.in_pieces)


def unrepeatable_functions(formula: str) -> List[str]:
    bare = _without_quoted(formula)
    found = {name.upper() for name in _UNREPEATABLE.findall(bare)}
    if _CELL_OF_PLACE.search(bare):
        found.add("CELL")
    return sorted(found)


def survey(archive: zipfile.ZipFile) -> Tuple[int, List[str]]:
    """How many formulas there are, and the functions among them whose values
    cannot be repeated (a defined name may hide one)."""
    count, volatile = 0, set()
    for tag in _of_cells(archive):
        count += 1
        volatile.update(_unrepeatable(tag))
    if count and "xl/workbook.xml" in archive.namelist():
        xml = workbook_guard.read_part(archive, "xl/workbook.xml")
        for tag in _bounded(workbook_xml.tags(xml, b"definedName")):
            volatile.update(_unrepeatable(tag))
    return count, sorted(volatile)


def _without_quoted(formula: str) -> str:
    """Texts, and names of sheets, may look like a call: each becomes a zero,
    and what CELL takes for the name of the file goes. A quote in a text is
    doubled: two texts, for what is asked here. A formula in which one is not
    closed stays as it is."""
    kept = _QUOTED.sub(lambda text: "" if text.group().lower() == _FILE_NAME
                       else "\0", formula)
    return formula if '"' in kept or "'" in kept else kept
