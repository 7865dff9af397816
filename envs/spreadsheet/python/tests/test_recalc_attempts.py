"""What becomes of a request whose office fails, without any office."""

import unittest
import unittest.mock
from pathlib import Path

from support import folder, workbook
import recalc_end
import recalc_office
import recalc_reader
import recalc_reading
import recalc_service
import workbook_guard
from recalc_office import (DeadlinePassed, OfficeCrashed, OfficeDied,
                           Unreadable)
from recalc_process import NotHere


class Office:
    """Does what it is told to, one after the other: raises it, or gives it."""

    def __init__(self, *plan):
        self._plan = list(plan)
        self.done, self.documents, self.bytes = [], 0, 0
        self.space = True

    def start(self):
        self.done.append("start")

    def stop(self):
        self.done.append("stop")

    def resident_bytes(self):
        return self.bytes

    def has_space(self):
        return self.space

    def recalculate(self, content, turn):
        self.done.append("recalculate")
        step = self._plan.pop(0)
        if isinstance(step, Exception):
            raise step
        return step


class Reader:
    """Without a process; raises what it is told to."""

    def __init__(self, trouble=None):
        self._trouble = trouble

    def read(self, content, turn):
        if self._trouble:
            raise self._trouble
        found, alone = recalc_reading.survey(content, "25.2")
        return recalc_reader.Found(found["volatile"], found["key"], alone)

    def check(self, content, turn):
        workbook_guard.open_archive(content)


class Attempts(unittest.TestCase):
    def setUp(self):
        self.here = folder(self)
        self.source = workbook(self.here / "in.xlsx", [["=1+1"]])
        self.out = self.here / "out.xlsx"
        self.result = Path(workbook(self.here / "result.xlsx",
                                    [[2]])).read_bytes()

    def service(self, *plan, reader=None):
        self.office = Office(*plan)
        return recalc_service.Service(self.office, reader or Reader(), None,
                                      500, 400)

    def request(self):
        return {"id": 1, "op": "recalculate", "in": self.source,
                "out": str(self.out)}

    def ends(self, status, *plan):
        """With an untouched target, unless it is ok; its detail."""
        reply = self.service(*plan).reply(self.request())
        self.assertEqual(reply["status"], status)
        self.assertEqual(self.out.exists(), status == "ok")
        return reply["detail"]

    def test_the_second_attempt_is_in_a_fresh_office(self):
        for problem in (DeadlinePassed(), OfficeDied("killed"),
                        Unreadable("odd")):
            with self.subTest(type(problem).__name__):
                self.out.unlink(missing_ok=True)
                self.ends("ok", problem, self.result)
                self.assertEqual(self.out.read_bytes(), self.result)
                self.assertEqual(self.office.done,
                                 ["recalculate", "stop", "recalculate"])

    def test_the_second_failure_is_the_answer(self):
        for status, first, last in (
                ("timeout", OfficeDied("killed"), DeadlinePassed()),
                ("timeout", DeadlinePassed(), DeadlinePassed()),
                ("invalid", DeadlinePassed(), Unreadable("odd")),
                ("failed", Unreadable("odd"), OfficeDied("killed")),
                ("failed", OfficeDied("killed"), OfficeDied("killed"))):
            with self.subTest(status, first=first, last=last):
                self.ends(status, first, last)

    def test_an_office_that_does_not_start_is_not_tried_again(self):
        self.assertEqual(self.ends("failed", NotHere("not here")), "not here")
        self.assertEqual(self.office.done, ["recalculate"])

    def test_what_is_no_workbook_is_not_put_in_place(self):
        self.assertIn("what LibreOffice wrote is empty",
                      self.ends("crashed", b"", b""))
        self.assertIn("no .xlsx", self.ends("crashed", b"text", b"text"))

    def test_only_an_office_that_crashes_each_time_blames_the_workbook(self):
        crash, kill = OfficeCrashed("odd"), OfficeDied("killed")
        for status, first, last in (("crashed", crash, crash),
                                    ("crashed", b"text", crash),
                                    ("failed", kill, crash),
                                    ("failed", crash, kill),
                                    ("timeout", crash, DeadlinePassed()),
                                    ("ok", crash, self.result)):
            with self.subTest(status, first=first, last=last):
                self.ends(status, first, last)
                self.out.unlink(missing_ok=True)

    def test_a_workbook_is_to_blame_for_what_ends_its_reader_each_time(self):
        for trouble, status in ((recalc_reader.Ended(True), "crashed"),
                                (recalc_reader.Ended(False), "failed"),
                                (TimeoutError(), "timeout"),
                                (NotHere("no process"), "failed"),
                                (workbook_guard.Refused("is odd"), "invalid")):
            with self.subTest(status):
                reply = self.service(reader=Reader(trouble)).reply(
                    self.request())
                self.assertEqual(reply["status"], status)
                self.assertEqual(self.office.done, [])

    def test_a_full_disk_blames_no_workbook(self):
        service = self.service(OfficeCrashed("odd"), b"")
        self.office.space = False
        self.assertEqual(service.reply(self.request())["status"], "failed")

    def test_an_office_has_space_for_the_largest_result(self):
        office = recalc_office.Office("", "25.2", str(self.here), None)
        for free, enough in ((1, False), (1 << 40, True)):
            disk = unittest.mock.Mock(f_bavail=free, f_frsize=1)
            with unittest.mock.patch("os.statvfs", return_value=disk):
                self.assertEqual(office.has_space(), enough)

    def test_a_kill_is_own_doing_only_after_much_memory(self):
        for status, peak_mb, own in ((9, 300, False), (9, 3000, True),
                                     (11, 300, True), (1 << 8, 300, True)):
            self.assertEqual(recalc_end.own_doing(status, peak_mb << 20), own)

    def test_a_result_that_is_too_large_is_the_workbooks_fault(self):
        large = b"x" * (workbook_guard.MAX_FILE_BYTES + 1)
        self.assertIn("it is larger than", self.ends("invalid", large, large))

    def test_it_is_retired_when_it_has_done_its_share_or_has_grown(self):
        for documents, grown, expected in (
                (499, 400, []), (500, 0, ["stop", "start"]),
                (0, 401, ["stop", "start"])):
            with self.subTest(documents=documents, grown=grown):
                service = self.service()
                self.office.documents = documents
                self.office.bytes = grown
                service.retire()
                self.assertEqual(self.office.done, expected)


if __name__ == "__main__":
    unittest.main()
