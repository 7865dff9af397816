"""Reading a hostile workbook takes time in proportion to its size, and what a
scan counts is what a parser of XML would make of the same file."""

import gc
import io
import os
import random
import secrets
import tempfile
import time
import unittest
import zipfile
from xml.etree import ElementTree

from support import workbook
import grade_inspect
import workbook_formulas
import workbook_guard
import workbook_links
import workbook_xml

SHEET = "xl/worksheets/sheet1.xml"
TYPES = "[Content_Types].xml"
NAMES = "xl/workbook.xml"
RELS = "xl/_rels/workbook.xml.rels"
DRAWING, LINK = "xl/drawings/d.vml", "xl/externalLinks/e.xml"
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
    "relationships without an end": (RELS, b"", b"<Relationship ", b""),
    "relationships": (RELS, b"", b"<Relationship Id='a' Type='b' "
                      b"Target='c:d' TargetMode='External'/>", b""),
    "targets": (RELS, b"<Relationship Target='", b"a+", b"'/>"),
    "blanks of a target": (RELS, b"<Relationship Target='", b" ", b"'/>"),
    "images without an end": (DRAWING, b"", b' src="', b""),
    "blanks of images": (DRAWING, b" src", b" ", b""),
    "images": (DRAWING, b"", b" v:src = 'a'", b""),
    "links of programs": (LINK, b"", b"<ddeLink", b""),
    "prefixes of links": (LINK, b"", b"<a:", b""),
    "a declaration without an end": (LINK, b"<?xml ", b"encoding = ", b""),
    "cells without an end": (SHEET, b"", b"<c r='A1'><f/>", b""),
    "cells": (SHEET, b"", b"<c r='A1'><f>1</f><v/></c>", b""),
    "sheets": (NAMES, b"", b"<sheet name='a' sheetId='1'/>", b""),
}
# What random input is made of.
TOKENS = sorted({token for _, start, unit, end in HOSTILE.values()
                 for token in (start, unit, end) if token}) + [
    b"<", b">", b"/>", b"</", b'"', b"'", b"=", b" ", b"\n", b":", b"&#60;",
    b"&lt;", b"&", b";", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<f>", b"</f>",
    b"<?xml ", b"xmlns:a='b' ", b"A1:B2", b"$", b"r:id='r1' ", b"\xc3\xa9", b"a"]
PARTS = sorted({part for part, _, _, _ in HOSTILE.values()})
RANDOM_INPUTS = 40
FORMULAS = {
    "open texts": '"', "open names": "'", "both": "\"'", "blanks": "NOW ",
    "names and blanks": "CELL(  ", "doubled quotes": '""\'',
}


def archive_with(changes):
    """A good workbook with other bytes before the end of some parts, or with
    parts of these bytes that it did not have."""
    made = io.BytesIO()
    with zipfile.ZipFile(GOOD) as good, zipfile.ZipFile(made, "w") as out:
        for name in good.namelist():
            content = good.read(name)
            if name in changes:
                head, mark, tail = content.rpartition(b"</")
                content = head + changes[name] + mark + tail
            out.writestr(name, content)
        for name in set(changes) - set(good.namelist()):
            out.writestr(name, changes[name])
    return made.getvalue()


# All that is done with a workbook before a parser has it, and after that in
# Python. Each may refuse it.
SCANS = (workbook_formulas.survey, workbook_guard.check_size,
         workbook_links.check_parts, workbook_links.without_links,
         lambda archive: list(grade_inspect._formula_cells(archive)))


def read(content):
    for scan in SCANS:
        try:
            scan(workbook_guard.open_archive(content))
        except workbook_guard.Refused:
            pass


def random_input(seed, size, tokens=TOKENS, parts=PARTS):
    """A part, and bytes for it: all that a larger size begins with."""
    dice = random.Random(seed)
    part = dice.choice(parts)
    tokens = dice.sample(tokens, dice.randint(1, min(6, len(tokens))))
    pieces, length = [], 0
    while length < size:
        # One by one they take longer than all that is done with them.
        pieces += dice.choices(tokens, k=500)
        length += sum(map(len, pieces[-500:]))
    while length - len(pieces[-1]) >= size:
        length -= len(pieces.pop())
    return part, type(tokens[0])().join(pieces)


def spent(work):
    gc.disable()  # it comes when it likes
    began = time.process_time()
    work()
    used = time.process_time() - began
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

    def test_random_bytes_twice_as_many_take_twice_as_long(self):
        given = os.environ.get("BREWERY_TEST_SEED")
        first = int(given) if given else secrets.randbits(32)
        for seed in range(first, first + (1 if given else RANDOM_INPUTS)):
            with self.subTest(BREWERY_TEST_SEED=seed):
                def work(size):
                    content = archive_with(dict([random_input(seed, size)]))
                    return lambda: read(content)
                self.check(work, 1 << 15)

                def formula(size):
                    _, text = random_input(seed, size, list(FORMULAS.values()))
                    return lambda: workbook_formulas.unrepeatable_functions(
                        text)
                self.check(formula, 1 << 15)

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
                ('_xlfn.RANDARRAY(2)+SNOW()', ["RANDARRAY"]),
                ("_xlfn.ORG.LIBREOFFICE.RAND.NV()", ["RAND.NV"]),
                ("_xlfn.ORG.LIBREOFFICE.RANDBETWEEN.NV(1,6)",
                 ["RANDBETWEEN.NV"]),
                ('CELL("row",A1)&"CELL(B1)"', []), ('CELL( "row" )', []),
                ('CELL("FileName")', ["CELL"]), ("CELL(B1)", ["CELL"]),
                ('CELL("file"&"name")', ["CELL"]), ('NOCELL(B1)', [])):
            with self.subTest(formula):
                self.assertEqual(
                    workbook_formulas.unrepeatable_functions(formula), expected)

    def test_a_formula_in_pieces_is_not_taken_for_what_begins_it(self):
        for xml, expected in (
                (b"<f>RAN<!-- x -->D()</f>", [workbook_formulas.IN_PIECES]),
                (b"<f><![CDATA[RAND()]]></f>", [workbook_formulas.IN_PIECES]),
                (b"<f>RAN<?x?>D()</f>", [workbook_formulas.IN_PIECES]),
                (b"<f>1<x/>RAND()</f>", [workbook_formulas.IN_PIECES]),
                (b'<f t="shared" si="0"/><!-- x -->', []),
                (b"<f>1+1</f><!-- x -->", [])):
            with self.subTest(xml):
                self.assertEqual(workbook_formulas.survey(
                    workbook_guard.open_archive(archive_with({SHEET: xml})))[1],
                    expected)


def setUpModule():
    global GOOD
    made = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(made.cleanup)
    gc.collect()
    gc.freeze()  # or each collection looks at all modules again
    unittest.addModuleCleanup(gc.unfreeze)
    GOOD = workbook(f"{made.name}/good.xlsx", [["=1+1"]])


if __name__ == "__main__":
    unittest.main()
