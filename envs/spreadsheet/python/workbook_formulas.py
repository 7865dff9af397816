"""Which formulas a workbook has, and which of them depend on time or chance."""

from __future__ import annotations

import html
import re
import zipfile
from typing import Iterator, List, Tuple

import workbook_guard

_FORMULA = re.compile(rb"<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>([^<]*)</)")
_NAME = re.compile(rb"<(?:\w+:)?definedName\s[^>]*>([^<]*)</")
# Texts, and names of sheets, that look like a call.
_QUOTED = re.compile(r'"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'')

# Another value at another time, place or throw of the dice. OFFSET and INDIRECT
# are recalculated as often, but their value follows from the workbook alone.
_UNREPEATABLE = re.compile(
    r"(?<![\w.])(?:_xlfn\.)?(TODAY|NOW|RANDARRAY|RANDBETWEEN|RAND|INFO)\s*\(",
    re.IGNORECASE)
_FILE_NAME = re.compile(r'(?<![\w.])CELL\s*\(\s*"filename"', re.IGNORECASE)


def texts(archive: zipfile.ZipFile) -> Iterator[str]:
    """The formula of each cell that has one; "" where it shares another's."""
    for _, xml in workbook_guard.worksheets(archive):
        for formula in _FORMULA.finditer(xml):
            yield _text(formula.group(1) or b"")


def unrepeatable_functions(formula: str) -> List[str]:
    found = {name.upper() for name
             in _UNREPEATABLE.findall(_QUOTED.sub('""', formula))}
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
        for name in _NAME.finditer(xml):
            volatile.update(unrepeatable_functions(_text(name.group(1))))
    return count, sorted(volatile)


def _text(xml: bytes) -> str:
    return html.unescape(xml.decode("utf-8", "replace"))
