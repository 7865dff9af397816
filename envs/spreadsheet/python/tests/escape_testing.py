"""What tests of processes that were taken over share: attacks from a process
that gave up what a service's child does, and what Linux says of one."""

import json
import os
import socket
import subprocess
import sys
import unittest
from pathlib import Path

import support
from support import MODULES, as_user

sys.path.append(str(MODULES / "kernel/tests"))
import kernel_attacks
import kernel_machines

# It ends with what the attacks printed; there is nobody to talk to.
_TAKEN = """
import json, os, sys
sys.path[:0] = {modules!r}
{confine}
attacks = json.load(sys.stdin)
os.chdir("/")
for code in attacks:
    exec(code)
print("done", flush=True)
"""


def taken(user, confine, attacks, **more):
    """What attacks print after the lines `confine` of Python."""
    ended = subprocess.run(
        [sys.executable, "-B", "-c", _TAKEN.format(
            modules=[str(MODULES), str(MODULES / "grade")], confine=confine)],
        input=json.dumps([kernel_attacks.TRIES, *attacks]), text=True,
        capture_output=True, timeout=support.PATIENCE_S, **as_user(user),
        **more)
    return ended.stdout + ended.stderr


class TakenOver:
    """For a TestCase: `confine` is what the process does before it reads."""

    confine, user = "", None

    def test_nothing_that_it_tries_succeeds(self):
        here = support.folder(self)
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
        self.assertEqual(taken(self.user, self.confine, attacks), "done\n")
        self.assertEqual(secret.read_text(), "the golden answer")
        self.assertEqual(os.listdir(here), ["golden.xlsx"])


def check_status(case, pid, user):
    """That it is not root, or `user`, and gave up what nobody gets back."""
    facts = dict(line.split(":\t", 1) for line in
                 Path(f"/proc/{pid}/status").read_text().splitlines()
                 if ":\t" in line)
    users = set(facts["Uid"].split())
    case.assertNotIn("0", users)
    if user is not None or os.getuid() != 0:
        case.assertEqual(users, {str(user or os.getuid())})
    case.assertEqual([int(facts[name], 16) for name in
                      ("CapInh", "CapPrm", "CapEff", "CapAmb")], [0] * 4)
    case.assertEqual((facts["NoNewPrivs"], facts["Seccomp"]), ("1", "2"))


def check_refusal(case, server, why):
    """Without Landlock a service ends at once, in one line with these words."""
    ended = subprocess.run(
        [sys.executable, "-B", str(MODULES / server)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
        preexec_fn=kernel_machines.without_landlock)
    case.assertEqual((ended.returncode, ended.stdout), (1, ""))
    case.assertEqual(ended.stderr.count("\n"), 1)
    for told in ("no Landlock", why, "--unsafe-exec"):
        case.assertIn(told, ended.stderr)


def rungs_and_users(base):
    """Name -> test case: `base` on each rung, as this user and as another."""
    made = {}
    for rung in ("bubblewrap", "landlock"):
        for user, name in ((None, ""), (support.NOBODY, "OfNobody")):
            one = support.needs_office(type(
                f"In{rung.capitalize()}{name}", (base, unittest.TestCase),
                {"rung": rung, "user": user, "__module__": base.__module__}))
            made[one.__name__] = support.needs_root(one) if user else one
    return made
