"""Workbooks without what reaches outside: links, connections, embedded
programs, macros. LibreOffice is given a new archive of the parts that were
looked at here, so that it cannot find others in the bytes of the old one.
"""

from __future__ import annotations

import io
import itertools
import posixpath
import re
import zipfile
from typing import Dict, Iterator, List, Set
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import workbook_guard
import workbook_xml
from workbook_guard import Refused

_MAX_RELATIONSHIPS_BYTES = 8 << 20
_START_BYTES = 64 << 10  # in which a part's outermost element begins
_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships"
# By the last word of their type. Whatever refers to one finds nothing.
_DROPPED = {
    "activexcontrol", "activexcontrolbinary", "attachedtemplate",
    "attachedtoolbars",
    "connections", "control", "ctrlprop", "customdata", "font", "oleobject",
    "package", "querytable", "vbaproject", "webextension",
    "webextensiontaskpanes", "wordvbadata", "xlmacrosheet",
    "xlintlmacrosheet", "xmlmaps"}
_OUTSIDE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//|\\\\)", re.IGNORECASE)
_ASCII_LIKE = {b"utf-8", b"utf8", b"us-ascii", b"ascii", b"iso-8859-1",
               b"windows-1252"}
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}?"
                       rb"encoding\s*=\s*[\"']([^\"'>]{0,40})")
# UTF-16 and UTF-32 without a mark and with one, EBCDIC.
_OTHER_XML = re.compile(rb"\0{0,3}<\0|\0{1,3}<|\xff\xfe<|\xfe\xff\0<"
                        rb"|\xff\xfe\0\0<|\0\0\xfe\xff|\x4c\x6f\xa7\x94")
_LINK_OF_PROGRAM = re.compile(rb"<(?:[^<>\s/:]*:)?(?:dde|ole)Link[\s/>]")
_EXTERNAL_LINK = re.compile(rb"<(?:[^<>\s/:]*:)?externalLink[\s/>]")
_NO_LINK = (b'<?xml version="1.0" encoding="UTF-8"?><externalLink xmlns="http:'
            b'//schemas.openxmlformats.org/spreadsheetml/2006/main"/>')
_IMAGE_OF_SHAPE = re.compile(rb"(\s(?:[\w.]{1,20}:)?(?:src|href|althref)\s*=\s*)"
                             rb"(?:\"[^\"<]*\"|'[^'<]*')")


def check_xml(name: str, content: bytes) -> None:
    """Refuses what makes a parser read more than the part."""
    declared = _DECLARED.match(content)
    if _OTHER_XML.match(content) or (
            declared and declared.group(1).lower() not in _ASCII_LIKE):
        raise Refused(f"has a part that is not in UTF-8: {name[:60]}")
    if _XML.match(content) and b"<!DOCTYPE" in content:
        raise Refused(f"declares a document type in {name[:60]}")


def check_parts(archive: zipfile.ZipFile) -> None:
    for name in archive.namelist():
        check_xml(name, workbook_guard.read_part(archive, name))


def without_links(archive: zipfile.ZipFile) -> bytes:
    """Always a new file. Raises Refused."""
    if sum(part.file_size for part in archive.infolist() if
           part.filename.lower().endswith(".rels")) > _MAX_RELATIONSHIPS_BYTES:
        raise Refused("has relationships of more than "
                      f"{_MAX_RELATIONSHIPS_BYTES} bytes")
    numbers = itertools.count(1)
    sheets = _relationships_of_sheets(archive)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED,
                         compresslevel=1) as written:
        for name in archive.namelist():
            # With these it would be a document of another kind as well.
            if name == "mimetype" or name.startswith("META-INF/"):
                continue
            content = workbook_guard.read_part(archive, name)
            check_xml(name, content)
            written.writestr(name, _part(name, content, name in sheets, numbers))
    return target.getvalue()


def _relationships_of_sheets(archive: zipfile.ZipFile) -> Set[str]:
    """Names of parts. What a source is says its outermost element, which no
    reader of drawings takes; its name and its declared type, a stranger
    chooses."""
    found = set()
    names: Dict[str, List[str]] = {}
    known: Dict[str, bool] = {}
    for name in archive.namelist():
        names.setdefault(name.lower(), []).append(name)
    for name in archive.namelist():
        folder, file = posixpath.split(name.lower())
        above, last = posixpath.split(folder)
        if last != "_rels" or not file.endswith(".rels"):
            continue
        # Readers may not tell apart names that differ in case. Each is read
        # once, however many relationships are said to be its.
        source = posixpath.join(above, file[:-len(".rels")])
        if source not in known:
            known[source] = source in names and all(
                _is_sheet(archive, one) for one in names[source])
        if known[source]:
            found.add(name)
    return found


def _is_sheet(archive: zipfile.ZipFile, name: str) -> bool:
    return workbook_xml.root(workbook_guard.read_part(
        archive, name, _START_BYTES)) == b"worksheet"


def _part(name: str, content: bytes, of_sheet: bool,
          numbers: Iterator[int]) -> bytes:
    lower = name.lower()
    if lower.endswith(".rels"):
        return _relationships(name, content, of_sheet, numbers)
    if lower.endswith(".vml"):
        return _IMAGE_OF_SHAPE.sub(rb'\1""', content)
    if _LINK_OF_PROGRAM.search(content) and _EXTERNAL_LINK.search(content):
        return _NO_LINK
    return content


def _relationships(name: str, content: bytes, of_sheet: bool,
                   numbers: Iterator[int]) -> bytes:
    """Written anew from what was understood: nobody reads them otherwise."""
    try:
        read = list(ElementTree.fromstring(content))
    except (ElementTree.ParseError, ValueError, LookupError) as problem:
        raise Refused(f"has a damaged part {name[:60]}: {problem}") from None
    rows: List[str] = []
    for one in read:
        kind = one.get("Type", "")
        last = kind.rstrip("/").rsplit("/", 1)[-1].lower()
        target, mode = one.get("Target", ""), ""
        if last in _DROPPED:
            continue
        if (one.get("TargetMode", "").lower() == "external"
                or _OUTSIDE.match(target)):
            mode = ' TargetMode="External"'
            # One is only followed by who clicks on it. In a drawing, an image
            # may refer to it.
            if last != "hyperlink" or not of_sheet:
                # Links to the same name would be one.
                target = f"removed-{next(numbers)}"
        rows.append(f"<Relationship Id={quoteattr(one.get('Id', ''))} "
                    f"Type={quoteattr(kind)} Target={quoteattr(target)}{mode}/>")
    return (f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns='
            f'"{_NAMESPACE}">{"".join(rows)}</Relationships>').encode()
