"""Which rungs of the isolation ladder this machine has, found by trying."""

import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, field
from typing import Dict, Optional, Tuple

import sandbox_launch
import sandbox_landlock
import sandbox_seccomp
import sandbox_users

RUNGS = ["bubblewrap", "landlock"]  # the best first
NAMES = {"bubblewrap": "bubblewrap+landlock+seccomp",
         "landlock": "landlock+seccomp", "none": "none (unsafe)"}
TRIAL_TIMEOUT_S = 20


class Refused(RuntimeError):
    """One line: why nothing is run, and what to do."""


@dataclass
class Probe:
    rungs: Dict[str, str] = field(default_factory=dict)  # name -> why
    works: Dict[str, bool] = field(default_factory=dict)
    base: Optional[int] = None  # see sandbox_users
    users: str = ""             # "own", or "shared: why"

    def best(self):
        return next((rung for rung in RUNGS if self.works.get(rung)), None)


def missing():
    """What every rung needs and is not here, or None."""
    if not sandbox_seccomp.machine_known():
        return ("the seccomp filter knows x86-64 only, and this is "
                f"{os.uname().machine}")
    abi, why = sandbox_landlock.version()
    return None if abi else "no Landlock: " + why


def _answer(launched):
    launched.control.settimeout(TRIAL_TIMEOUT_S)
    try:
        data = launched.control.recv(1 << 16)
    except TimeoutError:
        return f"no answer within {TRIAL_TIMEOUT_S} s"
    return json.loads(data)["wrong"] if data else None


def _last_line(errors):
    with open(errors, "rb", closefd=False) as file:
        file.seek(0)
        lines = file.read(1 << 16).decode("utf-8", "replace").split("\n")
    lines = [line.strip() for line in lines if line.strip()]
    return lines[-1][:300] if lines else "it ended without a word"


@dataclass(frozen=True)
class Subject:
    """For whom a rung is tried."""

    option: str        # names the place
    # A program that starts others, as one user, and not kernels.
    program: bool = False
    readable: Tuple[str, ...] = ()

    def user_inside(self, rung, base):
        """Whom the trial becomes; None: it is that user from its start."""
        if base is None or self.program:
            return None
        return 1 if rung == "bubblewrap" else base + 1

    def plan(self, place, workspace, base):
        if self.program:
            return sandbox_launch.Plan("sandbox_trial", (), workspace,
                                       self.readable,
                                       sandbox_launch.VARIABLES, user=base)
        return sandbox_launch.Plan("sandbox_trial", (), place, self.readable,
                                   sandbox_launch.VARIABLES, base=base)


def _trial_place(workspaces, owner):
    """A directory with what is the trial's own and what is not."""
    place = tempfile.mkdtemp(prefix=".trial-", dir=workspaces)
    os.chmod(place, 0o711)
    workspace = os.path.join(place, "own")
    beside = os.path.join(place, "beside.txt")
    os.mkdir(workspace, 0o700)
    with open(beside, "w", encoding="ascii") as text:
        text.write("of another")
    os.chmod(beside, 0o666)  # so that not its mode alone keeps it
    if owner is not None:
        os.chown(workspace, owner, owner)
    return place, workspace, beside


def _try(rung, workspaces, base, limits, subject):
    """What is wrong with the rung, "" for nothing."""
    owner = base
    if base is not None and not subject.program:
        owner = base + 1
    place, workspace, beside = _trial_place(workspaces, owner)
    errors = os.memfd_create("trial")
    try:
        try:
            launched = sandbox_launch.launch(
                rung, subject.plan(workspaces, workspace, base),
                {"workspace": workspace, "beside": beside,
                 "user": subject.user_inside(rung, base),
                 "limits": asdict(limits), "program": subject.program,
                 "namespaces": rung == "bubblewrap"}, errors)
        except sandbox_launch.LaunchError as problem:
            said = _last_line(errors)
            return f"{problem}" if said.startswith("it ended") else said
        try:
            wrong = _answer(launched)
        finally:
            launched.end()
        return _last_line(errors) if wrong is None else wrong
    finally:
        os.close(errors)
        shutil.rmtree(place, ignore_errors=True)


def probe(workspaces, limits, rungs, subject):
    found = Probe()
    found.base, why = sandbox_users.find_base(workspaces)
    found.users = "own" if found.base is not None else "shared: " + why
    closed = None
    if found.base is not None:
        closed = sandbox_users.closed_directory(workspaces)
    lacking = missing()
    for rung in RUNGS:
        if rung not in rungs:
            wrong = "not asked for"
        elif lacking:
            wrong = lacking
        elif closed:
            wrong = (f"what is confined has users of their own, who may not "
                     f"pass {closed} on the way to {workspaces} (mode "
                     f"{os.stat(closed).st_mode & 0o777:o}); choose another "
                     f"{subject.option} (by default it is below TMPDIR)")
        else:
            wrong = _try(rung, workspaces, found.base, limits, subject)
        found.works[rung] = not wrong
        found.rungs[rung] = wrong or described(rung, found, subject.program)
    return found


def choose(found, asked, unsafe, what):
    """The rung in force, or Refused."""
    best = found.best()
    if best is not None:
        return best
    if unsafe:
        return "none"
    said = "no rung works" if asked == "auto" else f"rung {asked} does not work"
    reasons = {name: reason for name, reason in found.rungs.items()
               if asked in ("auto", name)}
    why = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    if len(set(reasons.values())) == 1:
        why = next(iter(reasons.values()))
    raise Refused(f"{said} ({why}); {what} unconfined (--unsafe-exec does, "
                  "with all rights of this user)")


def described(rung, found, program):
    abi, _ = sandbox_landlock.version()
    if found.users != "own":
        users = "one user for all"
    else:
        users = ("a user of its own" if program
                 else "a user for each kernel")
    if rung == "bubblewrap":
        return ("works: own network, processes, users, ipc and host name; "
                f"Landlock {abi}, seccomp, {users}")
    return f"works: Landlock {abi}, seccomp, {users}"
