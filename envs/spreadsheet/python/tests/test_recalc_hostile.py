"""Reading a hostile workbook takes time in proportion to its size, and what a
scan counts is what a parser of XML would make of the same file."""

import gc
import io
import tempfile
import time
import unittest
import zipfile
from xml.etree import ElementTree

from support import workbook
import workbook_formulas
import workbook_guard
import workbook_xml

SHEET = "xl/worksheets/sheet1.xml"
TYPES = "[Content_Types].xml"
NAMES = "xl/workbook.xml"
# Twice the size may take twice the time, and a bit for noise.
GROWTH = 2.5
LEAST_ATTEMPTS, MOST_ATTEMPTS = 2, 40
HOPELESS_S = 0.5  # many times what a scan takes

# Where it goes, what stands at its beginning, what is repeated, and at its end.
HOSTILE = {
    "tags of formulas without an end": (SHEET, b"", b"<f ", b""),
    "one end for all tags of formulas": (SHEET, b"", b"<f ", b">a<b"),
    "formulas without an end": (SHEET, b"", b"<f>1", b""),
    "prefixes": (SHEET, b"", b"<a:f<a:", b""),
    "a long prefix": (SHEET, b"<", b"a", b""),
    "quotes in tags": (SHEET, b"", b"<f a='\"", b""),
    "quotes within one tag": (SHEET, b"<f ", b"'\"", b"<"),
    "tags of merges without an end": (SHEET, b"", b"<mergeCell ", b""),
    "merges without an end of their reference":
        (SHEET, b"", b'<mergeCell ref="A1:', b""),
    "references within one merge": (SHEET, b"<mergeCell ", b" ref=", b">"),
    "tags of names without an end": (NAMES, b"", b"<definedName ", b""),
    "names without an end": (NAMES, b"", b"<definedName n='1'>a", b""),
    "tags of parts without an end": (TYPES, b"", b"<Override ", b""),
    "types without an end": (TYPES, b"", b"<Override ContentType='", b""),
    "types within types":
        (TYPES, b"<Override ", b"ContentType='worksheet+xml' ", b""),
    "names of parts": (TYPES, b"", b"<Override PartName=", b""),
}
FORMULAS = {
    "open texts": '"', "open names": "'", "both": "\"'", "blanks": "NOW ",
    "names and blanks": "CELL(  ", "doubled quotes": '""\'',
}


def archive_with(changes):
    """A good workbook with other bytes before the end of some parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(GOOD) as good, zipfile.ZipFile(made, "w") as out:
        for name in good.namelist():
            content = good.read(name)
            if name in changes:
                head, mark, tail = content.rpartition(b"</")
                content = head + changes[name] + mark + tail
            out.writestr(name, content)
    return made.getvalue()


def read(content):
    """All that is done with a workbook before a parser has it."""
    try:
        archive = workbook_guard.open_archive(content)
        workbook_formulas.survey(archive)
        workbook_guard.check_size(archive)
    except workbook_guard.Refused:
        pass


def spent(work):
    gc.disable()  # it comes when it likes
    began = time.thread_time()
    work()
    used = time.thread_time() - began
    gc.enable()
    return used


class Growth(unittest.TestCase):
    def check(self, work, size):
        """`work` on inputs of two sizes. Where a machine is too busy to tell, on
        larger ones: what is square shows at each size."""
        sizes = [size << shift for shift in (0, 1, 2)]
        if not any(self.grows_evenly(work, one) for one in sizes):
            self.fail(f"{self.small * 1e3:.1f} ms, twice as large "
                      f"{self.large * 1e3:.1f} ms")

    def grows_evenly(self, work, size):
        once, twice = work(size), work(2 * size)
        gc.collect()
        small = large = float("inf")
        for attempt in range(MOST_ATTEMPTS):
            # The least of some: what else the machine does only adds to it.
            small, large = min(small, spent(once)), min(large, spent(twice))
            if attempt >= LEAST_ATTEMPTS and large < GROWTH * small:
                return True
            if small > HOPELESS_S:
                break
        self.small, self.large = small, large
        return False

    def test_a_workbook_twice_as_large_takes_twice_as_long(self):
        for what, (part, start, unit, end) in HOSTILE.items():
            with self.subTest(what):
                def work(size):
                    content = archive_with(
                        {part: start + unit * (size // len(unit)) + end})
                    return lambda: read(content)
                self.check(work, 1 << 15)

    def test_a_formula_twice_as_long_takes_twice_as_long(self):
        for what, unit in FORMULAS.items():
            with self.subTest(what):
                def work(size):
                    text = unit * (size // len(unit))
                    return lambda: workbook_formulas.unrepeatable_functions(
                        text)
                self.check(work, 1 << 15)

    def test_what_is_too_much_to_scan_is_refused_before_it(self):
        tags, formulas = workbook_guard.MAX_TAGS, workbook_guard.MAX_CELLS
        for unit, count, why in ((b"<", tags, "tags"), (b"<f ", tags, "tags"),
                                 (b"<f>1</f>", formulas, "formulas")):
            with self.subTest(unit):
                content = archive_with({SHEET: unit * count})
                with self.assertRaisesRegex(workbook_guard.Refused, why):
                    workbook_formulas.survey(
                        workbook_guard.open_archive(content))


class Scans(unittest.TestCase):
    def test_tags_are_those_that_a_parser_finds(self):
        for xml in ("<a><f>1</f><f/><f t='x'/></a>",
                    "<a xmlns:x='u'><x:f>1&lt;2</x:f></a>",
                    "<a><f t='>' u=\">\">1</f><g f='<'/></a>".replace(
                        "'<'", "'&lt;'"),
                    "<a><f\n t = 'a\"b' >A1 > 2</f><ff/><fa:b xmlns:fa='u'/></a>",
                    "<a><é:f xmlns:é='u'>2</é:f><b.f/></a>",
                    "<a>" + "<f>1</f>" * 3 + "</a>"):
            with self.subTest(xml):
                parsed = [(one.text or "", one.get("t"))
                          for one in ElementTree.fromstring(xml).iter()
                          if one.tag.rsplit("}")[-1] == "f"]
                found = [(workbook_xml.plain(tag.text), tag.attribute(b"t"))
                         for tag in workbook_xml.tags(xml.encode(), b"f")]
                self.assertEqual(found, parsed)

    def test_merges_count_however_they_are_written(self):
        for reference, refused in (
                ("A1:XFD1048576", True), ("$A$1:$XFD$1048576", True),
                ("A:XFD", True), ("1:1048576", True), ("xfd1048576:a1", True),
                ("&#65;1:XFD1048576", True), (" A1:XFD1048576", True),
                ("A1:B2", False), ("C3", False), ("nonsense", False)):
            for tag in (f'<mergeCell ref="{reference}"/>',
                        f"<x:mergeCell a='>' ref = '{reference}' />"):
                with self.subTest(tag):
                    archive = workbook_guard.open_archive(archive_with(
                        {SHEET: tag.encode()}))
                    if refused:
                        with self.assertRaises(workbook_guard.Refused):
                            workbook_guard.check_size(archive)
                    else:
                        workbook_guard.check_size(archive)

    def test_quoted_texts_hide_no_call_and_are_none(self):
        for formula, expected in (
                ('NOW()&"TODAY()"', ["NOW"]), ("'TODAY()'!A1+RAND()", ["RAND"]),
                ('"a""b"&NOW()', ["NOW"]), ("'it''s NOW()'!A1", []),
                ('"\'"&TODAY()&"\'"', ["TODAY"]), ('"open NOW()', ["NOW"]),
                ('_xlfn.RANDARRAY(2)+SNOW()', ["RANDARRAY"])):
            with self.subTest(formula):
                self.assertEqual(
                    workbook_formulas.unrepeatable_functions(formula), expected)


def setUpModule():
    global GOOD
    made = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(made.cleanup)
    GOOD = workbook(f"{made.name}/good.xlsx", [["=1+1"]])


if __name__ == "__main__":
    unittest.main()
