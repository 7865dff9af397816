"""What the host and the zygote keep of their rights: neither runs code of a
model, and both talk to what does."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import kernel_attacks
from kernel_processes import await_true, descendants, kill
from kernel_testing import (MODULES, NOBODY, PYTHON, machine, rungs_and_users)

import kernel_rights
import sandbox

OF_ZYGOTE = (sandbox.CAP_KILL, sandbox.CAP_SETGID, sandbox.CAP_SETUID)


def facts(pid):
    return dict(line.split(":\t", 1) for line in
                Path(f"/proc/{pid}/status").read_text().splitlines()
                if ":\t" in line)


def mask(capabilities):
    return sum(1 << number for number in capabilities)


class Rights:
    """Of a running host and what it started."""

    def zygote(self):
        """The one whose children are kernels."""
        found = {int(facts(pid)["PPid"]) for pid in
                 descendants(self.host.process.pid)
                 if not descendants(pid)}
        self.assertEqual(len(found), 1)
        return found.pop()

    def check(self, pid, kept):
        told = facts(pid)
        self.assertEqual((told["NoNewPrivs"], told["Seccomp"]), ("1", "2"))
        for name in ("CapPrm", "CapEff", "CapInh", "CapAmb"):
            self.assertEqual(int(told[name], 16) & ~mask(kept), 0, name)

    def test_host_and_zygote_keep_no_more_than_they_need(self):
        root = self.user is None and os.geteuid() == 0
        for turn in range(2):
            self.check(self.host.process.pid,
                       kernel_rights.KEPT if root else ())
            self.check(self.zygote(), OF_ZYGOTE if root else ())
            if turn == 0:
                self.lose_zygote()

    def lose_zygote(self):
        """The next one is started by a host that has less rights."""
        kill(self.zygote())
        await_true(lambda: "error" in self.host.run(self.witness, "1"),
                   "the loss is noticed")
        for kernel in (self.witness, self.kernel):
            self.host.close(kernel)
        self.kernel = self.host.open(f"{self.name}-again")
        type(self).witness = self.host.open("witness-again")
        self.host.run(self.witness, "kept = 41")


globals().update(rungs_and_users(Rights))

TAKEN = """
import sys
sys.path[:0] = {modules!r}
import kernel_rights, kernel_zygote, os, sandbox
{confine}
"""
HARM = """
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_PACKET):
    harm("socket", lambda: socket.socket(family, socket.SOCK_RAW))
    harm("socket", lambda: socket.socket(family, socket.SOCK_STREAM))
for name, number, words in [
        ("mount", 165, (b"none", b"/tmp", b"tmpfs", 0, 0)),
        ("umount", 166, (b"/tmp", 0)), ("chroot", 161, (b"/",)),
        ("namespace of another", 308, (0, 0)),
        ("attach", 101, (16, os.getppid(), 0, 0)),
        ("seize", 101, (0x4206, os.getppid(), 0, 0)),
        ("bpf", 321, (0, bytes(64), 64)), ("perf", 298, (bytes(112), 0, -1)),
        ("io_uring", 425, (8, bytes(120))), ("keyctl", 250, (0, -3, 1)),
        ("module", 175, (bytes(8), 8, b"")), ("iopl", 172, (3,)),
        ("open_by_handle", 304, (-100, bytes(32), 0)),
        ("mknod", 133, (b"/tmp/dev", 0o60600, 0x0700)),
        ("host name", 170, (b"x", 1)), ("swapoff", 168, (b"/none",)),
        ("x32 getpid", 0x40000000 | 39, ())]:
    harm(name, lambda: call(number, *words))
"""
FILES = """
for path in ("/etc/passwd", "/etc/shadow", {secret!r}):
    harm("read " + path, lambda: read(path))
    harm("write " + path, lambda: write(path))
harm("write memory", lambda: open("/proc/%d/mem" % os.getppid(), "wb"))
"""
OF_A_ZYGOTE = """
harm("program", lambda: os.execv("/usr/bin/true", ["true"]))
for family in (socket.AF_UNIX, socket.AF_NETLINK):
    harm("socket", lambda: socket.socket(family, socket.SOCK_RAW))
harm("namespace", lambda: call(272, 0x10000000))
"""


class TakenOver(unittest.TestCase):
    """One that was taken over after it gave up its rights."""

    def harm(self, confine, *attacks):
        with tempfile.TemporaryDirectory() as place:
            os.chmod(place, 0o755)
            secret = Path(place, "golden.xlsx")
            secret.write_text("the golden answer")
            os.chmod(secret, 0o666)
            users = (None, NOBODY) if os.geteuid() == 0 else (None,)
            for user in users:
                workspaces = os.path.join(place, f"of-{user}")
                os.mkdir(workspaces)
                more = {} if user is None else {
                    "user": user, "group": user, "extra_groups": []}
                code = TAKEN.format(
                    modules=[str(MODULES), str(MODULES.parent)],
                    confine=confine.format(workspaces)) \
                    + kernel_attacks.TRIES + "".join(
                        one.format(secret=str(secret)) for one in attacks)
                done = subprocess.run([PYTHON, "-B", "-c",
                                       code + "\nprint('done')"],
                                      capture_output=True, text=True, **more)
                self.assertEqual(done.stdout + done.stderr, "done\n", user)

    def needs(self, rung):
        found = machine()["rungs"][rung]
        if not found.startswith("works"):
            self.skipTest(f"no rung {rung} here: {found}")

    def test_host_without_bubblewrap_opens_and_reaches_nothing(self):
        self.needs("landlock")
        self.harm("kernel_rights.give_up('landlock', {!r})", HARM, FILES)

    def test_host_with_bubblewrap_reaches_nothing(self):
        self.needs("bubblewrap")
        self.harm("kernel_rights.give_up('bubblewrap', {!r})", HARM)

    def test_zygote_opens_and_reaches_nothing_and_starts_no_program(self):
        self.needs("landlock")
        self.harm("sandbox.keep_capabilities(*(5, 6, 7))\n"
                  "kernel_zygote._confine({!r})", HARM, FILES, OF_A_ZYGOTE)


if __name__ == "__main__":
    unittest.main()
