"""Workbooks that are made to do harm, by name. Each maker is given a `Bait`
and a path, and writes a file there."""

import copy
import io
import struct
import warnings
import zipfile
from pathlib import Path
from typing import NamedTuple

import openpyxl

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
SHEET, BOOK = "xl/worksheets/sheet1.xml", "xl/workbook.xml"
TYPES, RELS = "[Content_Types].xml", "xl/_rels/workbook.xml.rels"
SHARED = "xl/sharedStrings.xml"
SPREADSHEET = "vnd.openxmlformats-officedocument.spreadsheetml."
ROW = b'<row r="2"><c r="A2"><f>%s</f></c></row>'


class Bait(NamedTuple):
    """What must not be reached."""

    url: str   # of a listener
    file: str  # an image that only the service's user may read: a path
    book: str  # a workbook of that kind

    def into(self, text):
        """Puts them where a text has {url}, {file} and {book}."""
        for name, value in zip(self._fields, self):
            text = text.replace("{" + name + "}", value)
        return text


def parts():
    """Those of a workbook with a number, a formula and a shared text."""
    book = openpyxl.Workbook()
    book.active["A1"] = 7
    book.active["B1"] = "=A1*6"
    held = io.BytesIO()
    book.save(held)
    with zipfile.ZipFile(held) as archive:
        made = {name: archive.read(name) for name in archive.namelist()}
    made[SHARED] = (f'<sst xmlns="{MAIN}" count="1" uniqueCount="1"><si><t>text'
                    "</t></si></sst>").encode()
    typed(made, SHARED, SPREADSHEET + "sharedStrings+xml")
    made[RELS] = made[RELS].replace(b"</Relationships>", (
        f'<Relationship Id="s" Type="{REL}/sharedStrings" Target="shared'
        'Strings.xml"/></Relationships>').encode())
    made[SHEET] = made[SHEET].replace(
        b"</row>", b'<c r="C1" t="s"><v>0</v></c></row>')
    return made


def save(path, made):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made.items():
            archive.writestr(name, content)


def relationships(*rows):
    """(id, last word of the type, target, "External" or "")"""
    return (f'<Relationships xmlns="{PACKAGE}">' + "".join(
        f'<Relationship Id="{number}" Type="{REL}/{kind}" Target="{target}"'
        + (f' TargetMode="{mode}"' if mode else "") + "/>"
        for number, kind, target, mode in rows) + "</Relationships>").encode()


def typed(made, name, kind):
    made[TYPES] = made[TYPES].replace(b"</Types>", (
        f'<Override PartName="/{name}" ContentType="application/{kind}"/>'
        "</Types>").encode())


def in_sheet(made, before_end, rows=b""):
    made[SHEET] = made[SHEET].replace(b"<worksheet ", (
        f'<worksheet xmlns:r="{REL}" ').encode(), 1).replace(
        b"</sheetData>", rows + b"</sheetData>").replace(
        b"</worksheet>", before_end + b"</worksheet>")


def formulas(*texts):
    def make(bait, path):
        made = parts()
        rows = b"".join(
            b'<row r="%d"><c r="A%d"><f>%s</f></c></row>' % (
                row, row, bait.into(text).replace("&", "&amp;").replace(
                    "<", "&lt;").encode())
            for row, text in enumerate(texts, 2))
        in_sheet(made, b"", rows)
        save(path, made)
    return make


def drawing(image, *rows, media=""):
    """A drawing whose image and relationships are given."""
    def make(bait, path):
        made = parts()
        in_sheet(made, b'<drawing r:id="d1"/>')
        made["xl/worksheets/_rels/sheet1.xml.rels"] = relationships(
            ("d1", "drawing", "../drawings/drawing1.xml", ""))
        typed(made, "xl/drawings/drawing1.xml",
              "vnd.openxmlformats-officedocument.drawing+xml")
        space = "http://schemas.openxmlformats.org/drawingml/2006/"
        made["xl/drawings/drawing1.xml"] = (
            f'<xdr:wsDr xmlns:xdr="{space}spreadsheetDrawing" xmlns:a="{space}'
            f'main" xmlns:r="{REL}"><xdr:oneCellAnchor><xdr:from><xdr:col>0'
            "</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff"
            '>0</xdr:rowOff></xdr:from><xdr:ext cx="99999" cy="99999"/><xdr:pic>'
            '<xdr:nvPicPr><xdr:cNvPr id="1" name="p"/><xdr:cNvPicPr/>'
            f"</xdr:nvPicPr><xdr:blipFill>{image}</xdr:blipFill><xdr:spPr/>"
            "</xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>"
        ).encode()
        made["xl/drawings/_rels/drawing1.xml.rels"] = relationships(*(
            (number, kind, bait.into(target), mode)
            for number, kind, target, mode in rows))
        if media:
            typed(made, "xl/media/image1.svg", "svg")
            made["xl/media/image1.svg"] = bait.into(media).encode()
        save(path, made)
    return make


def of_sheet(xml, *rows, extra=()):
    """XML at the end of a sheet, and its relationships. `extra`: (part, type of
    content, text)."""
    def make(bait, path):
        made = parts()
        in_sheet(made, bait.into(xml).encode())
        made["xl/worksheets/_rels/sheet1.xml.rels"] = relationships(*(
            (number, kind, bait.into(target), mode)
            for number, kind, target, mode in rows))
        for name, kind, text in extra:
            if kind:
                typed(made, name, kind)
            made[name] = bait.into(text).encode()
        save(path, made)
    return make


def of_book(xml, kind, name, content_type, text, *inner):
    """XML in the workbook that refers to a part x1, which has relationships.
    A formula asks for what is behind it."""
    def make(bait, path):
        made = parts()
        made[BOOK] = made[BOOK].replace(b"<workbook ", (
            f'<workbook xmlns:r="{REL}" ').encode(), 1).replace(
            b"<calcPr", xml.encode() + b"<calcPr")
        made[RELS] = made[RELS].replace(b"</Relationships>", (
            f'<Relationship Id="x1" Type="{REL}/{kind}" Target="{name}"/>'
            "</Relationships>").encode())
        typed(made, "xl/" + name, content_type)
        made["xl/" + name] = bait.into(text).encode()
        folder, _, last = ("xl/" + name).rpartition("/")
        made[f"{folder}/_rels/{last}.rels"] = relationships(*(
            (number, kind, bait.into(target), mode)
            for number, kind, target, mode in inner))
        in_sheet(made, b"", ROW % b"[1]Sheet!A1")
        save(path, made)
    return make


def replaced(part, old, new, encoding="utf-8"):
    """A workbook with another text in a part."""
    def make(bait, path):
        made = parts()
        text = made[part].decode()
        assert old in text, f"{part} has no {old!r}"
        made[part] = text.replace(old, bait.into(new), 1).encode(encoding)
        save(path, made)
    return make


def archive(change):
    """`change` is given an open archive to write into, and the parts."""
    def make(bait, path):
        with warnings.catch_warnings(), zipfile.ZipFile(
                path, "w", zipfile.ZIP_DEFLATED) as target:
            warnings.simplefilter("ignore")  # of a name twice
            made = parts()
            for name, content in made.items():
                target.writestr(name, content)
            change(target, made, bait)
    return make


def bytes_changed(change):
    def make(bait, path):
        save(path, parts())
        Path(path).write_bytes(change(Path(path).read_bytes()))
    return make


def symbolic_link(target, made, bait):
    entry = zipfile.ZipInfo("xl/media/image1.png")
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    target.writestr(entry, bait.file)


def slow_to_scan(bait, path):
    """52 MiB of quotes in 0.3 MB: a formula is as long as it may be."""
    made = parts()
    cell = b"<c><f>" + b"'" * 220 + b"</f></c>"
    in_sheet(made, b"", b'<row r="2">' + cell * 250_000 + b"</row>")
    save(path, made)


def slow_to_load(bait, path):
    """Six million texts without anything in 0.03 MB: an object each."""
    made = parts()
    made[SHARED] = made[SHARED].replace(
        b"</sst>", b"<si/>" * 6_000_000 + b"</sst>")
    save(path, made)


def slow_below_all_limits(bait, path):
    """Six hundred thousand rules for input in 0.2 MB: several objects each."""
    made = parts()
    rule = (b'<dataValidation type="list" sqref="A1:B2"><formula1>1</formula1>'
            b"</dataValidation>")
    in_sheet(made, b"<dataValidations>" + rule * 600_000
             + b"</dataValidations>")
    save(path, made)


def bomb(target, made, bait):
    """320 MiB in a few kilobytes."""
    target.writestr("xl/bomb.xml", bytes(16 << 20))
    for number in range(19):
        again = copy.copy(target.getinfo("xl/bomb.xml"))
        again.filename = f"xl/bomb{number}.xml"
        target.infolist().append(again)


def encrypted(content):
    """With the flag of encryption at each entry, here and in the directory."""
    changed = bytearray(content)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = content.find(mark)
        while start >= 0:
            flags, = struct.unpack_from("<H", content, start + offset)
            struct.pack_into("<H", changed, start + offset, flags | 1)
            start = content.find(mark, start + 4)
    return bytes(changed)


def other_format(bait, path):
    """An .ods by its content, with a script and a linked image."""
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("mimetype",
                        "application/vnd.oasis.opendocument.spreadsheet")
        target.writestr("META-INF/manifest.xml", "<manifest/>")
        target.writestr("content.xml", (
            '<office:document-content xmlns:office="urn:oasis:names:tc:open'
            'document:xmlns:office:1.0"><office:body><office:spreadsheet>'
            f'<table:dde-links office:name="{bait.file}"/>'
            "</office:spreadsheet></office:body></office:document-content>"))


def named_so(text):
    """A text by the name of a workbook."""
    def make(bait, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(bait.into(text))
    return make


def both_formats(bait, path):
    """An .xlsx that is an .ods, too."""
    made = {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            **parts(), "META-INF/manifest.xml": b"<manifest/>"}
    save(path, made)
