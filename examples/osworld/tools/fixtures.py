"""Files of the tasks, made from text alone: the same bytes on every machine."""

import struct
import zipfile
import zlib
from xml.sax.saxutils import escape

WHEN = (2024, 1, 1, 0, 0, 0)
SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        ("office", "office"), ("text", "text"), ("table", "table"),
        ("draw", "drawing"), ("presentation", "presentation"),
        ("style", "style"), ("svg", "svg-compatible"),
        ("fo", "xsl-fo-compatible")))
KINDS = {"ods": "spreadsheet", "odt": "text", "odp": "presentation"}


def open_document(path, kind, body):
    media = "application/vnd.oasis.opendocument." + KINDS[kind]
    content = ('<?xml version="1.0" encoding="UTF-8"?>\n'
               f'<office:document-content {SPACES} office:version="1.2">'
               f"<office:body><office:{KINDS[kind]}>{body}"
               f"</office:{KINDS[kind]}></office:body>"
               "</office:document-content>")
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:'
        'manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
        'manifest:version="1.2"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{media}"/><manifest:file-entry '
        'manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>")
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (("mimetype", media), ("content.xml", content),
                           ("META-INF/manifest.xml", manifest)):
            archive.writestr(zipfile.ZipInfo(name, WHEN), text)


def _cell(value):
    if isinstance(value, (int, float)):
        return (f'<table:table-cell office:value-type="float" office:value='
                f'"{value}"><text:p>{value}</text:p></table:table-cell>')
    return ('<table:table-cell office:value-type="string"><text:p>'
            f"{escape(value)}</text:p></table:table-cell>")


def sheet(path, rows, name="Sheet1"):
    body = "".join("<table:table-row>" + "".join(map(_cell, row))
                   + "</table:table-row>" for row in rows)
    open_document(path, "ods", f'<table:table table:name="{name}">{body}'
                               "</table:table>")


def document(path, paragraphs):
    open_document(path, "odt", "".join(
        f"<text:p>{escape(one)}</text:p>" for one in paragraphs))


def slides(path, titles):
    """One slide for each title, which is a text box."""
    open_document(path, "odp", "".join(
        f'<draw:page draw:name="page{number}"><draw:frame svg:width="20cm" '
        'svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>'
        f"{escape(title)}</text:p></draw:text-box></draw:frame></draw:page>"
        for number, title in enumerate(titles, 1)))


def picture(path, width, height, colours):
    """A PNG of vertical stripes."""
    row = b"".join(bytes(colours[x * len(colours) // width])
                   for x in range(width))
    raw = (b"\0" + row) * height

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def text(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
