"""Starts a kernel host for tests and asks it things."""

import functools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from kernel_processes import PATIENCE_S, descendants, left_over, watched

MODULES = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(MODULES), str(MODULES.parent)]
PYTHON = "/usr/bin/python3"
NOBODY = 65534


class Host:
    """A running kernel host with a directory for workspaces."""

    def __init__(self, *options, user=None, before=None):
        self.root = tempfile.mkdtemp(prefix="kernels-")
        self.workspaces = os.path.join(self.root, "workspaces")
        os.mkdir(self.workspaces)
        os.chmod(self.root, 0o755)
        more = {}
        if user is not None:
            os.chown(self.workspaces, user, user)
            more = {"user": user, "group": user, "extra_groups": []}
        self._user = user
        self._errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [PYTHON, "-B", str(MODULES / "kernel_host.py"), "--workspaces",
             self.workspaces, *options], cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors, preexec_fn=before,
            env={"SECRET": "of the parent", "PATH": "/usr/bin:/bin"}, **more)
        self._held, self._replies, self._asked = b"", {}, 0
        try:
            self.hello = self._line()
        except AssertionError:
            self.end()
            raise

    def errors(self):
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def _line(self):
        while b"\n" not in self._held:
            # Longer than a cell may take.
            ready, _, _ = select.select([self.process.stdout], [], [],
                                        2 * PATIENCE_S)
            if not ready:
                raise AssertionError("the host does not answer")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise AssertionError("the host has ended: " + self.errors())
            self._held += data
        line, _, self._held = self._held.partition(b"\n")
        return json.loads(line)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **request):
        self._asked += 1
        self.raw(json.dumps({"id": self._asked, **request}).encode() + b"\n")
        return self._asked

    def wait(self, request):
        while request not in self._replies:
            reply = self._line()
            self._replies[reply["id"]] = reply
        return self._replies.pop(request)

    def ask(self, **request):
        return self.wait(self.send(**request))

    def workspace(self, name):
        path = os.path.join(self.workspaces, name)
        os.mkdir(path)
        if self._user is not None:
            os.chown(path, self._user, self._user)
        return path

    def open(self, name):
        reply = self.ask(op="open", workspace=self.workspace(name))
        if "kernel" not in reply:
            raise AssertionError(reply["error"])
        return reply["kernel"]

    def run(self, kernel, code, timeout_ms=PATIENCE_S * 1000, **more):
        return self.ask(op="run", kernel=kernel, code=code,
                        timeout_ms=timeout_ms, **more)

    def close(self, kernel):
        return self.ask(op="close", kernel=kernel)

    def end(self):
        """The exit code after the end of its input."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self._errors.close()
            shutil.rmtree(self.root, ignore_errors=True)


@functools.lru_cache
def machine():
    """What --probe says here."""
    place = tempfile.mkdtemp(prefix="kernels-")
    try:
        done = subprocess.run(
            [PYTHON, "-B", str(MODULES / "kernel_host.py"), "--probe",
             "--workspaces", place], stdout=subprocess.PIPE, check=False)
        return json.loads(done.stdout)
    finally:
        os.rmdir(place)


class HostCase(unittest.TestCase):
    """One host for all tests of a class. With the rung `rung`; `user`: who
    the host runs as."""

    rung = "auto"
    user = None
    options = ()

    @classmethod
    def setUpClass(cls):
        if cls.user is not None and os.geteuid() != 0:
            raise unittest.SkipTest("only root can start a host as others")
        if cls.rung != "auto":
            found = machine()["rungs"][cls.rung]
            if not found.startswith("works"):
                raise unittest.SkipTest(f"no rung {cls.rung} here: {found}")
        cls.host = Host("--rung", cls.rung, *cls.options, user=cls.user)
        cls.witness = cls.host.open("witness")
        cls.host.run(cls.witness, "kept = 41")
        cls._names = 0

    @classmethod
    def tearDownClass(cls):
        handles = watched(descendants(cls.host.process.pid))
        cls.host.send(op="run", kernel=cls.witness, code="while True: pass")
        code = cls.host.end()
        left = left_over(handles)
        if code != 0 or left:
            raise AssertionError("after the end of its input: exit code "
                                 f"{code}, left over: {left}")

    def setUp(self):
        type(self)._names += 1
        self.name = f"episode-{self._names}"
        self._more = 0
        self.kernel = self.host.open(self.name)
        self.path = os.path.join(self.host.workspaces, self.name)

    def tearDown(self):
        self.assertEqual(list(self.host.close(self.kernel)), ["id"])
        # Whatever a test did, another kernel goes on.
        reply = self.host.run(self.witness, "kept + 1")
        self.assertEqual((reply["status"], reply["output"]), ("ok", "42\n"))

    def another(self):
        """One more kernel, for a test to lose."""
        self._more += 1
        return self.host.open(f"{self.name}-{self._more}")

    def run_cell(self, code, **more):
        return self.host.run(self.kernel, code, **more)

    def ok(self, code, **more):
        """The output of a cell that must work."""
        reply = self.run_cell(code, **more)
        self.assertEqual(reply["status"], "ok", reply)
        return reply["output"]


def rungs_and_users(base):
    """Name -> test case: `base` on each rung, with a host of this user's and
    with one of another's."""
    made = {}
    for rung in ("bubblewrap", "landlock"):
        for user, name in ((None, ""), (NOBODY, "OfNobody")):
            one = type(f"{base.__name__}In{rung.capitalize()}{name}",
                       (base, HostCase), {"rung": rung, "user": user,
                                          "__module__": base.__module__})
            made[one.__name__] = one
    return made
