"""What a LibreOffice that was taken over cannot do, on each rung, as root and
as an ordinary user."""

import json
import os
import shutil
import socket
import unittest
from pathlib import Path

import support
from support import NOBODY, Service, as_user, family, folder, workbook

from escape_testing import check_refusal, check_status, rungs_and_users
from recalc_testing import needs
import kernel_attacks
import kernel_machines

# 32 | 4096: remount, of a bind mount. 101: ptrace; 310, 311: memory of others.
ROOT = '''
for name in ("/usr", "/", "/proc", os.getcwd()):
    harm("remount " + name, lambda: call(165, b"none", name.encode(), b"none",
                                         32 | 4096, 0))
    harm("bind " + name, lambda: call(165, b"/tmp", name.encode(), b"", 4096, 0))
for path in ("/usr/lib/here", "/usr/here", {marker!r}):
    harm("write " + path, lambda: write(path))
harm("namespace", lambda: call(272, 0x10000000))
harm("root", lambda: os.setresuid(0, 0, 0))
if os.getuid() == 0 or os.geteuid() == 0:
    print("HARM is root")
for number in (101, 310, 311):
    for pid in (os.getppid(), 1, {host}):
        harm("trace %d" % number, lambda: call(number, 16, pid, 0, 0, 0, 0))
'''

# What connects is a socket it has, from before it was ready or a new one.
LISTENERS = '''
def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as made:
        made.connect(address)
harm("loopback", lambda: connect(socket.AF_INET, ("127.0.0.1", {port})))
'''
NEIGHBOURS = '''
harm("socket of others", lambda: connect(socket.AF_UNIX, {listener!r}))
harm("abstract socket", lambda: connect(socket.AF_UNIX, {abstract!r}))
'''

# Its connection to its client is a socket; nothing is sent here.
OWN = "HARM send descriptors 0"


def put_fake_office(place):
    program = place / "fake/program"
    program.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("fake_office.py"),
                program / "soffice.bin")
    os.chmod(program / "soffice.bin", 0o755)
    return program / "soffice.bin"


class Taken:
    """The rungs are below."""

    rung, user = "", None

    @classmethod
    def setUpClass(cls):
        needs(cls.rung)
        cls.place = folder(cls)
        cls.listeners = cls.listen()
        office = put_fake_office(cls.place)
        home = cls.place / "home"
        home.mkdir()
        workbook(cls.place / "book.xlsx", [["=1+1"]])
        if cls.user is not None:
            for path in (home, cls.place / "book.xlsx"):
                os.chown(path, cls.user, cls.user)
        cls.attacks(office, os.getpid())
        cls.service = Service(cls, "recalc_server.py", "--rung", cls.rung,
                              "--office", office, "--profile", home,
                              **as_user(cls.user))
        cls.box = home / "first/box"
        cls.reply = cls.service.ask("recalculate", **{
            "in": str(cls.place / "book.xlsx"),
            "out": str(cls.place / "out.xlsx")})

    @classmethod
    def listen(cls):
        """Name -> socket that nobody may connect to."""
        made = {"port": socket.create_server(("127.0.0.1", 0))}
        for name, address in (("listener", str(cls.place / "listener")),
                              ("abstract", f"\0office-{os.getpid()}")):
            made[name] = socket.socket(socket.AF_UNIX)
            made[name].bind(address)
            made[name].listen()
        os.chmod(cls.place / "listener", 0o777)
        for one in made.values():
            cls.addClassCleanup(one.close)
        return made

    @classmethod
    def attacks(cls, office, host):
        secret = cls.place / "golden.xlsx"
        secret.write_text("the golden answer")
        os.chmod(secret, 0o666)
        if cls.user is not None:
            os.chown(secret, cls.user, cls.user)
        cls.secret = secret
        names = {"secret": str(secret), "other": str(cls.place / "book.xlsx"),
                 "host": host, "zygote": host, "marker": str(cls.place / "new"),
                 "port": cls.listeners["port"].getsockname()[1],
                 "listener": str(cls.place / "listener"),
                 "abstract": f"\0office-{os.getpid()}"}
        always = [kernel_attacks.TRIES, *(
            code.format(**names) for code in
            (kernel_attacks.FILES, kernel_attacks.METADATA, ROOT, LISTENERS))]
        ready = [kernel_attacks.PROCESSES.format(**names),
                 kernel_attacks.NETWORK, NEIGHBOURS.format(**names),
                 kernel_attacks.CALLS, kernel_attacks.LINKS.format(**names)]
        office.with_name("attacks.json").write_text(json.dumps(
            {"at_start": always, "ready": always + ready}))

    def report(self, name):
        done = (self.box / name).read_text().splitlines()
        self.assertEqual(done[-1], "done")
        return [line for line in done[:-1] if not line.startswith(OWN)]

    def test_nothing_that_it_tries_with_a_workbook_succeeds(self):
        self.assertEqual(self.reply["status"], "invalid", self.reply)
        self.assertEqual(self.report("report"), [])

    def test_nor_at_its_start_but_for_processes_and_sockets(self):
        self.assertEqual(self.report("report-at-start"), [])

    def test_nobody_was_connected_and_no_file_outside_was_touched(self):
        for name, listener in self.listeners.items():
            listener.setblocking(False)
            with self.assertRaises(BlockingIOError, msg=name):
                listener.accept()
        self.assertEqual(self.secret.read_text(), "the golden answer")
        self.assertEqual(sorted(os.listdir(self.place)), [
            "book.xlsx", "fake", "golden.xlsx", "home", "listener"])
        self.assertFalse(os.path.exists("/usr/here"))

    def test_it_is_not_root_and_has_no_capability(self):
        office, = (pid for pid, name in family(self.service.process.pid).items()
                   if name == "soffice.bin")
        check_status(self, office, self.user)


globals().update(rungs_and_users(Taken))


class Unconfined(unittest.TestCase):
    """A machine without Landlock; the other half of the tests above."""

    @support.needs_office
    def test_without_a_rung_it_refuses_in_one_line_that_says_why(self):
        check_refusal(self, "recalc_server.py",
                      "LibreOffice does not open workbooks")

    @support.needs_office
    def test_unsafe_it_does_the_harm_that_is_looked_for(self):
        place = folder(self)
        if os.geteuid() == 0:
            os.chown(place, NOBODY, NOBODY)
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        office = put_fake_office(place)
        secret = place / "secret"
        secret.write_text("secret")
        os.chmod(secret, 0o644)
        office.with_name("attacks.json").write_text(json.dumps(
            {"at_start": [], "ready": [kernel_attacks.TRIES, LISTENERS.format(
                port=listener.getsockname()[1]),
                f"harm('read', lambda: read({str(secret)!r}))",
                "harm('program', lambda: os.posix_spawn('/bin/true', ['true'], {}))"
            ]}))
        service = Service(
            self, "recalc_server.py", "--unsafe-exec", "--office", office,
            "--profile", place / "home",
            preexec_fn=kernel_machines.without_landlock,
            **as_user(NOBODY if os.geteuid() == 0 else None))
        self.assertEqual(service.hello["isolation"], "none (unsafe)")
        service.ask("recalculate", **{
            "in": workbook(place / "book.xlsx", [["=1+1"]]),
            "out": str(place / "out.xlsx")})
        said = (place / "home/first/box/report").read_text()
        for harm in ("loopback", "read", "program"):
            self.assertIn(f"HARM {harm} ", said)


if __name__ == "__main__":
    unittest.main()
