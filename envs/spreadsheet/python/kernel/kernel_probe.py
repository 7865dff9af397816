"""Which rungs of the isolation ladder this machine has, found by trying."""

import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, field
from typing import Dict, Optional

import kernel_launch
import kernel_sandbox_landlock
import kernel_sandbox_seccomp
import kernel_users

RUNGS = ["bubblewrap", "landlock"]  # the best first
NAMES = {"bubblewrap": "bubblewrap+landlock+seccomp",
         "landlock": "landlock+seccomp", "none": "none (unsafe)"}
TRIAL_TIMEOUT_S = 20


@dataclass
class Probe:
    rungs: Dict[str, str] = field(default_factory=dict)  # name -> why
    works: Dict[str, bool] = field(default_factory=dict)
    base: Optional[int] = None  # see kernel_users
    users: str = ""             # "own", or "shared: why"

    def best(self):
        return next((rung for rung in RUNGS if self.works.get(rung)), None)


def _needs():
    """What both rungs need, or None."""
    if not kernel_sandbox_seccomp.machine_known():
        return ("the seccomp filter knows x86-64 only, and this is "
                f"{os.uname().machine}")
    abi, why = kernel_sandbox_landlock.version()
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


def _try(rung, workspaces, base, limits):
    """What is wrong with the rung, "" for nothing."""
    place = tempfile.mkdtemp(prefix=".trial-", dir=workspaces)
    errors = os.memfd_create("kernel-trial")
    try:
        os.chmod(place, 0o711)
        workspace = os.path.join(place, "own")
        beside = os.path.join(place, "beside.txt")
        os.mkdir(workspace, 0o700)
        with open(beside, "w", encoding="ascii") as text:
            text.write("of another")
        os.chmod(beside, 0o666)  # so that not its mode alone keeps it
        user = None
        if base is not None:
            os.chown(workspace, base + 1, base + 1)
            user = 1 if rung == "bubblewrap" else base + 1
        try:
            launched = kernel_launch.launch(
                rung, workspaces, base, "kernel_trial",
                {"workspace": workspace, "beside": beside, "user": user,
                 "limits": asdict(limits),
                 "namespaces": rung == "bubblewrap"}, errors)
        except kernel_launch.LaunchError as problem:
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


def probe(workspaces, limits, rungs=RUNGS):
    found = Probe()
    found.base, why = kernel_users.find_base(workspaces)
    found.users = "own" if found.base is not None else "shared: " + why
    closed = None
    if found.base is not None:
        closed = kernel_users.closed_directory(workspaces)
    missing = _needs()
    for rung in RUNGS:
        if rung not in rungs:
            wrong = "not asked for"
        elif missing:
            wrong = missing
        elif closed:
            wrong = (f"kernels run as users of their own, who may not pass "
                     f"{closed} on the way to the workspaces (mode "
                     f"{os.stat(closed).st_mode & 0o777:o}); choose another "
                     "--workspaces")
        else:
            wrong = _try(rung, workspaces, found.base, limits)
        found.works[rung] = not wrong
        found.rungs[rung] = wrong or _described(rung, found)
    return found


def _described(rung, found):
    abi, _ = kernel_sandbox_landlock.version()
    users = "a user for each kernel" if found.users == "own" \
        else "one user for all kernels"
    if rung == "bubblewrap":
        return ("works: own network, processes, users, ipc and host name; "
                f"Landlock {abi}, seccomp, {users}")
    return f"works: Landlock {abi}, seccomp, {users}"
