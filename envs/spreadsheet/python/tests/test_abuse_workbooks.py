"""Workbooks that are made to do harm, through kernel, LibreOffice and grader,
on every rung, as root and as an ordinary user."""

import os
import secrets
import shutil
import socket
import struct
import unittest
import zipfile
import zlib
from pathlib import Path

import openpyxl
from escape_testing import rungs_and_users
from support import PATIENCE_S, Service, as_user, folder, workbook
from workbook_abuse import Bait
from workbook_abuse_table import ROWS

from recalc_testing import needs
from kernel_testing import Host

DEADLINE_MS = 10_000  # of one attempt; a service makes two

# Reads the workbook as code of a model does, and saves it.
CELL = """
import openpyxl
try:
    openpyxl.load_workbook("input.xlsx").save("output.xlsx")
    print([[cell.value for cell in row] for row in openpyxl.load_workbook(
        "input.xlsx", data_only=True).active["A1:C9"]])
except Exception as problem:
    print(type(problem).__name__, problem)
"""


def image(note):
    """A PNG of one pixel, with a note in it."""
    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(
        ">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) + chunk(b"tEXt", b"a\0" + note)
        + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b""))


def everything_in(path):
    """The bytes of a file and of its parts."""
    content = Path(path).read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            content += b"".join(map(archive.read, archive.namelist()))
    return content


class Abuses:
    rung, user = "", None

    @classmethod
    def setUpClass(cls):
        needs(cls.rung)
        cls.here = folder(cls)
        cls.listener = socket.create_server(("127.0.0.1", 0))
        cls.listener.setblocking(False)
        cls.addClassCleanup(cls.listener.close)
        cls.bait()
        home = cls.here / "home"
        home.mkdir()
        cls.work = cls.here / "work"
        cls.work.mkdir()
        for path in (home, cls.work):
            cls.give(path)
        cls.office = Service(cls, "recalc_server.py", "--rung", cls.rung,
                             "--profile", home, **as_user(cls.user))
        cls.grader = Service(cls, "grade/grade_server.py", "--deadline-ms",
                             DEADLINE_MS, **as_user(cls.user))
        cls.host = Host("--rung", cls.rung, user=cls.user)
        cls.addClassCleanup(cls.host.end)
        cls.good = cls.put(workbook(cls.here / "good.xlsx", [[7, "=A1*6"]]))
        cls.kernels = 0
        cls.witness = cls.host.open("witness")

    @classmethod
    def give(cls, path):
        if cls.user is not None:
            os.chown(path, cls.user, cls.user)

    @classmethod
    def bait(cls):
        cls.canary = "canary" + secrets.token_hex(8)
        cls.outside = cls.here / "outside"
        cls.outside.mkdir()
        (cls.outside / "a.png").write_bytes(image(cls.canary.encode()))
        workbook(cls.outside / "b.xlsx", [[cls.canary]], sheet="Sheet")
        for path in (cls.outside, *cls.outside.iterdir()):
            os.chmod(path, 0o700)
            cls.give(path)
        port = cls.listener.getsockname()[1]
        cls.baits = Bait(f"http://127.0.0.1:{port}",
                         str(cls.outside / "a.png"),
                         str(cls.outside / "b.xlsx"))
        cls.before = cls.state()

    @classmethod
    def state(cls):
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns,
                            path.stat().st_mode)
                for path in cls.outside.iterdir()}

    @classmethod
    def put(cls, path):
        target = cls.work / Path(path).name
        shutil.copyfile(path, target)
        cls.give(target)
        return str(target)

    def recalculate(self, source, cell=None):
        out = self.work / "out.xlsx"
        out.unlink(missing_ok=True)
        reply = self.office.ask("recalculate", **{
            "in": source, "out": str(out), "timeout_ms": (
                1000 * PATIENCE_S if cell else DEADLINE_MS)})
        if cell:
            self.assertEqual(reply["status"], "ok", reply)
            self.assertEqual(openpyxl.load_workbook(
                out, data_only=True).active[cell].value, 42)
        self.assertIn(reply["status"],
                      ("ok", "unchanged", "invalid", "timeout",
                       "crashed"), reply)
        return everything_in(out) if out.exists() else b""

    def grade(self, answer):
        return str(self.grader.ask("grade", answer=answer, golden=self.good,
                                   position="A1:A1"))

    def in_kernel(self, source):
        type(self).kernels += 1
        name = f"k{self.kernels}"
        place = Path(self.host.workspace(name))
        shutil.copyfile(source, place / "input.xlsx")
        if self.user is not None:
            os.chown(place / "input.xlsx", self.user, self.user)
        kernel = self.host.ask(op="open", workspace=str(place))["kernel"]
        said = self.host.run(kernel, CELL, DEADLINE_MS)
        self.host.close(kernel)
        output = place / "output.xlsx"
        return said["output"].encode() + (
            everything_in(output) if output.exists() else b"")

    def untouched(self):
        self.assertEqual(self.state(), self.before)
        with self.assertRaises(BlockingIOError, msg="it was connected"):
            self.listener.accept()

    def test_nothing_is_reached_and_all_go_on(self):
        for name, make in ROWS.items():
            with self.subTest(name):
                path = self.here / "abuse.xlsx"
                make(self.baits, str(path))
                source = self.put(path)
                results = (self.recalculate(source), self.in_kernel(source),
                           self.grade(source).encode())
                for result in results:
                    self.assertNotIn(self.canary.encode(), result)
                self.untouched()
                self.recalculate(self.good, "B1")
                self.assertIn("'passed': True", self.grade(self.good))
                self.assertEqual(self.host.run(self.witness, "6 * 7")["output"],
                                 "42\n")
        self.assertGreaterEqual(len(ROWS), 40)


globals().update(rungs_and_users(Abuses))


if __name__ == "__main__":
    unittest.main()
