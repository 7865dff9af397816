"""Writes workbooks of equal bytes for equal content: no dates of creation, no
theme, fixed times in the zip. Unlike openpyxl it can store a formula's value."""

import datetime
import io
import zipfile
from xml.sax.saxutils import escape, quoteattr

_DAY_ZERO = datetime.date(1899, 12, 30)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."
# Style 1 is a date.
_STYLES = (f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164"'
           ' formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font/></fonts>'
           '<fills count="1"><fill><patternFill/></fill></fills><borders count="1"><border/></borders>'
           '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/>'
           '<xf numFmtId="164" applyNumberFormat="1"/></cellXfs>'
           '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
           '</cellStyles></styleSheet>')


def write(path, sheets, results=None):
    """`sheets`: title -> rows of values; None is no cell, a text that begins
    with "=" a formula, whose value is `results[title, cell]` where there is one.
    """
    results = results or {}
    numbers = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml":
            f'<Types xmlns="{_PACKAGE}content-types">'
            '<Default Extension="rels" ContentType="application/vnd.'
            'openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            + _override("workbook.xml", "sheet.main")
            + _override("styles.xml", "styles")
            + "".join(_override(f"worksheets/sheet{n}.xml", "worksheet")
                      for n in numbers) + "</Types>",
        "_rels/.rels": _relations([("rId1", "officeDocument",
                                    "xl/workbook.xml")]),
        "xl/workbook.xml":
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
            + "".join(f"<sheet name={quoteattr(title)} sheetId=\"{n}\" "
                      f'r:id="rId{n}"/>' for n, title in zip(numbers, sheets))
            + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [(f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml")
             for n in numbers] + [("rIdS", "styles", "styles.xml")]),
        "xl/styles.xml": _STYLES,
    }
    for n, (title, rows) in zip(numbers, sheets.items()):
        parts[f"xl/worksheets/sheet{n}.xml"] = _sheet(title, rows, results)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, xml in parts.items():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, _HEAD + xml, compresslevel=9)
    path.write_bytes(packed.getvalue())


def column(number):
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _override(name, kind):
    return (f'<Override PartName="/xl/{name}" '
            f'ContentType="{_TYPE}{kind}+xml"/>')


def _relations(entries):
    return (f'<Relationships xmlns="{_PACKAGE}relationships">' + "".join(
        f'<Relationship Id="{key}" Type="{_RELATIONS}/{kind}" '
        f'Target="{target}"/>' for key, kind, target in entries)
        + "</Relationships>")


def _sheet(title, rows, results):
    lines = []
    for r, row in enumerate(rows, 1):
        cells = [_cell(f"{column(c)}{r}", value,
                       results.get((title, f"{column(c)}{r}")))
                 for c, value in enumerate(row, 1) if value is not None]
        if cells:
            lines.append(f'<row r="{r}">{"".join(cells)}</row>')
    return (f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}'
            "</sheetData></worksheet>")


def _cell(place, value, result):
    if isinstance(value, str) and value.startswith("="):
        formula = f"<f>{escape(value[1:])}</f>"
        if result is None:
            return f'<c r="{place}">{formula}</c>'
        if isinstance(result, str):
            kind = "e" if result.startswith("#") else "str"
            return (f'<c r="{place}" t="{kind}">{formula}'
                    f"<v>{escape(result)}</v></c>")
        return f'<c r="{place}">{formula}<v>{result!r}</v></c>'
    if isinstance(value, str):
        return (f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">'
                f"{escape(value)}</t></is></c>")
    if isinstance(value, datetime.date):
        return f'<c r="{place}" s="1"><v>{(value - _DAY_ZERO).days}</v></c>'
    return f'<c r="{place}"><v>{value!r}</v></c>'
