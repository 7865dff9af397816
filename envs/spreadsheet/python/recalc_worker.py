"""LibreOffice and its one client, in the same sandbox, behind a socket.

The entry of what recalc_process launches. It says {"ready": true} once, then
answers {"source": name, "target": name} with {}, {"unreadable": why}, or last
words about an office that does not go on (recalc_end). Any trouble ends it:
whoever asked starts a new one. Calls into LibreOffice have no deadline; whoever
asked has one.
"""

from __future__ import annotations

import json
import os
import socket
from typing import Any, Dict, Optional, Tuple

import recalc_end
import recalc_profile
import sandbox
import sandbox_landlock
import sandbox_seccomp

_LIMITS = sandbox.Limits(memory_mb=6 << 10, file_mb=1 << 10, cpu_s=None,
                         threads=256, open_files=1024)


def confine(control: socket.socket, box: str, programs: Tuple[str, ...],
            readable: Tuple[str, ...], parent: Optional[int]) -> None:
    """It decides on what happens at the start who is at the other end."""
    view = sandbox_landlock.View(
        writable=(box,), readable=readable, programs=programs,
        # It looks for no other places for its sockets.
        sockets=("/tmp", "/var/tmp"))
    listener = sandbox.confine(view, None, _LIMITS, parent,
                               sandbox_seccomp.restrict_with_start)
    socket.send_fds(control, [b"{}"], [listener])
    os.close(listener)


def main(control_descriptor: int, parent: Optional[int], binary: str, box: str,
         version: str, programs: Tuple[str, ...], readable: Tuple[str, ...],
         confined: bool) -> None:
    control = socket.socket(fileno=control_descriptor)

    def say(what: Dict[str, Any]) -> None:
        control.send(json.dumps(what).encode())

    if confined:
        confine(control, box, programs, readable, parent)
    else:
        sandbox.die_with_parent(parent)
        sandbox.set_limits(_LIMITS, _LIMITS.threads + sandbox.threads_of_user())
    profile = recalc_profile.make(box, version, binary)
    import recalc_desktop
    desktop = recalc_desktop.start(binary, profile)
    say({"ready": True})
    while request := control.recv(1 << 16):
        work = json.loads(request)
        try:
            recalc_desktop.recalculate(
                desktop, os.path.join(box, work["source"]),
                os.path.join(box, work["target"]))
            say({})
        except recalc_desktop.Unreadable as problem:
            say({"unreadable": str(problem)})
        except Exception as problem:
            say(recalc_end.told(problem))
            raise
