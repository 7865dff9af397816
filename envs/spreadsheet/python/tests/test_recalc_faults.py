"""Recalculation as a program: what it survives, and what it keeps."""

import os
import signal
import tempfile
import time
import unittest
from pathlib import Path

import support
from recalc_testing import Case, office_of, value
from support import PATIENCE_S, Service, await_end, edited, workbook


@support.needs_office
class Faults(Case):
    def test_killed_in_the_middle_it_does_the_document_again(self):
        office = office_of(self.service)
        os.kill(office, signal.SIGSTOP)  # so that it is in the middle
        number = self.service.send("recalculate", **{
            "in": self.double(), "out": self.out,
            "timeout_ms": PATIENCE_S * 1000})
        os.kill(office, signal.SIGKILL)
        reply = self.service.reply()
        self.assertEqual((reply["id"], reply["status"]), (number, "ok"))
        self.assertEqual(value(self.out), 100)

    def test_hung_it_is_replaced_at_the_deadline(self):
        office = office_of(self.service)
        watched = os.pidfd_open(office)
        os.kill(office, signal.SIGSTOP)
        began = time.monotonic()
        reply = self.recalculate(self.double(), timeout_ms=500)
        # Where the machine is busy the next one exceeds it, too.
        self.assertIn(reply["status"], ("ok", "timeout"))
        # Of both attempts; the reply has the time of the last.
        self.assertGreaterEqual(time.monotonic() - began, 0.5)
        await_end([watched])
        self.works()

    def test_formula_that_crashes_it_each_time_is_a_crash(self):
        deep = "=" + "(" * 8000 + "1" + ")" * 8000
        reply = self.recalculate(workbook(self.here / "deep.xlsx", [[deep]]))
        self.assertEqual(reply["status"], "crashed", reply)
        self.assertIn("LibreOffice crashed", reply["detail"])
        self.assertFalse(os.path.exists(self.out))
        self.works()

    def test_formulas_that_exceed_the_deadline_twice_are_a_timeout(self):
        source = workbook(self.here / "slow.xlsx", [
            [f"=SUMPRODUCT(ROW($1:$1000000)+{n})"] for n in range(1000)])
        reply = self.recalculate(source, timeout_ms=300)
        self.assertEqual(reply["status"], "timeout")
        self.assertFalse(os.path.exists(self.out))
        self.works()


@support.needs_office
class Lives(Case):
    @classmethod
    def setUpClass(cls):
        cls.profile = support.folder(cls)
        cls.service = Service(cls, "recalc_server.py", "--retire-after", 3,
                              "--profile", cls.profile)

    def test_it_is_retired_after_its_share_and_nothing_is_lost(self):
        offices, left = set(), set()
        for n in range(8):  # the first of nine was to find out functions
            # Answered when it has been replaced, if it was.
            self.service.ask("nothing")
            offices.add(office_of(self.service))
            left.add(len(list((self.profile / "first/box/tmp").iterdir())))
            reply = self.recalculate(self.double(n))
            self.assertEqual((reply["status"], value(self.out)), ("ok", 2 * n))
        self.assertEqual(len(offices), 3)
        # None leaves its temporary files to the next.
        self.assertLessEqual(max(left), 1)


@support.needs_office
class Cached(Case):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.cache = Path(made.name)
        cls.service = Service(cls, "recalc_server.py", "--cache", cls.cache,
                              "--cache-bytes", 20_000)

    def test_the_same_content_is_recalculated_once_whenever_it_was_saved(self):
        source = self.double(7)
        later = edited(source, self.here / "later.xlsx", "docProps/core.xml",
                       b"<dcterms:modified", b"<!--later--><dcterms:modified")
        details = [self.recalculate(name)["detail"] for name in (source, later)]
        self.assertEqual(details, ["", "cached"])
        self.assertEqual(value(self.out), 14)

    def test_a_damaged_entry_is_not_used(self):
        self.recalculate(self.double(8))
        for entry in self.cache.iterdir():
            entry.write_bytes(b"PK")
        self.assertEqual(self.recalculate(self.double(8))["detail"], "")

    def test_what_depends_on_the_time_is_not_kept(self):
        before = set(self.cache.iterdir())
        source = workbook(self.here / "now.xlsx", [["=NOW()"]])
        self.assertEqual(self.recalculate(source)["status"], "ok")
        self.assertEqual(set(self.cache.iterdir()), before)

    def test_the_directory_does_not_outgrow_its_limit(self):
        for n in range(100, 112):
            self.recalculate(self.double(n))
        entries = list(self.cache.iterdir())
        self.assertGreater(len(entries), 1)
        self.assertLessEqual(sum(e.stat().st_size for e in entries), 20_000)


if __name__ == "__main__":
    unittest.main()
