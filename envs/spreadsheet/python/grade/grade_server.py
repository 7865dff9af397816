#!/usr/bin/python3
"""Grades workbooks against goldens, on request, a line of JSON each.

    grade_server.py [--deadline-ms 30000] [--memory-mb 2048]

Hello, requests and replies: docs/spreadsheet-grading.md. The grading itself is
done by a child of this process that has limits on memory and time and can be
lost: by then it has said whether it was reading the golden or the answer.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Tuple

# openpyxl would load numpy, only to know its types in cells that are written:
# near half of what a start costs, and much of the memory the child may have.
sys.modules["numpy"] = None  # type: ignore[assignment]

import openpyxl

if not (Path(__file__).resolve().parent / "sandbox.py").exists():
    # In the source tree what all services share is one folder up.
    sys.path.append(str(Path(__file__).resolve().parents[1]))

import grade_case
import grade_cell
import grade_files
import grade_inspect
import service_lines

# Of a request; each with a fresh child.
_ATTEMPTS = 4


class Grader:
    """The child: started when needed, forked from a process that has loaded
    everything and read nothing."""

    def __init__(self, cell: grade_cell.Cell):
        self._cell = cell
        self._pid = 0
        self._line: Optional[socket.socket] = None

    def answer(self, request: Dict[str, Any], deadline_ms: int) -> Dict[str, Any]:
        """A workbook is to blame for what a second, fresh child does too, and
        only if nobody else did it: the machine kills and starves as well."""
        to_blame = 0
        for _ in range(_ATTEMPTS):
            reply, stage, late = self._once(request, deadline_ms)
            if reply is not None:
                return reply
            why = self._end_of_child(deadline_ms if late else 0)
            to_blame += bool(why)
            if to_blame == 2:
                return _lost(stage, why)
        return {"error": "grader: its child was killed or got no processor, "
                         f"{_ATTEMPTS} times in a row"}

    def _once(self, request: Dict[str, Any], deadline_ms: int
              ) -> Tuple[Optional[Dict[str, Any]], str, bool]:
        """The reply, or without one how far the child was, and whether it is
        late or gone."""
        if self._line is None:
            self._start()
        assert self._line is not None
        stage = ""
        try:
            grade_files.send(self._line, request)
            for reply in self._replies(deadline_ms):
                if "stage" not in reply:
                    return reply, stage, False
                stage = reply["stage"]
        except TimeoutError:
            return None, stage, True
        except OSError:
            pass
        return None, stage, False

    def _end_of_child(self, exceeded_ms: int) -> str:
        """What it did to end so, or to exceed a deadline; empty: others did."""
        assert self._line is not None
        self._line.close()
        self._line = None
        if exceeded_ms:
            os.kill(self._pid, signal.SIGKILL)
        _, status, used = os.wait4(self._pid, 0)
        if exceeded_ms:
            busy_ms = 1000 * (used.ru_utime + used.ru_stime)
            return (f"not read within {exceeded_ms} ms"
                    if busy_ms > exceeded_ms / 2 else "")
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        return "" if killed else "the grader ended while reading it"

    def end(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)

    def _replies(self, deadline_ms: int) -> Iterator[Dict[str, Any]]:
        """The deadline is for each stage."""
        assert self._line is not None
        buffer = b""
        while True:
            if not select.select([self._line], [], [], deadline_ms / 1000)[0]:
                raise TimeoutError()
            some = self._line.recv(65536)
            if not some:
                return
            *lines, buffer = (buffer + some).split(b"\n")
            yield from map(json.loads, lines)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid:
            theirs.close()
            self._line = ours
            return
        try:
            ours.close()
            self._cell.close(parent)
            _work(theirs)
        except BaseException:  # nothing may return into the parent's code
            traceback.print_exc()
        finally:
            os._exit(0)


def _work(line: socket.socket) -> None:
    goldens = grade_case.Goldens()
    while (request := grade_files.receive(line)) is not None:
        _send(line, _reply(request, goldens, line))
        grade_files.close(request)


def _reply(request: Dict[str, Any], goldens: grade_case.Goldens,
           line: socket.socket) -> Dict[str, Any]:
    sheet = request["sheet"]
    try:
        if request["op"] == "inspect":
            _send(line, {"stage": "workbook"})
            return grade_inspect.inspect(request["workbook"],
                                         request["position"], sheet)
        _send(line, {"stage": "golden"})
        goldens.expected(request["golden"], request["position"], sheet)
        _send(line, {"stage": "answer"})
        return grade_case.grade_case(goldens, request["answer"],
                                     request["golden"], request["position"],
                                     sheet)
    except grade_case.BadGolden as problem:
        return {"error": str(problem)}
    except MemoryError:
        # What is left in this process is not known: the next one is fresh.
        traceback.print_exc()
        os._exit(1)


def _lost(stage: str, why: str) -> Dict[str, Any]:
    """Who is to blame for a child that did not come back."""
    if stage == "answer":
        return grade_case.failed(f"the answer: {why}")
    if stage == "workbook":
        return {"loads": False, "why": why}
    return {"error": f"golden: {why}" if stage else f"grader: {why}"}


def _send(line: socket.socket, message: Dict[str, Any]) -> None:
    line.sendall(json.dumps(message).encode("utf-8", "replace") + b"\n")


def checked(request: Dict[str, Any]) -> Dict[str, Any]:
    """The fields that an operation has; BadRequest names a wrong one."""
    wanted = {"op": request.get("op"), "sheet": request.get("sheet") or ""}
    if not isinstance(wanted["sheet"], str):
        raise service_lines.BadRequest("sheet: must be a text")
    if wanted["op"] == "grade":
        wanted["answer"] = service_lines.path(request, "answer")
        wanted["golden"] = service_lines.path(request, "golden")
        wanted["position"] = service_lines.text(request, "position")
    elif wanted["op"] == "inspect":
        wanted["workbook"] = service_lines.path(request, "workbook")
        wanted["position"] = request.get("position") or ""
        if not isinstance(wanted["position"], str):
            raise service_lines.BadRequest("position: must be a text")
    else:
        raise service_lines.BadRequest("op: must be 'grade' or 'inspect', not "
                                       f"{wanted['op']!r}")
    return wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deadline-ms", type=int, default=30_000)
    parser.add_argument("--memory-mb", type=int, default=2048)
    parser.add_argument("--unsafe-exec", action="store_true",
                        help="open workbooks unconfined where nothing confines")
    words = parser.parse_args()
    service_lines.die_with_parent(os.getppid())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        cell = grade_cell.find(words.memory_mb, words.unsafe_exec)
    except grade_cell.Refused as problem:
        sys.exit(f"grader: {problem}")
    grader = Grader(cell)
    streams = service_lines.Streams()
    try:
        streams.send({"grader": 1, "openpyxl": openpyxl.__version__,
                      **cell.facts})
        for request in streams.requests():
            try:
                reply = grader.answer(checked(request), words.deadline_ms)
            except service_lines.BadRequest as problem:
                reply = {"error": str(problem)}
            streams.send({"id": request["id"], **reply})
    except BrokenPipeError:
        pass  # nobody reads any more
    finally:
        grader.end()


if __name__ == "__main__":
    main()
