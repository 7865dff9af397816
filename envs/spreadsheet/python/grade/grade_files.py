"""Workbooks for a process that may open no file: it is handed them open."""

from __future__ import annotations

import json
import os
import socket
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import workbook_guard

_FIELDS = ("answer", "golden", "workbook")
_REQUEST_BYTES = 1 << 20


class Source(NamedTuple):
    path: str
    descriptor: Optional[int]
    refused: str  # why there is none

    def content(self) -> bytes:
        """Raises workbook_guard.Refused."""
        if self.descriptor is None:
            raise workbook_guard.Refused(self.refused)
        return workbook_guard.read_open(self.descriptor).content

    def identity(self) -> Optional[Tuple[int, ...]]:
        """Another one when the file was replaced or written to."""
        if self.descriptor is None:
            return None
        facts = os.fstat(self.descriptor)
        return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


def send(line: socket.socket, request: Dict[str, Any]) -> None:
    """The request, with the files that its paths name."""
    opened: List[int] = []
    refused = {}
    try:
        for field in _FIELDS:
            if field in request:
                try:
                    opened.append(workbook_guard.open_file(request[field]))
                except workbook_guard.Refused as problem:
                    refused[field] = str(problem)
        message = json.dumps({**request, "refused": refused}).encode(
            "utf-8", "replace") + b"\n"
        # The descriptors come with the first bytes.
        sent = socket.send_fds(line, [message], opened)
        line.sendall(message[sent:])
    finally:
        for descriptor in opened:
            os.close(descriptor)


def receive(line: socket.socket) -> Optional[Dict[str, Any]]:
    """The request, its paths as sources that `close` takes; None at the end."""
    data, descriptors, _, _ = socket.recv_fds(line, _REQUEST_BYTES,
                                              len(_FIELDS))
    while data and not data.endswith(b"\n"):
        data += line.recv(_REQUEST_BYTES)
    if not data:
        return None
    request = json.loads(data)
    refused = request.pop("refused")
    for field in _FIELDS:
        if field in request:
            found = None if field in refused else descriptors.pop(0)
            request[field] = Source(request[field], found,
                                    refused.get(field, ""))
    return request


def close(request: Dict[str, Any]) -> None:
    for field in _FIELDS:
        if field in request and request[field].descriptor is not None:
            os.close(request[field].descriptor)
