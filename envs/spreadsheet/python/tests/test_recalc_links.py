"""What LibreOffice is not shown of a workbook."""

import io
import re
import unittest
import zipfile

import support
import workbook_guard
import workbook_links
from support import folder
from workbook_abuse import RELS, Bait, parts, relationships, save
from workbook_abuse_table import ROWS

BAIT = Bait("http://bait.example", "/bait/a.png", "/bait/b.xlsx")
SHEET_RELS = "xl/worksheets/_rels/sheet1.xml.rels"


class Links(unittest.TestCase):
    def setUp(self):
        self.path = folder(self) / "a.xlsx"

    def shown(self):
        """Name -> content of each part, or why it is refused."""
        try:
            archive = workbook_guard.open_archive(self.path.read_bytes())
            made = workbook_links.without_links(archive)
        except workbook_guard.Refused as problem:
            return str(problem)
        with zipfile.ZipFile(io.BytesIO(made)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def with_parts(self, **more):
        save(self.path, {**parts(), **more})
        return self.shown()

    def test_no_relationship_leads_outside_in_any_kind_of_abuse(self):
        for name, make in ROWS.items():
            with self.subTest(name):
                make(BAIT, str(self.path))
                found = self.shown()
                if isinstance(found, str):
                    continue
                for part, content in found.items():
                    if part.endswith((".rels", ".vml")):
                        self.assertNotRegex(content, rb"bait\.example|file:|"
                                            rb"\\\\|\.xlsx")

    def test_links_to_programs_and_what_embeds_some_are_gone(self):
        for name, gone in (("DDE", b"ddeLink"), ("linked OLE", b"oleLink"),
                           ("macros", b"vbaProject.bin"),
                           ("web query", b"connections.xml"),
                           ("query table", b"queryTables"),
                           ("embedded object of a sheet", b"o.bin"),
                           ("form control", b"activeX/a.xml"),
                           ("font of a file", b"f.odttf")):
            with self.subTest(name):
                ROWS[name](BAIT, str(self.path))
                self.assertFalse([
                    part for part, content in self.shown().items()
                    if gone in content and not part.startswith("[")])

    def test_ambiguous_and_unreadable_workbooks_are_refused_by_name(self):
        for name, why in (
                ("entity of a file", "declares a document type"),
                ("entity in relationships", "declares a document type"),
                ("entity in UTF-16", "not in UTF-8"),
                ("two parts of a name", "two parts of one name"),
                ("part that is a link", "a part that is a link"),
                ("encrypted parts", "an encrypted part"),
                ("name that climbs out", "a part outside of it"),
                ("absolute name", "a part outside of it"),
                ("another format", "has no part"),
                ("half a file", "is no .xlsx")):
            with self.subTest(name):
                ROWS[name](BAIT, str(self.path))
                self.assertIn(why, self.shown())

    def test_the_encoding_is_what_the_part_says_or_how_it_begins(self):
        for content in (b'<?xml version="1.0" encoding="UTF-7"?><a/>',
                        b'\xef\xbb\xbf<?xml version="1.0" encoding="UTF-16"?>',
                        "<a/>".encode("utf-16-le"), "<a/>".encode("utf-16-be"),
                        "<a/>".encode("utf-32"), "<?xml ?>".encode("cp037")):
            with self.subTest(content), self.assertRaisesRegex(
                    workbook_guard.Refused, "not in UTF-8"):
                workbook_links.check_xml("a", content)
        for content in (b"", b"<a/>", b'<?xml version="1.0" encoding="utf-8"?>',
                        b"\xef\xbb\xbf\n<a/>", b"B\0r\0", b"\x89PNG", b"a<!DOC"):
            workbook_links.check_xml("a", content)

    def test_what_is_not_a_link_is_shown_as_it_is(self):
        found = self.with_parts()
        for name, content in parts().items():
            if not name.endswith(".rels"):
                self.assertEqual(found[name], content)
        self.assertEqual(re.findall(rb'Target="([^"]*)"', found[RELS]),
                         re.findall(rb'Target="([^"]*)"', parts()[RELS]))

    def test_a_hyperlink_of_a_sheet_stays_and_other_links_keep_their_order(self):
        found = self.with_parts(**{SHEET_RELS: relationships(
            ("a", "hyperlink", "https://example.org/?a&amp;b", "External"),
            ("b", "image", "https://example.org/b", "External"),
            ("c", "image", "https://example.org/c", "External"))})
        self.assertEqual(re.findall(rb'Target="([^"]*)"', found[SHEET_RELS]),
                         [b"https://example.org/?a&amp;b", b"removed-1",
                          b"removed-2"])

    def test_a_hyperlink_stays_only_where_the_source_is_a_sheet(self):
        sheet, drawing = b"<x:worksheet/>", b"<xdr:wsDr/>"
        hidden = b"<?xml version='1.0'?><!-- <worksheet> -->" + drawing
        link = relationships(("a", "hyperlink", "https://example.org/",
                              "External"))
        for source, more, kept in (
                ("xl/worksheets/s.xml", {"xl/worksheets/s.xml": sheet}, True),
                ("xl/sheets/s.xml", {"xl/sheets/s.xml": sheet}, True),
                ("xl/worksheets/d.xml", {"xl/worksheets/d.xml": drawing},
                 False),
                ("xl/worksheets/d.xml", {"xl/worksheets/d.xml": hidden}, False),
                ("xl/worksheets/d.xml", {"xl/worksheets/d.xml":
                                         b"<!--><worksheet/>-->" + drawing},
                 False),
                ("xl/worksheets/d.xml", {"xl/worksheets/d.xml": sheet,
                                         "xl/worksheets/D.xml": drawing},
                 False),
                ("xl/worksheets/none.xml", {}, False),
                ("xl/worksheets/late.xml",
                 {"xl/worksheets/late.xml": b" " * (64 << 10) + sheet},
                 False)):
            with self.subTest(source, more=list(more)):
                folder, file = source.rsplit("/", 1)
                rels = f"{folder}/_rels/{file}.rels"
                found = self.with_parts(**more, **{rels: link})
                self.assertEqual(b"example.org" in found[rels], kept)

    def test_a_link_to_a_program_is_gone_whatever_its_prefix(self):
        for length in (1, 41, 100_000):
            prefix = b"p" * length + b":"
            found = self.with_parts(**{"xl/externalLinks/e.xml": b"<" + prefix
                                       + b"externalLink><" + prefix
                                       + b"ddeLink/>"})
            self.assertNotIn(b"ddeLink", found["xl/externalLinks/e.xml"])

    def test_relationships_that_are_no_xml_or_too_many_are_refused(self):
        self.assertIn("damaged part", self.with_parts(**{SHEET_RELS: b"<a"}))
        self.assertIn("relationships of more than", self.with_parts(
            **{SHEET_RELS: b"<a>" + bytes(9 << 20)}))

    @support.needs_official_data
    def test_official_workbooks_keep_every_part_but_their_relationships(self):
        for _, source, golden in support.official_cases():
            for path in (source, golden):
                with open(path, "rb") as file:
                    archive = workbook_guard.open_archive(file.read())
                made = zipfile.ZipFile(io.BytesIO(
                    workbook_links.without_links(archive)))
                for name in archive.namelist():
                    if not name.endswith(".rels"):
                        self.assertEqual(made.read(name), archive.read(name))


if __name__ == "__main__":
    unittest.main()
