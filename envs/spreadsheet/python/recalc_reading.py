"""Reads workbooks of strangers in a process that gave up everything, behind a
socket.

The entry of what recalc_reader launches. A request comes with two open files:
the bytes of a workbook, and one to write to. Any trouble ends it: whoever asked
starts a new one.
"""

from __future__ import annotations

import json
import os
import socket
from typing import Any, Dict, Optional, Tuple

import recalc_cache
import sandbox
import sandbox_calls
import sandbox_landlock
import sandbox_seccomp
import workbook_formulas
import workbook_guard
import workbook_links

# Parts of 256 MiB, as bytes, as text and packed again.
_LIMITS = sandbox.Limits(memory_mb=4 << 10, file_mb=512, cpu_s=None)


def survey(content: bytes, version: str) -> Tuple[Dict[str, Any], bytes]:
    """What is known of a workbook before LibreOffice sees it, and the archive
    that it is given; empty without formulas. Raises Refused."""
    archive = workbook_guard.open_archive(content)
    formulas, volatile = workbook_formulas.survey(archive)
    # Reads every part, so that damage is found here with a cache and without.
    key = recalc_cache.key(archive, version)
    alone = workbook_links.without_links(archive) if formulas else b""
    return {"volatile": volatile, "key": key}, alone


def confine(user: Optional[int], parent: Optional[int]) -> None:
    sandbox.confine(sandbox_landlock.View(), user, _LIMITS, parent,
                    lambda: sandbox_seccomp.restrict(sandbox_calls.ON_SOCKETS))


def _answer(request: Dict[str, Any], source: int, target: int
            ) -> Dict[str, Any]:
    with open(source, "rb") as file:
        content = file.read()
    with open(target, "wb") as file:
        try:
            if "version" not in request:
                workbook_guard.open_archive(content)
                return {}
            found, alone = survey(content, request["version"])
            file.write(alone)
            return found
        except workbook_guard.Refused as problem:
            return {"refused": str(problem)}


def main(control_descriptor: int, parent: Optional[int],
         confined: bool) -> None:
    control = socket.socket(fileno=control_descriptor)
    if confined:
        confine(None, parent)
    else:
        sandbox.die_with_parent(parent)
        sandbox.set_limits(_LIMITS, _LIMITS.threads + sandbox.threads_of_user())
    while True:
        request, files, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not request:
            os._exit(0)
        control.send(json.dumps(_answer(json.loads(request), *files)).encode())
