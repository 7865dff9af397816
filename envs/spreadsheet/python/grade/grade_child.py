"""The process that reads workbooks and grades, from the outside and the inside.

It has limits on memory and time and can be lost: by then it has said whether it
was reading the golden or the answer.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import traceback
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import grade_case
import grade_cell
import grade_files
import grade_inspect
from service_turns import GaveWay, Turn

# Of a request; each with a fresh child.
_ATTEMPTS = 4
_FIRST_DESCRIPTOR = 3  # behind the standard streams


class Grader:
    """The child: started when needed, forked from a process that has loaded
    everything and read nothing. For one thread: the child ends with it."""

    def __init__(self, cell: grade_cell.Cell):
        self._cell = cell
        self._pid = 0
        self._line: Optional[socket.socket] = None

    def answer(self, request: Dict[str, Any], turn: Turn,
               again: Callable[[], None]) -> Dict[str, Any]:
        """A workbook is to blame for what a second, fresh child does too, and
        only if nobody else did it: the machine kills and starves as well.
        `again` is called before it is read anew. Raises GaveWay."""
        to_blame = 0
        for _ in range(_ATTEMPTS):
            reply, stage, late = self._once(request, turn)
            if reply is not None:
                return reply
            why = self._end_of_child(round(turn.timeout_s * 1000) if late else 0)
            to_blame += bool(why)
            if to_blame == 2:
                return _lost(stage, why)
            again()
        return {"error": "grader: its child was killed or got no processor, "
                         f"{_ATTEMPTS} times in a row"}

    def _once(self, request: Dict[str, Any], turn: Turn
              ) -> Tuple[Optional[Dict[str, Any]], str, bool]:
        """The reply, or without one how far the child was, and whether it is
        late or gone. The deadline is for each stage."""
        if self._line is None:
            self._start()
        assert self._line is not None
        stage = ""
        try:
            turn.renew()
            grade_files.send(self._line, request)
            for reply in self._replies(turn):
                if "stage" not in reply:
                    return reply, stage, False
                stage = reply["stage"]
                turn.renew()
        except GaveWay:
            self.end()
            raise
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
        if not self._cell.own_doing(status, used.ru_maxrss << 10):
            return ""
        return "the grader ended while reading it"

    def end(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)

    def _replies(self, turn: Turn) -> Iterator[Dict[str, Any]]:
        buffer = b""
        while some := turn.wait(self._received):
            *lines, buffer = (buffer + some).split(b"\n")
            yield from map(json.loads, lines)

    def _received(self, timeout_s: float) -> bytes:
        assert self._line is not None
        if not select.select([self._line], [], [], timeout_s)[0]:
            raise TimeoutError()
        return self._line.recv(65536)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid:
            theirs.close()
            self._line = ours
            return
        try:
            _keep_only(theirs)
            self._cell.close(parent)
            _work(theirs)
        except BaseException:  # nothing may return into the parent's code
            traceback.print_exc()
        finally:
            os._exit(0)


def _keep_only(line: socket.socket) -> None:
    """Not the service's replies, nor what leads to another child."""
    number = line.fileno()
    os.closerange(_FIRST_DESCRIPTOR, number)
    os.closerange(number + 1, os.sysconf("SC_OPEN_MAX"))


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
