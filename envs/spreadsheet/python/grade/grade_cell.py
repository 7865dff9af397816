"""What the process that reads answers gives up: everything but what it is
handed. It has one rung; a namespace would hide what it cannot open anyway."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, Dict, Optional

import sandbox
import sandbox_calls
import sandbox_landlock
import sandbox_probe
import sandbox_seccomp
import sandbox_trial
import sandbox_users

Refused = sandbox_probe.Refused


class Cell:
    """`confined`: False leaves only the limits."""

    def __init__(self, limits: sandbox.Limits, user: Optional[int],
                 confined: bool, facts: Dict[str, Any]):
        self._limits, self._user, self._confined = limits, user, confined
        self.facts = facts

    def own_doing(self, status: int, peak_bytes: int) -> bool:
        """Of a process with this wait status, when it has ended. Killed with
        half of what it may have, it has used up the machine's memory."""
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        return not killed or peak_bytes > self._limits.memory_mb << 19

    def close(self, parent: int) -> None:
        """For this process, for good."""
        if not self._confined:
            sandbox.die_with_parent(parent)
            sandbox.set_limits(self._limits, self._limits.threads
                               + sandbox.threads_of_user())
            return
        # Modules that are loaded late, wherever this interpreter has them.
        view = sandbox_landlock.View(
            readable=tuple(filter(os.path.isdir, sys.path)))
        sandbox.confine(
            view, self._user, self._limits, parent,
            lambda: sandbox_seccomp.restrict(sandbox_calls.ON_SOCKETS))


def find(memory_mb: int, unsafe: bool) -> Cell:
    """Refused where nothing confines, unless `unsafe`."""
    limits = sandbox.Limits(memory_mb, file_mb=0, cpu_s=None)
    user, why = sandbox_users.find_user()
    found = sandbox_probe.Probe(
        users="own" if user is not None else "shared: " + why)
    wrong = sandbox_probe.missing() or _tried(Cell(limits, user, True, {}))
    found.works["landlock"] = not wrong
    found.rungs["landlock"] = wrong or sandbox_probe.described(
        "landlock", found, program=True)
    rung = sandbox_probe.choose(found, "auto", unsafe,
                                "workbooks are not opened")
    return Cell(limits, user, rung != "none", {
        "isolation": sandbox_probe.NAMES[rung], "rungs": found.rungs,
        "users": found.users})


def _tried(cell: Cell) -> str:
    """What is wrong, "" for nothing; in a child, as there is no way back."""
    told, tell = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            cell.close(parent)
            wrong = sandbox_trial.must_fail("")
        except BaseException as problem:
            wrong = f"{type(problem).__name__}: {problem}"
        os.write(tell, (wrong or ".").encode()[:500])
        os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as answer:
        said = answer.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    return said.strip(".") if said else "the trial ended early"
