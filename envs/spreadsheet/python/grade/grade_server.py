#!/usr/bin/python3
"""Grades workbooks against goldens, on request, a line of JSON each.

    grade_server.py [--deadline-ms 30000] [--memory-mb 2048]

Hello, requests and replies: docs/spreadsheet-grading.md. The grading itself is
done by children of this process (grade_child), one in each lane.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Optional

# openpyxl would load numpy, only to know its types in cells that are written:
# near half of what a start costs, and much of the memory the child may have.
sys.modules["numpy"] = None  # type: ignore[assignment]

import openpyxl

if not (Path(__file__).resolve().parent / "sandbox.py").exists():
    # In the source tree what all services share is one folder up.
    sys.path.append(str(Path(__file__).resolve().parents[1]))

import grade_cell
import grade_child
import service_lanes
import service_lines
from service_turns import Turn


class Grading:
    """What a lane has: a request after the other, by a child of its own."""

    def __init__(self, grader: grade_child.Grader, deadline_ms: int,
                 send: Callable[[Dict[str, Any]], None]):
        self._grader, self._deadline_ms, self._send = grader, deadline_ms, send

    def reply(self, request: Dict[str, Any],
              others_wait: Optional[Callable[[], bool]] = None
              ) -> Dict[str, Any]:
        number = request["id"]
        try:
            reply = self._grader.answer(
                checked(request), Turn(self._deadline_ms / 1000, others_wait),
                lambda: self._send({"waiting": [number]}))
        except service_lines.BadRequest as problem:
            reply = {"error": str(problem)}
        return {"id": number, **reply}

    def retire(self) -> None:
        """A child that has done its work goes on with the next."""

    def rest(self) -> None:
        self._grader.end()


def checked(request: Dict[str, Any]) -> Dict[str, Any]:
    """The fields that an operation has; BadRequest names a wrong one."""
    wanted = {"op": request.get("op"), "sheet": request.get("sheet") or ""}
    if not isinstance(wanted["sheet"], str):
        raise service_lines.BadRequest("sheet: must be a text")
    if wanted["op"] == "grade":
        wanted["answer"] = service_lines.path(request, "answer")
        wanted["golden"] = service_lines.path(request, "golden")
    elif wanted["op"] == "inspect":
        wanted["workbook"] = service_lines.path(request, "workbook")
    else:
        raise service_lines.BadRequest("op: must be 'grade' or 'inspect', not "
                                       f"{wanted['op']!r}")
    # An empty one is the data's and no answer can pass; to `inspect` it means
    # that there is none.
    wanted["position"] = request.get("position")
    if wanted["op"] == "inspect":
        wanted["position"] = wanted["position"] or ""
    if not isinstance(wanted["position"], str):
        raise service_lines.BadRequest("position: must be a text")
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
    streams = service_lines.Streams()
    graders = [grade_child.Grader(cell) for _ in range(2)]
    lanes = service_lanes.Lanes(
        *(Grading(grader, words.deadline_ms, streams.send)
          for grader in graders), streams.send)
    try:
        streams.send({"grader": 1, "openpyxl": openpyxl.__version__,
                      **cell.facts})
        # The children end with this process, whatever they are doing.
        lanes.serve(streams.requests(), lambda: os._exit(0))
    except BrokenPipeError:
        pass  # nobody reads any more


if __name__ == "__main__":
    main()
