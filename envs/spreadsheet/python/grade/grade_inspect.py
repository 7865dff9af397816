"""Facts about a golden (or any workbook) that decide whether a task is fit:
does it load, equal itself, hold formulas whose values are missing or cannot be
repeated."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from typing import Any, Dict, Iterator, List, Tuple
from xml.etree import ElementTree

from openpyxl.utils import coordinate_to_tuple

import grade_case
import grade_files
import grade_position
import grade_workbook
import workbook_formulas
import workbook_guard

_SHOWN_CELLS = 20


def inspect(source: grade_files.Source, position: str,
            sheet: str) -> Dict[str, Any]:
    """`position` may be empty: then there are no facts about an answer."""
    try:
        content = source.content()
        workbook = grade_workbook.parse(content)
        archive = workbook_guard.open_archive(content)
        formulas, volatile = workbook_formulas.survey(archive)
        without_value = {(name, place) for name, place, cached
                         in _formula_cells(archive) if not cached}
    except workbook_guard.Refused as problem:
        return {"loads": False, "why": str(problem)}
    facts: Dict[str, Any] = {
        "loads": True, "why": "", "sheets": workbook.names,
        "formulas": formulas, "uncached": len(without_value),
        "volatile": volatile}
    if position:
        facts["answer"] = {
            reader: _of_answer(workbook, reader, position, sheet, without_value)
            for reader in grade_case.READERS}
    return facts


def _of_answer(workbook: grade_workbook.Workbook, reader: str, position: str,
               sheet: str, without_value: set) -> Dict[str, Any]:
    expected = grade_case.expected_of(workbook, reader, position, sheet)
    uncached = []
    for part in expected.parts:
        uncached += [f"{part.area.sheet}!{grade_position.name_of(*place)}"
                     for place in part.area.cells(part.rows)
                     if (part.area.sheet, place) in without_value]
    return {"itself": grade_case.compare(workbook, expected),
            "cells": sum(len(part.values) for part in expected.parts),
            "values": sum(len(part.raw) for part in expected.parts),
            "uncached": len(uncached),
            "uncached_cells": uncached[:_SHOWN_CELLS]}


def _formula_cells(archive: zipfile.ZipFile
                   ) -> Iterator[Tuple[str, Tuple[int, int], bool]]:
    """Sheet, place, and whether a value was stored. An empty text is one: that
    is what a formula may result in."""
    for name, part in _sheet_parts(archive):
        if part not in archive.namelist():
            continue
        xml = workbook_guard.read_part(archive, part)
        try:
            for _, cell in ElementTree.iterparse(io.BytesIO(xml)):
                if _local(cell.tag) != "c":
                    continue
                inside = {_local(child.tag): child for child in cell}
                if "f" in inside and cell.get("r"):
                    value = inside.get("v")
                    stored = value is not None and (
                        bool(value.text) or cell.get("t") == "str")
                    yield name, coordinate_to_tuple(cell.get("r")), stored
                cell.clear()
        except (ElementTree.ParseError, ValueError) as problem:
            raise workbook_guard.Refused(f"has odd XML in {part}: {problem}"
                                         ) from None


def _sheet_parts(archive: zipfile.ZipFile) -> List[Tuple[str, str]]:
    """(name of the sheet, its part), by the workbook's relations."""
    try:
        root = ElementTree.fromstring(workbook_guard.read_part(archive,
                                                               "_rels/.rels"))
        book = next((posixpath.normpath(one.get("Target", "").lstrip("/"))
                     for one in root
                     if one.get("Type", "").endswith("/officeDocument")),
                    "xl/workbook.xml")
        folder, name = posixpath.split(book)
        relations = {
            one.get("Id"): posixpath.normpath(
                posixpath.join("/" + folder, one.get("Target", "")))[1:]
            for one in ElementTree.fromstring(workbook_guard.read_part(
                archive, f"{folder}/_rels/{name}.rels"))}
        workbook = ElementTree.fromstring(workbook_guard.read_part(archive,
                                                                   book))
    except ElementTree.ParseError as problem:
        raise workbook_guard.Refused(f"has odd XML: {problem}") from None
    found = []
    for one in workbook.iter():
        if _local(one.tag) == "sheet":
            key = next((value for attribute, value in one.attrib.items()
                        if re.fullmatch(r"\{.*relationships\}id", attribute)),
                       None)
            if key in relations:
                found.append((one.get("name", ""), relations[key]))
    return found


def _local(tag: Any) -> str:
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""
