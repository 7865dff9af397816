"""Workbooks of strangers, before any parser sees them.

A file that a model wrote may be a symbolic link to somewhere else, a FIFO that
is never written to, or a few kilobytes that inflate to the size of the disk.
What passes here is a zip of bounded size with a workbook inside, held in
memory: nobody can exchange it between the check and the use.
"""

from __future__ import annotations

import errno
import io
import itertools
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from typing import Iterator, Tuple

import workbook_xml

# The largest official file is far below each of these; a file above them costs
# seconds and gigabytes.
MAX_FILE_BYTES = 32 << 20
MAX_INFLATED_BYTES = 256 << 20
MAX_PARTS = 4096
MAX_CELLS = 1_000_000
MAX_TAGS = 12 * MAX_CELLS  # of sheets: each costs time to scan
# Of all other parts: a text of its own for each cell has four.
MAX_OTHER_TAGS = 4 * MAX_CELLS

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_DIRECTORY_ENTRY = b"PK\x01\x02"
_CELL = re.compile(rb"<(?:[^<>\s/:]*:)?c[\s>/]")
_REFERENCE = re.compile(r"\$?([A-Z]{0,3})\$?(\d{0,7})(?::\$?([A-Z]{0,3})"
                        r"\$?(\d{0,7}))?")
_LAST_COLUMN, _LAST_ROW = 16384, 1048576
_WORKBOOK_TYPE = re.compile(
    rb"(?:spreadsheetml\.(?:sheet|template)|ms-excel\.(?:sheet|template)"
    rb"\.macroEnabled)\.main\+xml")


_OF_THE_MACHINE = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO,
                   errno.ENOSPC, errno.EDQUOT, errno.ESTALE}


class Refused(Exception):
    """The file is not a workbook that can be used; the text says why."""


@dataclass(frozen=True)
class File:
    """The bytes of a regular file, with whose it is and its permissions."""

    content: bytes
    owner: int
    group: int
    mode: int


def open_file(path: str) -> int:
    """Follows no link at the end of `path` and waits for no writer."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
                             | os.O_CLOEXEC)
    except (OSError, ValueError) as problem:
        if getattr(problem, "errno", None) in _OF_THE_MACHINE:
            raise  # it says nothing of the file
        if os.path.islink(path):
            raise Refused("is a symbolic link") from None
        raise Refused(getattr(problem, "strerror", None) or str(problem)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refused("is not a regular file")
    return descriptor


def read_open(descriptor: int, max_bytes: int = MAX_FILE_BYTES) -> File:
    facts = os.fstat(descriptor)
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        file.seek(0)
        content = file.read(min(facts.st_size, max_bytes) + 1)
    if len(content) > max_bytes:
        raise Refused(f"is larger than {max_bytes} bytes")
    return File(content, facts.st_uid, facts.st_gid, facts.st_mode & 0o777)


def read_file(path: str, max_bytes: int = MAX_FILE_BYTES) -> File:
    descriptor = open_file(path)
    try:
        return read_open(descriptor, max_bytes)
    finally:
        os.close(descriptor)


def open_archive(content: bytes) -> zipfile.ZipFile:
    """The workbook as an archive whose parts are few and of bounded size."""
    if not content:
        raise Refused("is empty")
    if content.startswith(_OLE):
        raise Refused("is encrypted or in the old .xls format")
    # Before zipfile makes an object of each entry.
    if content.count(_DIRECTORY_ENTRY) > MAX_PARTS:
        raise Refused(f"has more than {MAX_PARTS} parts")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError,
            OverflowError) as problem:
        raise Refused(f"is no .xlsx: {problem}") from None
    _check_entries(archive)
    # zipfile reads no more of a part than is declared here.
    inflated = sum(part.file_size for part in archive.infolist())
    if inflated > MAX_INFLATED_BYTES:
        raise Refused(f"inflates to {inflated} bytes; "
                      f"{MAX_INFLATED_BYTES} are allowed")
    if not _WORKBOOK_TYPE.search(read_part(archive, "[Content_Types].xml")):
        raise Refused("is a zip without a workbook")
    return archive


def _check_entries(archive: zipfile.ZipFile) -> None:
    """Refuses what two readers would take for two different things."""
    names = set()
    for part in archive.infolist():
        shown = part.filename[:60]
        if part.filename in names:
            raise Refused(f"has two parts of one name: {shown}")
        names.add(part.filename)
        if part.flag_bits & 1:
            raise Refused(f"has an encrypted part: {shown}")
        if stat.S_ISLNK(part.external_attr >> 16):
            raise Refused(f"has a part that is a link: {shown}")
        steps = part.filename.replace("\\", "/").split("/")
        if ".." in steps or steps[0] == "" or steps[0].endswith(":"):
            raise Refused(f"has a part outside of it: {shown}")


def read_part(archive: zipfile.ZipFile, name: str, most: int = -1) -> bytes:
    """All of it, or its first `most` bytes."""
    try:
        with archive.open(name) as part:
            return part.read(most)
    except KeyError:
        raise Refused(f"has no part {name}") from None
    except Exception as problem:  # zlib, checksum, encryption: zipfile has many
        raise Refused(f"has a damaged part {name[:60]}: {problem}") from None


def worksheets(archive: zipfile.ZipFile) -> Iterator[Tuple[str, bytes]]:
    """Name and XML of each worksheet part, once."""
    types = read_part(archive, "[Content_Types].xml")
    names = {(override.attribute(b"PartName") or "").lstrip("/")
             for override in workbook_xml.tags(types, b"Override")
             if "worksheet+xml" in (override.attribute(b"ContentType") or "")}
    present = set(archive.namelist())
    names |= {name for name in present if name.startswith("xl/worksheets/")
              and name.endswith(".xml")}
    tags = 0
    for name in sorted(names & present):
        xml = read_part(archive, name)
        tags += xml.count(b"<")
        if tags > MAX_TAGS:
            raise Refused(f"has more than {MAX_TAGS} tags in its sheets")
        yield name, xml


def check_size(archive: zipfile.ZipFile) -> None:
    """Refuses what openpyxl would make millions of objects from: cells, merged
    ranges, of which it makes a cell each, and tags of any part."""
    cells = 0
    sheets = set()
    for name, xml in worksheets(archive):
        sheets.add(name)
        for more in itertools.chain(
                (1 for _ in _CELL.finditer(xml)),
                (_merged(merge.attribute(b"ref") or "")
                 for merge in workbook_xml.tags(xml, b"mergeCell"))):
            cells += more
            if cells > MAX_CELLS:
                raise Refused(f"has more than {MAX_CELLS} cells, merged ones "
                              "included")
    tags = 0
    for name in set(archive.namelist()) - sheets:
        tags += read_part(archive, name).count(b"<")
        if tags > MAX_OTHER_TAGS:
            raise Refused(f"has more than {MAX_OTHER_TAGS} tags outside of its "
                          "sheets")


def _merged(reference: str) -> int:
    """How many cells it spans. Without columns or rows, all there are; 0: no
    parser takes it for a reference."""
    found = _REFERENCE.fullmatch(reference.strip().upper())
    if found is None:
        return 0
    left, top, right, bottom = found.groups()
    if right is None and bottom is None:
        return 1
    columns = (abs(_column(right) - _column(left)) + 1 if left and right
               else _LAST_COLUMN)
    rows = abs(int(bottom) - int(top)) + 1 if top and bottom else _LAST_ROW
    return columns * rows


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
