"""Requests and replies as lines of JSON over the standard streams."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any, Dict, Iterator, Optional

MAX_LINE_BYTES = 16 << 20
_PR_SET_PDEATHSIG = 1


class BadRequest(Exception):
    """The request makes no sense; the text names the field."""


def die_with_parent(parent: Optional[int] = None,
                    libc: Optional[ctypes.CDLL] = None) -> None:
    """The kernel kills this process when the thread that started it ends.
    `parent` is who that was, in case it has ended before this call."""
    (libc or ctypes.CDLL(None)).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


class Streams:
    """Standard input and output of a service. What libraries print goes to
    standard error: a stray line would be taken for a reply."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._requests = os.fdopen(os.dup(0), "rb")
        self._replies = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._writing = threading.Lock()

    def send(self, reply: Dict[str, Any]) -> None:
        line = json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace")
        line += b"\n"
        with self._writing:
            while line:
                line = line[os.write(self._replies, line):]

    def lines(self) -> Iterator[bytes]:
        while line := self._requests.readline(MAX_LINE_BYTES + 1):
            yield line

    def requests(self) -> Iterator[Dict[str, Any]]:
        """Each request that has an id; others are answered here."""
        for line in self.lines():
            if len(line) > MAX_LINE_BYTES:
                self.send({"id": None, "error": "a line of more than "
                           f"{MAX_LINE_BYTES} bytes"})
                while line and not line.endswith(b"\n"):
                    line = self._requests.readline(MAX_LINE_BYTES)
                continue
            try:
                request = json.loads(line)
            except (ValueError, RecursionError) as problem:
                self.send({"id": None, "error": f"not JSON: {problem}"})
                continue
            number = request.get("id") if isinstance(request, dict) else None
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                self.send({"id": None, "error": "id: must be a number"})
                continue
            yield request


def text(request: Dict[str, Any], name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str) or not value:
        raise BadRequest(f"{name}: must be a text that is not empty")
    return value


def path(request: Dict[str, Any], name: str) -> str:
    value = text(request, name)
    if not os.path.isabs(value) or "\0" in value:
        raise BadRequest(f"{name}: must be an absolute path, not {value!r}")
    return value


def milliseconds(request: Dict[str, Any], name: str, default: int) -> int:
    value = request.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not (
            1 <= value <= 3_600_000):
        raise BadRequest(f"{name}: must be from 1 to 3600000, not {value!r}")
    return value
