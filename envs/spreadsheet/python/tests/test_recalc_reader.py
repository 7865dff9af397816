"""The process that reads workbooks before LibreOffice: what it could not do,
were it taken over, and what becomes of those who read through it."""

import os
import signal
import unittest
from pathlib import Path

import support
from support import NOBODY, Service, as_user, family, folder, workbook

from escape_testing import TakenOver, check_status
from recalc_testing import Case, rungs
import recalc_reader
import workbook_formulas
import workbook_guard
from service_turns import Turn


class OfThisUser(TakenOver, unittest.TestCase):
    # Root would become a user of its own.
    confine = ("import recalc_reading; recalc_reading.confine("
               f"{NOBODY if os.geteuid() == 0 else None}, os.getppid())")


@support.needs_root
class OfNobody(TakenOver, unittest.TestCase):
    confine = "import recalc_reading; recalc_reading.confine(None, os.getppid())"
    user = NOBODY


class Reading(unittest.TestCase):
    def setUp(self):
        rungs()
        user = NOBODY if os.geteuid() == 0 else None
        self.reader = recalc_reader.Reader("25.2", user, True)
        self.addCleanup(lambda: self.reader.end())
        self.book = Path(workbook(folder(self) / "a.xlsx",
                                  [["=NOW()"]])).read_bytes()

    def child(self):
        return self.reader._launched.process.pid

    def test_it_says_what_is_in_a_workbook(self):
        found = self.reader.read(self.book, Turn(support.PATIENCE_S))
        self.assertEqual(found.volatile, ["NOW"])
        self.reader.check(found.alone, Turn(support.PATIENCE_S))
        with self.assertRaisesRegex(workbook_guard.Refused, "is no .xlsx"):
            self.reader.check(b"text", Turn(support.PATIENCE_S))

    def test_every_name_of_what_cannot_be_repeated_passes(self):
        for name in ("RANDBETWEEN.NV", workbook_formulas.IN_PIECES):
            said = {"volatile": [name], "key": "0" * 64}
            self.reader._ask = lambda *_, **__: (said, b"")
            self.assertEqual(
                self.reader.read(self.book, Turn(1)).volatile, [name])

    def test_it_is_confined(self):
        self.reader.check(self.book, Turn(support.PATIENCE_S))
        check_status(self, self.child(),
                     NOBODY if os.geteuid() == 0 else None)

    def test_one_that_was_killed_is_followed_by_another(self):
        self.reader.check(self.book, Turn(support.PATIENCE_S))
        os.kill(self.child(), signal.SIGKILL)
        self.reader.check(self.book, Turn(support.PATIENCE_S))

    def test_a_workbook_that_is_not_read_in_time_is_given_up(self):
        with self.assertRaises(TimeoutError):
            self.reader.read(self.book, Turn(0))
        self.reader.check(self.book, Turn(support.PATIENCE_S))

    def test_what_one_that_was_taken_over_says_is_not_believed(self):
        good = {"volatile": [], "key": "0" * 64}
        for said in ({"key": "../../etc/passwd"}, {"key": 7},
                     {"volatile": ["NOW()\n"]}, {"volatile": [{}]}):
            with self.subTest(said):
                self.reader._ask = lambda *_, **__: ({**good, **said}, b"")
                with self.assertRaises(recalc_reader.Ended):
                    self.reader.read(self.book, Turn(1))


class InService(Case):
    @support.needs_office
    def test_no_process_of_the_service_reads_workbooks_with_more_rights(self):
        service = Service(self, "recalc_server.py", "--rung", "landlock",
                          **as_user(NOBODY if os.geteuid() == 0 else None))
        self.works_readably(service)
        below = set(family(service.process.pid)) - {service.process.pid}
        self.assertEqual(len(below), 3)  # LibreOffice, its client, the reader
        for pid in below:
            check_status(self, pid, NOBODY if os.geteuid() == 0 else None)

    def works_readably(self, service):
        source = self.double()
        for path in (self.here, source):
            os.chmod(path, 0o777)
        self.assertEqual(self.recalculate(source, service)["status"], "ok")


if __name__ == "__main__":
    unittest.main()
