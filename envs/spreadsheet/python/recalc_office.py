"""A running LibreOffice that recalculates one workbook after the other."""

from __future__ import annotations

import os
import shutil
from typing import Optional

import recalc_process
from recalc_process import NotHere, Process

_START_TIMEOUT_S = 60


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

    def __init__(self, binary: str, version: str, home: str, wrapped: bool):
        self._binary, self._version = binary, version
        self._home, self._wrapped = home, wrapped
        self._process: Optional[Process] = None
        self._ended = False
        self.documents = 0

    def start(self) -> None:
        """Raises NotHere when it does not come up."""
        if self._process is not None:
            return
        try:
            self._start()
        except NotHere:
            if self._ended:
                raise
            # The profile may be what a killed predecessor left half-made.
            shutil.rmtree(os.path.join(self._home, "profile"),
                          ignore_errors=True)
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

    def recalculate(self, source: str, target: str, timeout_ms: int) -> None:
        """Names within the private directory. Stopped after whatever it raises
        except Unreadable."""
        self.start()
        assert self._process is not None
        self.documents += 1
        try:
            reply = self._process.ask({"source": source, "target": target},
                                      timeout_ms / 1000)
        except TimeoutError:
            self.stop()
            raise DeadlinePassed() from None
        except (OSError, ValueError):
            said = self._process.last_words()
            self.stop()
            raise OfficeDied(said or "it was killed") from None
        if "broke" in reply:
            self.stop()
            raise (OfficeCrashed if reply["own"] else OfficeDied)(
                reply["broke"])
        if "unreadable" in reply:
            raise Unreadable(reply["unreadable"])

    def _start(self) -> None:
        if self._ended:
            raise NotHere("it is being shut down")
        recalc_process.make_profile(self._home, self._version)
        self.documents = 0
        process = self._process = Process(self._binary, self._home,
                                          self._wrapped)
        if self._ended:  # end() may have come before there was a process
            process.kill()
        try:
            ready = process.answer(_START_TIMEOUT_S)
            # Those of a sandbox are in a /tmp of its own.
            process.sockets = [] if self._wrapped else ready["sockets"]
        except TimeoutError:
            self.stop()
            raise NotHere("LibreOffice did not listen within "
                          f"{_START_TIMEOUT_S} s") from None
        except (OSError, ValueError, KeyError):
            said = process.last_words()
            self.stop()
            raise NotHere("LibreOffice does not start: "
                          f"{said or 'it said nothing'}") from None
