"""Recalculation as a program: results, what it refuses, and what it survives."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import support
import openpyxl
from support import (MODULES, Service, await_end, edited, family, folder,
                     workbook)

SHEET = "xl/worksheets/sheet1.xml"
DOUBLE = [[50], ["=A1*2"]]


def value(path, cell="A2"):
    return openpyxl.load_workbook(path, data_only=True).active[cell].value


def office_of(service):
    """The one LibreOffice below it."""
    pid, = (pid for pid, name in family(service.process.pid).items()
            if name == "soffice.bin")
    return pid


class Case(unittest.TestCase):
    words = ()

    @classmethod
    def setUpClass(cls):
        cls.service = Service(cls, "recalc_server.py", *cls.words)

    def setUp(self):
        self.here = folder(self)
        self.out = str(self.here / "out.xlsx")

    def recalculate(self, source, service=None, **more):
        return (service or self.service).ask(
            "recalculate", **{"in": str(source), "out": self.out, **more})

    def double(self, number=50, name="double.xlsx"):
        return workbook(self.here / name, [[number], ["=A1*2"]])

    def works(self, service=None):
        reply = self.recalculate(self.double(), service)
        self.assertEqual((reply["status"], value(self.out)), ("ok", 100))


@support.needs_office
class Results(Case):
    def test_the_hello_names_the_version_and_the_isolation(self):
        hello = self.service.hello
        self.assertEqual(hello["recalculation"], 1)
        self.assertRegex(hello["office"], r"^\d+\.\d+")
        self.assertIn(hello["isolation"], ("bubblewrap", "none"))

    def test_a_formula_without_a_value_gets_one(self):
        self.works()

    def test_a_stale_value_is_replaced(self):
        source = edited(self.double(), self.here / "stale.xlsx", SHEET,
                        b"<f>A1*2</f><v></v>", b"<f>A1*2</f><v>20</v>")
        self.assertEqual(value(source), 20)
        self.assertEqual(self.recalculate(source)["status"], "ok")
        self.assertEqual(value(self.out), 100)

    def test_a_workbook_without_formulas_is_left_alone(self):
        source = workbook(self.here / "plain.xlsx", [[1]])
        self.assertEqual(self.recalculate(source)["status"], "unchanged")
        self.assertFalse(os.path.exists(self.out))

    def test_new_functions_are_known_as_the_version_has_it(self):
        source = workbook(self.here / "new.xlsx", [
            ["a", 1, '=_xlfn.XLOOKUP("b",A1:A2,B1:B2)'], ["b", 2]])
        self.recalculate(source)
        version = int(self.service.hello["office"].split(".")[0])
        self.assertEqual(value(self.out, "C1"), 2 if version >= 25 else "#NAME?")

    def test_a_macro_workbook_by_the_name_of_xlsx_becomes_one_without(self):
        source = edited(
            self.double(), self.here / "macro.xlsx", "[Content_Types].xml",
            b"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main",
            b"vnd.ms-excel.sheet.macroEnabled.main")
        self.assertEqual(self.recalculate(source)["status"], "ok")
        with zipfile.ZipFile(self.out) as archive:
            self.assertNotIn(b"macroEnabled",
                             archive.read("[Content_Types].xml"))

    def test_the_result_may_take_the_place_of_its_source(self):
        source = self.double()
        os.chmod(source, 0o644)
        if os.geteuid() == 0:
            os.chown(source, 12345, 23456)
        self.out = source
        before = os.stat(source)
        self.assertEqual(self.recalculate(source)["status"], "ok")
        self.assertEqual(value(source), 100)
        after = os.stat(source)
        self.assertEqual((after.st_uid, after.st_gid, after.st_mode),
                         (before.st_uid, before.st_gid, before.st_mode))
        self.assertEqual(os.listdir(self.here), ["double.xlsx"])

    def test_a_link_at_the_target_is_replaced_not_followed(self):
        victim = self.here / "victim"
        victim.write_text("as it was")
        os.symlink(victim, self.out)
        self.works()
        self.assertEqual(victim.read_text(), "as it was")
        self.assertFalse(os.path.islink(self.out))

    def test_requests_at_once_are_answered_one_after_the_other(self):
        numbers = []
        for n in range(6):
            source = self.double(n, f"s{n}.xlsx")
            numbers.append(self.service.send("recalculate", **{
                "in": source, "out": str(self.here / f"o{n}.xlsx")}))
        replies = [self.service.reply() for _ in numbers]
        self.assertEqual([reply["id"] for reply in replies], numbers)
        self.assertEqual([value(self.here / f"o{n}.xlsx") for n in range(6)],
                         [0, 2, 4, 6, 8, 10])

    def test_functions_of_time_and_chance_are_reported(self):
        source = workbook(self.here / "now.xlsx", [["=NOW()", "=RAND()"]])
        self.assertEqual(self.recalculate(source)["volatile"], ["NOW", "RAND"])
        self.assertEqual(self.recalculate(self.double())["volatile"], [])


@support.needs_office
class Refusals(Case):
    def file(self, name, content):
        (self.here / name).write_bytes(content)
        return self.here / name

    def test_what_is_no_workbook_is_invalid(self):
        with open(self.double(), "rb") as whole:
            content = whole.read()
        os.symlink(self.here / "double.xlsx", self.here / "link")
        os.mkfifo(self.here / "fifo")
        with zipfile.ZipFile(self.here / "bomb", "w",
                             zipfile.ZIP_DEFLATED) as archive:
            with archive.open("xl/bomb.xml", "w", force_zip64=True) as part:
                for _ in range(300):
                    part.write(bytes(1 << 20))
        for name, expected in (
                (self.file("empty.xlsx", b""), "is empty"),
                (self.file("cut.xlsx", content[:-40]), "no .xlsx"),
                (self.file("csv.xlsx", b"a,=1+1\n"), "no .xlsx"),
                (self.file("html.xlsx", b"<table><tr><td>=1"), "no .xlsx"),
                (self.file("text.xlsx", b"=1+1"), "no .xlsx"),
                (self.file("ole.xlsx", bytes.fromhex("d0cf11e0a1b11ae1")),
                 "encrypted"),
                (self.here / "nowhere.xlsx", "No such file"),
                (self.here / "link", "symbolic link"),
                (self.here / "fifo", "not a regular file"),
                (self.here / "bomb", "inflates to")):
            with self.subTest(name):
                reply = self.recalculate(name)
                self.assertEqual(reply["status"], "invalid")
                self.assertIn(expected, reply["detail"])
        self.assertFalse(os.path.exists(self.out))
        self.works()

    def test_a_workbook_that_only_libreoffice_finds_broken_is_invalid(self):
        source = edited(self.double(), self.here / "broken.xlsx",
                        "xl/workbook.xml", b"<sheets>", b"<sheets></oops>")
        reply = self.recalculate(source)
        self.assertEqual(reply["status"], "invalid", reply)
        self.works()

    def test_requests_that_make_no_sense_are_answered_by_name(self):
        good = {"in": "/a", "out": "/b"}
        for fields, expected in (
                ({"op": "dance"}, "op"), ({"op": "recalculate"}, "in"),
                ({"op": "recalculate", "in": "a", "out": "/b"}, "in"),
                ({"op": "recalculate", "in": "/a"}, "out"),
                ({"op": "recalculate", **good, "timeout_ms": 0}, "timeout_ms"),
                ({"op": "recalculate", **good, "timeout_ms": True},
                 "timeout_ms")):
            with self.subTest(fields):
                self.assertRegex(self.service.ask(**fields)["error"],
                                 rf"^{expected}:")
        self.service.raw(b"no json")
        self.assertIn("error", self.service.reply())
        self.works()

    def test_a_target_that_cannot_be_written_is_not_the_workbooks_fault(self):
        reply = self.recalculate(self.double(), out="/nowhere/at/all.xlsx")
        self.assertEqual(reply["status"], "failed")


@support.needs_office
class Faults(Case):
    def test_killed_in_the_middle_it_does_the_document_again(self):
        office = office_of(self.service)
        os.kill(office, signal.SIGSTOP)  # so that it is in the middle
        number = self.service.send("recalculate", **{
            "in": self.double(), "out": self.out})
        os.kill(office, signal.SIGKILL)
        reply = self.service.reply()
        self.assertEqual((reply["id"], reply["status"]), (number, "ok"))
        self.assertEqual(value(self.out), 100)

    def test_hung_it_is_replaced_at_the_deadline(self):
        office = office_of(self.service)
        watched = os.pidfd_open(office)
        os.kill(office, signal.SIGSTOP)
        reply = self.recalculate(self.double(), timeout_ms=3000)
        self.assertEqual((reply["status"], value(self.out)), ("ok", 100))
        self.assertGreaterEqual(reply["elapsed_ms"], 3000)
        await_end([watched])

    def test_formulas_that_exceed_the_deadline_twice_are_a_timeout(self):
        rows = [[n, f"=SUMPRODUCT((A$1:A$20000>A{n})*1)"]
                for n in range(1, 20001)]
        source = workbook(self.here / "slow.xlsx", rows)
        reply = self.recalculate(source, timeout_ms=700)
        self.assertEqual(reply["status"], "timeout")
        self.assertFalse(os.path.exists(self.out))
        self.works()


@support.needs_office
class Lives(Case):
    words = ("--retire-after", 10)

    def test_it_is_retired_after_its_share_and_nothing_is_lost(self):
        offices = set()
        for n in range(30):
            # Answered when it has been replaced, if it was.
            self.service.ask("nothing")
            offices.add(office_of(self.service))
            reply = self.recalculate(self.double(n))
            self.assertEqual((reply["status"], value(self.out)), ("ok", 2 * n))
        self.assertEqual(len(offices), 3)


@support.needs_office
class Ends(Case):
    """In the sandbox and, where a machine allows none, without."""

    @classmethod
    def setUpClass(cls):
        pass

    def started(self, isolation):
        service = Service(self, "recalc_server.py", "--profile",
                          self.here / "profile", "--isolation", isolation)
        self.works(service)
        below = set(family(service.process.pid)) - {service.process.pid}
        return service, [os.pidfd_open(pid) for pid in below]

    def test_one_process_a_profile_and_killed_it_leaves_none_below(self):
        for isolation in ("auto", "none"):
            with self.subTest(isolation):
                service, watched = self.started(isolation)
                self.assertIn("another process uses it", self.fails(
                    "--profile", self.here / "profile"))
                service.process.kill()
                await_end(watched)

    def test_the_end_of_input_ends_all_even_in_the_middle(self):
        for isolation in ("auto", "none"):
            with self.subTest(isolation):
                before = set(os.listdir("/tmp"))
                service, watched = self.started(isolation)
                os.kill(office_of(service), signal.SIGSTOP)
                service.send("recalculate", **{"in": self.double(),
                                               "out": self.out})
                self.assertEqual(service.end(), 0)
                await_end(watched)
                left = set(os.listdir("/tmp")) - before
                self.assertFalse([name for name in left if
                                  name.startswith(("OSL_PIPE", "lu"))])

    def test_a_directory_of_its_own_is_removed(self):
        os.environ["TMPDIR"] = str(self.here)
        try:
            service = Service(self, "recalc_server.py")
        finally:
            del os.environ["TMPDIR"]
        self.assertEqual(len(os.listdir(self.here)), 1)
        self.assertEqual(service.end(), 0)
        self.assertEqual(os.listdir(self.here), [])

    def test_without_libreoffice_it_says_what_to_install(self):
        self.assertIn("install libreoffice-calc",
                      self.fails("--office", "no-such-office"))
        self.assertIn("not LibreOffice", self.fails("--office", "/bin/true"))

    def test_a_probe_says_what_is_here_and_starts_nothing(self):
        said = json.loads(self.run_it("--probe").stdout)
        self.assertEqual(set(said), {"recalculation", "office", "isolation"})

    def run_it(self, *words):
        return subprocess.run(
            [sys.executable, "-B", str(MODULES / "recalc_server.py"),
             *map(str, words)], stdin=subprocess.DEVNULL, text=True,
            capture_output=True, timeout=60)

    def fails(self, *words):
        ended = self.run_it(*words)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        return ended.stderr


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
