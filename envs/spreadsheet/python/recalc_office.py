"""A running LibreOffice that recalculates one workbook after the other."""

from __future__ import annotations

import os
from typing import Optional

import recalc_box
import workbook_guard
from recalc_process import Cell, NotHere, Process
from sandbox_launch import LaunchError
from service_turns import GaveWay, Turn

_START_TIMEOUT_S = 60
_SOURCE, _TARGET = "source.xlsx", "target.xlsx"
_RESULT_BYTES_MAX = 4 * workbook_guard.MAX_FILE_BYTES


class OfficeDied(Exception):
    """It ended during the work, which says little of the workbook."""


class OfficeCrashed(Exception):
    """It ended by itself, or would not go on, during the work."""


class DeadlinePassed(Exception):
    """It was killed because the deadline had passed."""


class Unreadable(Exception):
    """It is well and says that this is no workbook."""


class Office:
    """Started when there is work and none is running. `end` may be called from
    another thread during the work, everything else from one."""

    def __init__(self, binary: str, version: str, home: str, cell: Cell):
        self._binary, self._version = binary, version
        self._home, self._cell = home, cell
        self._process: Optional[Process] = None
        self._ended = False
        self.documents = 0

    def start(self) -> None:
        """Raises NotHere when it does not come up."""
        if self._process is None:
            self._start()

    def stop(self) -> None:
        """By force: it has nothing to save, and asking it takes longer."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def end(self) -> None:
        """For good."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

    def resident_bytes(self) -> int:
        return self._process.resident_bytes() if self._process else 0

    def has_space(self) -> bool:
        """For the largest result that is taken."""
        disk = os.statvfs(self._home)
        return disk.f_bavail * disk.f_frsize > _RESULT_BYTES_MAX

    def recalculate(self, content: bytes, turn: Turn) -> bytes:
        """What it wrote, which may be anything. Stopped after whatever this
        raises, GaveWay too, except Unreadable and Refused."""
        self.start()
        assert self._process is not None
        self.documents += 1
        box = recalc_box.Box(self._process.box)
        try:
            # A private copy: two that open the same file lock each other out.
            box.write(_SOURCE, content)
            self._process.send({"source": _SOURCE, "target": _TARGET})
            reply = turn.wait(self._process.answer)
            if "broke" in reply:
                self.stop()
                raise (OfficeCrashed if reply.get("own") else OfficeDied)(
                    str(reply["broke"]))
            if "unreadable" in reply:
                raise Unreadable(str(reply["unreadable"]))
            return box.read(_TARGET, _RESULT_BYTES_MAX)
        except GaveWay:
            self.stop()
            raise
        except TimeoutError:
            self.stop()
            raise DeadlinePassed() from None
        except (OSError, ValueError, recalc_box.Taken) as problem:
            said = self._process.last_words()
            self.stop()
            raise OfficeDied(said or str(problem) or "it was killed") from None
        finally:
            box.remove(_SOURCE, _TARGET)

    def _start(self) -> None:
        if self._ended:
            raise NotHere("it is being shut down")
        self.documents = 0
        try:
            process = self._process = Process(self._binary, self._version,
                                              self._home, self._cell)
        except LaunchError as problem:
            raise NotHere(f"LibreOffice does not start: {problem}") from None
        if self._ended:  # end() may have come before there was a process
            process.kill()
        try:
            process.wait_until_ready(_START_TIMEOUT_S)
        except TimeoutError:
            self.stop()
            raise NotHere("LibreOffice did not listen within "
                          f"{_START_TIMEOUT_S} s") from None
        except (OSError, ValueError):
            said = process.last_words()
            self.stop()
            raise NotHere("LibreOffice does not start: "
                          f"{said or 'it said nothing'}") from None
