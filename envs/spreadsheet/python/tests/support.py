"""What the tests share: a service to talk to, official data, small files."""

import atexit
import copy
import functools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

MODULES = Path(__file__).resolve().parents[1]
ROOT = MODULES.parents[2]
sys.path[:0] = [str(MODULES), str(MODULES / "grade"),
                str(MODULES / "tests/abuse")]

# How long is waited for what has to come: a busy machine takes its time, and
# nothing is gained by giving up early.
PATIENCE_S = 60

# What the grader says of a child that others kept from the processor.
STARVED = "got no processor"

_DATA = Path(os.environ.get("BREWERY_TEST_DATA", ROOT.parent / "shared/data"))
OFFICIAL = _DATA / "spreadsheetbench/all_data_912_v0.1"


def needs_official_data(test):
    return unittest.skipUnless((OFFICIAL / "dataset.json").is_file(),
                               f"no official tasks at {OFFICIAL}")(test)


NOBODY = 65534


def as_user(user):
    """More for subprocess: who it runs as."""
    return {} if user is None else {"user": user, "group": user,
                                    "extra_groups": []}


def needs_root(test):
    return unittest.skipUnless(
        os.geteuid() == 0, "only root can start a service as others")(test)


def needs_office(test):
    return unittest.skipUnless(
        shutil.which("soffice"), "no LibreOffice here: scripts/install_deps.sh "
        "--spreadsheets installs it")(test)


def official_cases():
    """(task, input, golden) of each case that is there."""
    for task in json.loads((OFFICIAL / "dataset.json").read_text("utf-8")):
        for number in (1, 2, 3):
            stem = OFFICIAL / "spreadsheet" / str(task["id"])
            files = [stem / f"{number}_{task['id']}_{kind}.xlsx"
                     for kind in ("input", "answer")]
            if all(file.is_file() for file in files):
                yield task, *map(str, files)


def one_case_a_task():
    """Of each official task another of its cases, always the same one."""
    tasks = {}
    for case in official_cases():
        tasks.setdefault(case[0]["id"], []).append(case)
    return [cases[turn % len(cases)]
            for turn, cases in enumerate(tasks.values())]


class Service:
    """A service as Brewery sees it; `ask` is one request. It ends with `case`:
    a test, or a class of them."""

    def __init__(self, case, script, *words, **more):
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(MODULES / script), *map(str, words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **more)
        if case is None:
            atexit.register(self.end)
        else:
            (case.addClassCleanup if isinstance(case, type)
             else case.addCleanup)(self.end)
        self._buffer = b""
        self.replies = {}  # that came before they were waited for
        self.number = 0
        self.hello = self.reply()

    def send(self, op, **fields):
        self.number += 1
        self.raw(json.dumps({"id": self.number, "op": op, **fields}).encode())
        return self.number

    def raw(self, line):
        self.process.stdin.write(line + b"\n")

    def line(self):
        while b"\n" not in self._buffer:
            if not select.select([self.process.stdout], [], [],
                                 2 * PATIENCE_S)[0]:
                raise TimeoutError("no reply")
            some = os.read(self.process.stdout.fileno(), 65536)
            if not some:
                raise EOFError("the service has ended")
            self._buffer += some
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def reply(self):
        """The next one; who waits is no reply."""
        while "waiting" in (said := self.line()):
            pass
        return said

    def wait(self, number):
        """The reply to that request, in whatever order they come."""
        while number not in self.replies:
            reply = self.reply()
            self.replies[reply["id"]] = reply
        return self.replies.pop(number)

    def ask(self, op, **fields):
        number = self.send(op, **fields)
        reply = self.reply()
        assert reply.pop("id") == number
        return reply

    def end(self):
        """Its exit status after the end of its input."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return status


@functools.lru_cache(maxsize=None)
def shared(script):
    """One for all tests that leave it as they found it: its start takes longer
    than most of them."""
    return Service(None, script)


def folder(case):
    made = tempfile.TemporaryDirectory()
    # What is confined has a user of its own, who passes it to what is its own.
    os.chmod(made.name, 0o711)
    (case.addClassCleanup if isinstance(case, type)
     else case.addCleanup)(made.cleanup)
    return Path(made.name)


def workbook(path, rows, sheet="Sheet1", **more):
    """A file as openpyxl writes it: formulas without values."""
    import openpyxl
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    for title, content in more.items():
        other = book.create_sheet(title)
        for row in content:
            other.append(row)
    book.save(path)
    return str(path)


def edited(source, target, part, old, new):
    """The same zip with other text in one part; fails if there was none."""
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(
            target, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            content = before.read(name)
            if name == part:
                assert old in content, f"{part} has no {old!r}"
                content = content.replace(old, new)
            after.writestr(name, content)
    return str(target)


def bomb(target, like=None):
    """A zip of a few kilobytes that inflates to 320 MiB: many names of one
    part. `like`: a workbook that it begins as."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        if like:
            with zipfile.ZipFile(like) as good:
                for name in good.namelist():
                    archive.writestr(name, good.read(name))
        archive.writestr("xl/bomb.xml", bytes(16 << 20))
        for number in range(19):
            again = copy.copy(archive.getinfo("xl/bomb.xml"))
            again.filename = f"xl/bomb{number}.xml"
            archive.infolist().append(again)
    return target


def children(pid):
    """Those that any of its threads started."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as listed:
            found += map(int, listed.read().split())
    return found


def family(pid):
    """A process and all its descendants: pid -> name."""
    found, names = [pid], {}
    for one in found:
        try:
            with open(f"/proc/{one}/comm") as name:
                names[one] = name.read().strip()
            found += children(one)
        except OSError:
            continue  # it has ended meanwhile
    return names


def await_end(watched):
    """Until each process of `watched` (from os.pidfd_open) has ended."""
    for descriptor in watched:
        ended = select.select([descriptor], [], [], PATIENCE_S)[0]
        os.close(descriptor)
        assert ended, "a process has not ended"
