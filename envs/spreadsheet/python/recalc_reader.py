"""The process that reads workbooks of strangers, from the outside: it inflates
and parses them, so that this process, which may do more, never does."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import sandbox_launch
from recalc_process import NotHere
from service_turns import GaveWay, Turn
from workbook_guard import Refused

_MODULES = ("recalc_cache", "workbook_formulas", "workbook_guard",
            "workbook_links", "workbook_xml")
_ATTEMPTS = 2
_ALONE_BYTES_MAX = 512 << 20
_KEY = re.compile("[0-9a-f]{64}")
_NAME = re.compile("[A-Za-z. ]{1,40}")  # also workbook_formulas.IN_PIECES


class Ended(Exception):
    """It ended while it read; `own`: by itself each time, for what it read."""

    def __init__(self, own: bool):
        super().__init__("what reads workbooks ended while reading it")
        self.own = own


class Found(NamedTuple):
    volatile: List[str]
    key: str  # of its parts' content
    alone: bytes  # without links to the outside; empty: it has no formula


class Reader:
    """Started when there is something to read. `end` may be called from another
    thread, everything else from one."""

    def __init__(self, version: str, user: Optional[int], confined: bool):
        self._version, self._user, self._confined = version, user, confined
        self._launched: Optional[sandbox_launch.Launched] = None

    def read(self, content: bytes, turn: Turn) -> Found:
        """Raises Refused, TimeoutError, GaveWay, Ended."""
        said, alone = self._ask({"version": self._version}, content, turn)
        return Found([_like(_NAME, name) for name in said["volatile"][:64]],
                     _like(_KEY, said["key"]), alone)

    def check(self, content: bytes, turn: Turn) -> None:
        """That it is a workbook; raises the same."""
        self._ask({}, content, turn)

    def end(self) -> None:
        launched, self._launched = self._launched, None
        if launched is not None:
            launched.end()

    def _ask(self, request: Dict[str, Any], content: bytes, turn: Turn
             ) -> Tuple[Dict[str, Any], bytes]:
        """Again in a fresh process where the first one ended, within the same
        time. One that takes too long is not tried again."""
        own = 0
        for _ in range(_ATTEMPTS):
            launched = self._started()
            try:
                said, made = _once(launched, request, content, turn)
                if "refused" in said:
                    raise Refused(str(said["refused"])[:500])
                return said, made
            except (TimeoutError, GaveWay):
                self.end()
                raise
            except (OSError, ValueError, TypeError, KeyError):
                own += _ended_by_itself(launched)
                self.end()
        raise Ended(own == _ATTEMPTS)

    def _started(self) -> sandbox_launch.Launched:
        if self._launched is None:
            plan = sandbox_launch.Plan("recalc_reading", _MODULES, "", (),
                                       sandbox_launch.VARIABLES,
                                       user=self._user)
            try:
                # As for the grader, a namespace would hide what it cannot open
                # anyway.
                self._launched = sandbox_launch.launch(
                    "landlock" if self._confined else "none", plan,
                    {"confined": self._confined})
            except sandbox_launch.LaunchError as problem:
                raise NotHere(f"what reads workbooks does not start: {problem}"
                              ) from None
        return self._launched


def _once(launched: sandbox_launch.Launched, request: Dict[str, Any],
          content: bytes, turn: Turn) -> Tuple[Dict[str, Any], bytes]:
    source, target = (os.memfd_create(name) for name in ("source", "target"))
    with open(source, "wb") as given, open(target, "rb") as made:
        given.write(content)
        given.flush()
        given.seek(0)
        socket.send_fds(launched.control, [json.dumps(request).encode()],
                        [source, target])

        def answer(timeout_s: float) -> bytes:
            launched.control.settimeout(timeout_s)
            return launched.control.recv(1 << 16)

        said = turn.wait(answer)
        if not said:
            raise ConnectionError("it has ended")
        reply = json.loads(said)
        if not isinstance(reply, dict):
            raise ValueError("no reply of the reader")
        # Both descriptors share a place in the file.
        made.seek(0)
        return reply, made.read(_ALONE_BYTES_MAX)


def _like(pattern: "re.Pattern[str]", text: Any) -> str:
    """Whoever said it may have been taken over."""
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise Ended(own=True)
    return text


def _ended_by_itself(launched: sandbox_launch.Launched) -> bool:
    try:
        return launched.process.wait(1) != -signal.SIGKILL
    except sandbox_launch.subprocess.TimeoutExpired:
        return True  # it goes on, but said what makes no sense
