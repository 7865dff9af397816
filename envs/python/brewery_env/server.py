"""Serves an environment to the Brewery process that started this program."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any, BinaryIO, Callable, Dict, Optional, Tuple, Union

from . import wire
from .environment import Environment
from .tau2_checkout import CheckoutError

PROTOCOL = 1
MAX_LINE_BYTES = 16 << 20


class _Server:
    """The protocol without its streams: one request in, one reply out."""

    def __init__(self, make: Callable[[], Environment], sessions: int):
        self._make = make
        self._sessions = sessions
        self._first: Optional[Environment] = None
        self._open: Dict[int, Environment] = {}

    def reply(self, request: Dict[str, Any]) -> Dict[str, Any]:
        try:
            return {"id": request["id"], "result": self._result(request)}
        except Exception as problem:  # whatever the environment's code raises
            if not isinstance(problem, CheckoutError):  # which says it all
                traceback.print_exc()
            return {"id": request["id"],
                    "error": {"message": _named(problem)}}

    def _result(self, request: Dict[str, Any]) -> Dict[str, Any]:
        what = request["op"]
        if what == "hello":
            # Made here, so that what goes wrong is a reply too.
            self._first = self._make()
            return wire.hello(self._first, PROTOCOL, self._sessions)
        number = request["session"]
        if what == "reset":
            env = self._one_more()
            made = wire.start(env.reset(request["task"]))
            self._open[number] = env
            return made
        if what not in ("step", "grade", "close"):
            raise ValueError(f"unknown request {what!r}")
        if number not in self._open:
            raise ValueError(f"{what} for a session that is not open")
        env = self._open[number]
        if what == "step":
            turn = wire.turn(request)
            return wire.outcome(env.step(turn), len(turn.calls))
        if what == "grade":
            return wire.grade(env.grade())
        del self._open[number]
        env.close()
        return {}


    def _one_more(self) -> Environment:
        if self._first is None:
            raise ValueError("reset before hello")
        return self._first if self._sessions == 1 else self._make()


def _named(problem: BaseException) -> str:
    text = str(problem)
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


def _line(reply: Dict[str, Any]) -> bytes:
    text = json.dumps(reply, ensure_ascii=False, allow_nan=False)
    # Half of a surrogate pair is no UTF-8.
    return text.encode("utf-8", "replace")


def _line_of(reply: Dict[str, Any]) -> bytes:
    try:
        line = _line(reply)
        if len(line) <= MAX_LINE_BYTES:
            return line
        message = f"a reply of {len(line)} bytes; {MAX_LINE_BYTES} are allowed"
    except (TypeError, ValueError) as problem:
        message = f"a reply that is no JSON: {problem}"
    return _line({"id": reply["id"], "error": {"message": message}})


def _private_streams() -> Tuple[BinaryIO, BinaryIO]:
    """Requests and replies on descriptors of their own. What the environment's
    code, its libraries and the programs it starts read and print goes
    elsewhere: to standard error, and from nowhere."""
    sys.stdout.flush()
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def serve(environment: Union[Environment, Callable[[], Environment]],
          sessions: int = 1) -> None:
    """Answers requests until Brewery closes the line; call it last.

    `environment` is an object or, needed for several `sessions`, something
    that makes one: the class. More than one session spares memory, not time:
    one request is answered after the other.
    """
    if isinstance(environment, Environment):
        if sessions != 1:
            raise ValueError("several sessions need a class, not an object")
        one = environment
        server = _Server(lambda: one, 1)
    else:
        server = _Server(environment, sessions)
    requests, replies = _private_streams()
    try:
        for line in requests:
            replies.write(_line_of(server.reply(json.loads(line))) + b"\n")
            replies.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # nobody listens any more
