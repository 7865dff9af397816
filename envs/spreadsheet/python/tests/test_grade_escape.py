"""What the process that reads answers cannot do, were it taken over, as root
and as an ordinary user."""

import json
import os
import socket
import subprocess
import sys
import unittest
from pathlib import Path

import support
from support import MODULES, NOBODY, Service, as_user, family, folder, workbook

sys.path.append(str(MODULES / "kernel/tests"))
import kernel_attacks
import kernel_machines

# It ends with what the attacks printed; there is nobody to talk to.
TAKEN = """
import json, os, sys
sys.path[:0] = {modules!r}
import grade_cell
attacks = json.load(sys.stdin)
grade_cell.find(512, {unsafe}).close(os.getppid())
os.chdir("/")
for code in attacks:
    exec(code)
print("done", flush=True)
"""


def taken(user, attacks, unsafe=False, **more):
    ended = subprocess.run(
        [sys.executable, "-B", "-c",
         TAKEN.format(modules=[str(MODULES), str(MODULES / "grade")],
                      unsafe=unsafe)],
        input=json.dumps([kernel_attacks.TRIES, *attacks]), text=True,
        capture_output=True, timeout=support.PATIENCE_S, **as_user(user),
        **more)
    return ended.stdout + ended.stderr


class Attacks:
    user = None

    def test_nothing_that_it_tries_succeeds(self):
        here = folder(self)
        secret = here / "golden.xlsx"
        secret.write_text("the golden answer")
        os.chmod(secret, 0o666)
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        names = {"secret": str(secret), "other": str(here / "other"),
                 "host": os.getpid(), "zygote": os.getpid()}
        attacks = [code.format(**names) for code in (
            kernel_attacks.FILES, kernel_attacks.METADATA,
            kernel_attacks.PROCESSES)]
        attacks += [kernel_attacks.NETWORK, kernel_attacks.CALLS]
        self.assertEqual(taken(self.user, attacks), "done\n")
        self.assertEqual(secret.read_text(), "the golden answer")
        self.assertEqual(os.listdir(here), ["golden.xlsx"])

    def test_the_process_that_grades_is_such_a_one(self):
        here = folder(self)
        answer = workbook(here / "answer.xlsx", [[1]])
        os.chmod(answer, 0o644)
        grader = Service(self, "grade/grade_server.py", **as_user(self.user))
        self.assertEqual(grader.hello["isolation"], "landlock+seccomp")
        reply = grader.ask("grade", answer=answer, golden=answer,
                           position="A1")
        self.assertTrue(reply["official"]["passed"], reply)
        child, = set(family(grader.process.pid)) - {grader.process.pid}
        facts = dict(line.split(":\t", 1) for line in
                     Path(f"/proc/{child}/status").read_text().splitlines()
                     if ":\t" in line)
        self.assertNotIn("0", facts["Uid"].split())
        self.assertEqual([int(facts[name], 16) for name in
                          ("CapInh", "CapPrm", "CapEff", "CapAmb")], [0] * 4)
        self.assertEqual((facts["NoNewPrivs"], facts["Seccomp"]), ("1", "2"))


class OfThisUser(Attacks, unittest.TestCase):
    """Root, mostly."""


@support.needs_root
class OfNobody(Attacks, unittest.TestCase):
    user = NOBODY


class Unconfined(unittest.TestCase):
    def test_without_landlock_it_refuses_in_one_line_that_says_why(self):
        ended = subprocess.run(
            [sys.executable, "-B", str(MODULES / "grade/grade_server.py")],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            preexec_fn=kernel_machines.without_landlock)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertEqual(ended.stderr.count("\n"), 1)
        for told in ("no Landlock", "workbooks are not opened",
                     "--unsafe-exec"):
            self.assertIn(told, ended.stderr)

    def test_unsafe_it_does_the_harm_that_is_looked_for(self):
        said = taken(NOBODY if os.geteuid() == 0 else None, [
            "harm('read', lambda: read('/etc/passwd'))",
            "harm('socket', socket.socket)"], unsafe=True,
            preexec_fn=kernel_machines.without_landlock)
        self.assertIn("HARM read", said)
        self.assertIn("HARM socket", said)


if __name__ == "__main__":
    unittest.main()
