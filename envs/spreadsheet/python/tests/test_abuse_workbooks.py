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
from support import (PATIENCE_S, STARVED, Service, as_user, folder,
                     workbook)
from workbook_abuse import Bait
from workbook_abuse_table import ROWS

from recalc_testing import machine, needs
from kernel_testing import Host

DEADLINE_MS = 15_000  # of recalculation, which makes two attempts
# For what hardly ends within two of them either, shorter ones do the same.
SLOW = {"huge dimensions", "rules for input"}
SLOW_MS = 8_000
GRADER_MS = 8_000  # of the grader, for all it is given: two attempts as well
RUN_MS = 5_000  # of a kernel, which makes one

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
                             GRADER_MS, **as_user(cls.user))
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

    def recalculate(self, source, out, timeout_ms, episode):
        (self.work / out).unlink(missing_ok=True)
        return self.office.send("recalculate", **{
            "in": source, "out": str(self.work / out), "episode": episode,
            "timeout_ms": timeout_ms})

    def grade(self, answer):
        return self.grader.send("grade", answer=answer, golden=self.good,
                                position="A1:A1")

    def abused(self, source, deadline_ms):
        """Gives a workbook to all three. The number of its recalculation, and
        what is to be called for what came of it."""
        type(self).kernels += 1
        name = f"k{self.kernels}"
        place = Path(self.host.workspace(name))
        shutil.copyfile(source, place / "input.xlsx")
        if self.user is not None:
            os.chown(place / "input.xlsx", self.user, self.user)
        kernel = self.host.ask(op="open", workspace=str(place))["kernel"]
        recalculation = self.recalculate(source, "out.xlsx", deadline_ms,
                                         "abuse")
        # Its rung is the same in all classes, so that two would try it twice.
        grade = self.grade(source) if self.rung == "landlock" else None
        run = self.host.send(op="run", kernel=kernel, code=CELL,
                             timeout_ms=RUN_MS)

        def results():
            status = self.office.wait(recalculation)["status"]
            self.assertIn(status, ("ok", "unchanged", "invalid", "timeout",
                                   "crashed"))
            yield self.content(self.work / "out.xlsx")
            if grade is not None:
                yield str(self.grader.wait(grade)).encode()
            yield self.host.wait(run)["output"].encode()
            self.host.close(kernel)
            yield self.content(place / "output.xlsx")
        return recalculation, results

    @staticmethod
    def content(path):
        return everything_in(path) if path.exists() else b""

    def neighbours_are_served(self):
        """Whatever else the services do."""
        recalculation = self.recalculate(self.good, "good-out.xlsx",
                                         1000 * PATIENCE_S, "honest")
        grade = self.grade(self.good)
        run = self.host.send(op="run", kernel=self.witness, code="6 * 7",
                             timeout_ms=1000 * PATIENCE_S)
        self.assertEqual(self.host.wait(run)["output"], "42\n")
        reply = self.grader.wait(grade)
        while STARVED in reply.get("error", ""):
            reply = self.grader.wait(self.grade(self.good))
        self.assertTrue(reply.get("official", {}).get("passed"), reply)
        reply = self.office.wait(recalculation)
        self.assertEqual(reply["status"], "ok", reply)
        self.assertEqual(openpyxl.load_workbook(
            self.work / "good-out.xlsx", data_only=True).active["B1"].value, 42)

    def untouched(self):
        self.assertEqual(self.state(), self.before)
        with self.assertRaises(BlockingIOError, msg="it was connected"):
            self.listener.accept()

    def rows(self):
        """All of them, or with BREWERY_SHARE=2 every other one: each once on
        each rung, and once for each user, if all of these can be tried."""
        share = int(os.environ.get("BREWERY_SHARE", "1"))
        if os.geteuid() != 0 or not all(
                said.startswith("works") for said in (
                    machine()["rungs"][rung]
                    for rung in ("bubblewrap", "landlock"))):
            share = 1
        first = (self.rung == "landlock") + (self.user is not None)
        for place, row in enumerate(ROWS.items(), first):
            if place % share == 0:
                yield row

    def test_nothing_is_reached_nobody_is_delayed_and_all_go_on(self):
        for name, make in self.rows():
            with self.subTest(name):
                path = self.here / "abuse.xlsx"
                make(self.baits, str(path))
                for scale in (1, 2, 5):  # for slow machines
                    abuse, results = self.abused(
                        self.put(path),
                        scale * SLOW_MS if name in SLOW else DEADLINE_MS)
                    self.neighbours_are_served()
                    queued = name in SLOW and abuse in self.office.replies
                    for result in results():
                        self.assertNotIn(self.canary.encode(), result)
                    self.untouched()
                    if not queued:
                        break
                else:
                    self.fail("its neighbours waited for it")
                self.neighbours_are_served()
        self.assertGreaterEqual(len(ROWS), 40)


globals().update(rungs_and_users(Abuses))


if __name__ == "__main__":
    unittest.main()
