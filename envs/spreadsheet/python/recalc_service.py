"""One request: check the workbook, recalculate it, put the result in place."""

from __future__ import annotations

import os
import tempfile
import time
from typing import Any, Callable, Dict, List, Optional

import recalc_cache
import recalc_functions
import service_lines
import workbook_guard
from recalc_office import (DeadlinePassed, Office, OfficeCrashed, OfficeDied,
                           Unreadable)
from recalc_process import NotHere
from recalc_reader import Ended, Found, Reader
from service_turns import Turn

_ATTEMPTS = 2
_PROBE_TIMEOUT_S = 60


class Outcome(Exception):
    """How a request ended other than well."""

    def __init__(self, status: str, detail: str):
        super().__init__(detail)
        self.status = status


class Service:
    """Not for several threads: one workbook after the other."""

    def __init__(self, office: Office, reader: Reader,
                 cache: Optional[recalc_cache.Cache], retire_after: int,
                 retire_bytes: int):
        self._office, self._reader = office, reader
        self._cache = cache
        self._retire_after, self._retire_bytes = retire_after, retire_bytes
        self._began = 0.0

    def functions(self) -> Dict[str, List[str]]:
        """How new functions have to be written for the office. NotHere: it
        cannot even compute those."""
        try:
            return recalc_functions.read(self._by_office(
                recalc_functions.workbook(), Turn(_PROBE_TIMEOUT_S)))
        except Outcome as outcome:
            raise NotHere("LibreOffice starts, but does not compute: "
                          f"{outcome}") from None

    def reply(self, request: Dict[str, Any],
              others_wait: Optional[Callable[[], bool]] = None
              ) -> Dict[str, Any]:
        """With `others_wait` it may raise GaveWay: nothing was done."""
        number = request["id"]
        try:
            if request.get("op") != "recalculate":
                raise service_lines.BadRequest(
                    f"op: must be 'recalculate', not {request.get('op')!r}")
            source = service_lines.path(request, "in")
            target = service_lines.path(request, "out")
            timeout_ms = service_lines.milliseconds(request, "timeout_ms",
                                                    30_000)
            _check_episode(request)
        except service_lines.BadRequest as problem:
            return {"id": number, "error": str(problem)}
        self._began = time.monotonic()
        volatile: List[str] = []
        status, detail = "ok", ""
        try:
            detail = self._recalculate(source, target, volatile,
                                       Turn(timeout_ms / 1000, others_wait))
        except Outcome as outcome:
            status, detail = outcome.status, str(outcome)
        except (OSError, MemoryError) as problem:
            status, detail = "failed", f"{type(problem).__name__}: {problem}"
        return {"id": number, "status": status, "detail": detail,
                "volatile": volatile,
                "elapsed_ms": round((time.monotonic() - self._began) * 1000)}

    def retire(self) -> None:
        """After a reply, so that nobody waits for it: a new office when this one
        has done its share or has grown."""
        if (self._office.documents >= self._retire_after
                or self._office.resident_bytes() > self._retire_bytes):
            self._office.stop()
            try:
                self._office.start()
            except NotHere:
                pass  # the next request tries again and reports it

    def rest(self) -> None:
        """Without an office until the next request."""
        self._office.stop()

    def _recalculate(self, source: str, target: str, volatile: List[str],
                     turn: Turn) -> str:
        try:
            file = workbook_guard.read_file(source)
        except workbook_guard.Refused as problem:
            raise Outcome("invalid", f"the workbook {problem}") from None
        found = self._read(file.content, turn)
        volatile += found.volatile
        if not found.alone:
            raise Outcome("unchanged", "no formulas")
        # What depends on the time is worth nothing later.
        cache = None if volatile else self._cache
        result = cache.get(found.key) if cache else None
        if result is not None and self._is_workbook(result, turn):
            _place(target, result, file)
            return "cached"
        result = self._by_office(found.alone, turn)
        if cache:
            cache.put(found.key, result)
        _place(target, result, file)
        return ""

    def _read(self, content: bytes, turn: Turn) -> Found:
        try:
            return self._reader.read(content, turn)
        except workbook_guard.Refused as problem:
            raise Outcome("invalid", f"the workbook {problem}") from None
        except TimeoutError:
            raise Outcome("timeout", f"not read within {_ms(turn)}") from None
        except Ended as problem:
            raise Outcome("crashed" if problem.own else "failed",
                          str(problem)) from None
        except NotHere as problem:
            raise Outcome("failed", str(problem)) from None

    def _is_workbook(self, content: bytes, turn: Turn) -> bool:
        try:
            self._reader.check(content, turn)
            return True
        except (workbook_guard.Refused, TimeoutError, Ended, NotHere):
            return False

    def _by_office(self, content: bytes, turn: Turn) -> bytes:
        """In a fresh office the second time: what the first one died of may
        have been its own doing."""
        last = Outcome("failed", "not tried")
        crashes = 0
        for attempt in range(_ATTEMPTS):
            if attempt:
                self._office.stop()
                self._began = time.monotonic()  # the last attempt is what counts
                turn.renew()
            try:
                return self._once(content, turn)
            except DeadlinePassed:
                last = Outcome("timeout", f"not recalculated within {_ms(turn)}"
                               f", {_ATTEMPTS} times")
            except Unreadable as problem:
                last = Outcome("invalid", str(problem))
            except OfficeCrashed as problem:
                crashes += 1
                last = Outcome("failed", f"LibreOffice crashed: {problem}")
            except OfficeDied as problem:
                last = Outcome("failed", f"LibreOffice ended: {problem}")
            except NotHere as problem:
                raise Outcome("failed", str(problem)) from None
            except workbook_guard.Refused as problem:
                crashes += 1
                last = Outcome("failed", f"what LibreOffice wrote {problem}")
        # It dies of this workbook each time, unless it lacks space to write.
        if crashes == _ATTEMPTS and self._office.has_space():
            raise Outcome("crashed", str(last))
        raise last

    def _once(self, content: bytes, turn: Turn) -> bytes:
        result = self._office.recalculate(content, turn)
        if len(result) > workbook_guard.MAX_FILE_BYTES:
            raise Unreadable("recalculated, it is larger than "
                             f"{workbook_guard.MAX_FILE_BYTES} bytes")
        try:
            self._reader.check(result, turn)
        except TimeoutError:
            raise DeadlinePassed() from None
        except Ended as problem:
            raise (OfficeCrashed if problem.own else OfficeDied)(
                str(problem)) from None
        return result


def _ms(turn: Turn) -> str:
    return f"{round(turn.timeout_s * 1000)} ms"


def _check_episode(request: Dict[str, Any]) -> None:
    if not isinstance(request.get("episode", ""), str):
        raise service_lines.BadRequest("episode: must be a text, not "
                                       f"{request['episode']!r}")


def _place(target: str, content: bytes, like: workbook_guard.File) -> None:
    """Whole or not at all, instead of whatever is at `target` (a link there is
    replaced, not followed), with the owner of the file it was made from, who
    goes on working with it."""
    descriptor, name = tempfile.mkstemp(dir=os.path.dirname(target),
                                        prefix=".recalculated-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if os.geteuid() == 0:
                os.fchown(descriptor, like.owner, like.group)
            os.fchmod(descriptor, like.mode | 0o600)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
