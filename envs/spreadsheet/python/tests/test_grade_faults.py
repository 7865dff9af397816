"""The grader as a program: bad goldens, bad requests, and what it survives."""

import json
import os
import re
import signal
import time
import unittest
import zipfile

from grade_testing import SHEET, Case
from support import (PATIENCE_S, STARVED, Service, await_end, children,
                     edited)
import grade_cell
import sandbox


class Faults(Case):
    def test_a_bad_golden_is_an_error_not_a_grade(self):
        for golden in (self.here / "nowhere.xlsx", self.file("bad", b"x")):
            reply = self.grade(self.golden, golden=str(golden))
            self.assertIn("golden", reply["error"])
            self.assertNotIn("official", reply)

    def test_a_workbook_without_sheets_does_not_end_the_grader(self):
        with zipfile.ZipFile(self.golden) as archive:
            xml = archive.read("xl/workbook.xml")
        sheets = re.search(rb"<sheets>.*</sheets>", xml, re.DOTALL).group()
        none = edited(self.golden, self.here / "none.xlsx", "xl/workbook.xml",
                      sheets, b"<sheets/>")
        self.assertIn("has no sheets",
                      self.grade(self.golden, golden=none)["error"])
        self.assertIn("has no sheets", self.grade(none)["official"]["why"])
        self.assertEqual(self.grader.ask("inspect", workbook=none,
                                         position="A1"),
                         {"loads": False, "why": "has no sheets"})

    def test_requests_that_make_no_sense_are_answered_by_name(self):
        for fields, expected in (
                ({"op": "dance"}, "op"), ({"op": "grade"}, "answer"),
                ({"op": "grade", "answer": "relative.xlsx"}, "answer"),
                ({"op": "grade", "answer": "/a", "golden": 7}, "golden"),
                ({"op": "grade", "answer": "/a", "golden": "/b"}, "position"),
                ({"op": "inspect", "workbook": "/a\0b"}, "workbook")):
            with self.subTest(fields):
                self.assertRegex(self.grader.ask(**fields)["error"],
                                 rf"^{expected}:")
        for line in (b"x", b"[]", b"{}", b'{"id":"one"}', b"[" * 100_000):
            self.grader.raw(line)
            self.assertIn("error", self.grader.reply())
        self.assertEqual(self.passes(self.golden), (True, True))

    def test_a_position_that_cannot_be_read_fails_with_its_text(self):
        reply = self.grade(self.golden, position="A1:B2, C3")
        self.assertIn("position", reply["official"]["why"])
        self.assertTrue(reply["repaired"]["passed"])

    def test_an_empty_position_fails_for_both_readers(self):
        reply = self.grade(self.golden, position="")
        self.assertEqual(
            (reply["official"], reply["repaired"]),
            ({"passed": False, "why": "position: '' is not a cell"},
             {"passed": False, "why": "position: the position is empty"}))

    def killed_while_it_reads(self, times):
        """The reply to a request during which its child is killed."""
        answer = slow(self.golden, self.here / "slow.xlsx", rows=6_000)
        self.grader.raw(json.dumps({
            "id": 900 + times, "op": "grade", "answer": str(answer),
            "golden": str(self.golden), "position": "A1:B3"}).encode())
        seen, patience = set(), time.monotonic() + PATIENCE_S
        while len(seen) < times and time.monotonic() < patience:
            for child in set(children(self.grader.process.pid)) - seen:
                seen.add(child)
                os.kill(child, signal.SIGKILL)
        return self.grader.reply()

    def test_a_child_that_is_killed_is_nobodys_bad_grade(self):
        self.assertEqual(self.passes(self.golden), (True, True))
        self.assertTrue(self.killed_while_it_reads(3)["official"]["passed"])
        self.assertIn("killed", self.killed_while_it_reads(4)["error"])
        self.assertEqual(self.passes(self.golden), (True, True))

    def test_a_kill_is_own_doing_only_after_much_memory(self):
        cell = grade_cell.Cell(sandbox.Limits(memory_mb=2048), None, True, {})
        for status, peak_mb, own in ((9, 1000, False), (9, 1100, True),
                                     (11, 100, True), (1 << 8, 100, True)):
            self.assertEqual(cell.own_doing(status, peak_mb << 20), own)

    def test_its_child_ends_with_it_however_that_is(self):
        for killed in (False, True):
            with self.subTest(killed=killed):
                grader = Service(self, "grade/grade_server.py")
                grader.ask("inspect", workbook=self.golden)
                child, = children(grader.process.pid)
                watched = os.pidfd_open(child)
                if killed:
                    grader.process.kill()
                self.assertEqual(grader.end(), -9 if killed else 0)
                await_end([watched])


class Deadline(Case):
    words = ("--deadline-ms", "300")

    def test_an_answer_that_takes_too_long_does_not_pass(self):
        late = slow(self.golden, self.here / "slow.xlsx", rows=6_000)
        reply = self.grade(late)
        if STARVED not in reply.get("error", ""):
            self.assertEqual(reply["official"], {
                "passed": False, "why": "the answer: not read within 300 ms"})
        # And the next is graded, after a while where the machine is busy: small
        # files too exceed this deadline there.
        patience = time.monotonic() + PATIENCE_S
        reply = {}
        while "official" not in reply and time.monotonic() < patience:
            reply = self.grade(self.golden)
            self.assertRegex(str(reply), f"'passed': True|not read|{STARVED}")


class Memory(Case):
    words = ("--memory-mb", "160")

    def test_an_answer_that_needs_too_much_memory_fails(self):
        # Below every limit of size: openpyxl makes a cell of each.
        large = edited(self.golden, self.here / "large.xlsx", SHEET,
                       b"</sheetData>", b'</sheetData><mergeCells count="1">'
                       b'<mergeCell ref="A10:Z30000"/></mergeCells>')
        self.assertRegex(self.why(large), "memory|ended")
        self.assertEqual(self.passes(self.golden), (True, True))


class MuchMemory(Case):
    """A machine without memory kills whoever has most of it."""

    MEMORY_MB = 840
    # However busy the machine is, only memory shall be to blame.
    words = ("--memory-mb", str(MEMORY_MB), "--deadline-ms", "3600000")

    def test_a_child_that_is_killed_after_much_memory_blames_its_answer(self):
        answer = large_and_slow(self.golden, self.here / "large.xlsx")
        self.grader.send("grade", answer=answer, golden=self.golden,
                         position="A1:B3")
        killed, patience = set(), time.monotonic() + 5 * PATIENCE_S
        while len(killed) < 2 and time.monotonic() < patience:
            for child in set(children(self.grader.process.pid)) - killed:
                if resident_mb(child) > self.MEMORY_MB * 0.53:
                    os.kill(child, signal.SIGKILL)
                    killed.add(child)
            time.sleep(0.02)
        reply = self.grader.reply()
        self.assertEqual(len(killed), 2)
        self.assertEqual(reply["official"], {
            "passed": False,
            "why": "the answer: the grader ended while reading it"})
        self.assertEqual(self.passes(self.golden), (True, True))


def resident_mb(pid):
    """0 for a child that has ended since it was listed."""
    try:
        with open(f"/proc/{pid}/statm") as facts:
            pages = int(facts.read().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return pages * os.sysconf("SC_PAGESIZE") >> 20


def large_and_slow(golden, to):
    """The same and more: within a second or two its reader has some 490 MB. Then
    it is busy for much longer than whoever watches it may be late, without more
    memory."""
    # One character that is not of Latin takes four bytes for each of a text.
    cell = ('<c t="inlineStr"><is><t>' + 30_000 * "a"
            + "\N{BAR CHART}</t></is></c>").encode()
    # Each puts a link of its own into six thousand cells.
    links = 200 * b'<hyperlink ref="AA1:ZZ9" location="a"/>'
    return edited(golden, to, SHEET, b"</sheetData>",
                  b'<row r="10">' + 3_600 * cell + b"</row></sheetData>"
                  b"<hyperlinks>" + links + b"</hyperlinks>")


def slow(golden, to, rows):
    """The same and more: below every limit of size, and seconds of work."""
    row = b"".join(b'<c r="%s%%d"><v>1</v></c>' % bytes([letter])
                   for letter in range(65, 91))
    more = b"".join(b'<row r="%d">' % r + row % ((r,) * 26) + b"</row>"
                    for r in range(10, rows))
    return edited(golden, to, SHEET, b"</sheetData>", more + b"</sheetData>")


if __name__ == "__main__":
    unittest.main()
