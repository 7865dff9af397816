"""A recalculation to ask, for the tests of it."""

import sys
import unittest

import openpyxl
from support import (MODULES, PATIENCE_S, Service, children, family, folder,
                     shared, workbook)

sys.path.append(str(MODULES / "kernel/tests"))
from kernel_testing import machine

SHEET = "xl/worksheets/sheet1.xml"


def rungs():
    """Those that work here; without one, the tests that ask are skipped."""
    found = machine()["rungs"]
    works = [rung for rung, said in found.items() if said.startswith("works")]
    if not works:
        raise unittest.SkipTest(f"no rung of isolation works here: {found}")
    return works


def needs(rung):
    said = machine()["rungs"][rung]
    if not said.startswith("works"):
        raise unittest.SkipTest(f"no rung {rung} here: {said}")


def value(path, cell="A2"):
    return openpyxl.load_workbook(path, data_only=True).active[cell].value


def office_of(service):
    """The one LibreOffice below it."""
    pid, = (pid for pid, name in family(service.process.pid).items()
            if name == "soffice.bin")
    return pid


def reader_of(service):
    """The one process that it started which started none."""
    pid, = (pid for pid in children(service.process.pid)
            if not children(pid))
    return pid


class Case(unittest.TestCase):
    words = ()

    @classmethod
    def setUpClass(cls):
        cls.service = (Service(cls, "recalc_server.py", *cls.words)
                       if cls.words else shared("recalc_server.py"))

    def setUp(self):
        self.here = folder(self)
        self.out = str(self.here / "out.xlsx")

    def recalculate(self, source, service=None, **more):
        return (service or self.service).ask(
            "recalculate", **{"in": str(source), "out": self.out,
                              "timeout_ms": PATIENCE_S * 1000, **more})

    def double(self, number=50, name="double.xlsx"):
        return workbook(self.here / name, [[number], ["=A1*2"]])

    def works(self, service=None):
        reply = self.recalculate(self.double(), service)
        self.assertEqual((reply["status"], value(self.out)), ("ok", 100))
