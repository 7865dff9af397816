"""How long a request may hold what works on it."""

from __future__ import annotations

import time
from typing import Callable, Optional, TypeVar

SHARES = 12  # of a deadline; after one of them a request gives way
_LOOK_AROUND_S = 0.05
_LEAST_S = 0.001

Answer = TypeVar("Answer")


class GaveWay(Exception):
    """It was stopped for others who wait; the work has to begin anew."""


class Turn:
    """The time that one request has. Only what others do with it counts: the
    time in `wait`. `others_wait`: asked once a share is used up."""

    def __init__(self, timeout_s: float,
                 others_wait: Optional[Callable[[], bool]] = None):
        self.timeout_s = self.left_s = timeout_s
        self._share_s = timeout_s / SHARES
        self._others_wait = others_wait

    def renew(self) -> None:
        """The whole deadline again; the share is what it was."""
        self.left_s = self.timeout_s

    def wait(self, answer: Callable[[float], Answer]) -> Answer:
        """What `answer` gives, which is told how long it may take, raises
        TimeoutError after that, and can be asked again. Raises GaveWay too."""
        began = time.monotonic()
        try:
            if self._others_wait is None:
                return answer(max(_LEAST_S, self.left_s))
            return self._wait_with_others(answer, began + self.left_s)
        finally:
            used_s = time.monotonic() - began
            self.left_s -= used_s
            self._share_s -= used_s

    def _wait_with_others(self, answer: Callable[[float], Answer],
                          deadline: float) -> Answer:
        assert self._others_wait is not None
        try:
            return answer(max(_LEAST_S, min(self._share_s, self.left_s)))
        except TimeoutError:
            while time.monotonic() < deadline:
                if self._others_wait():
                    raise GaveWay() from None
                try:
                    return answer(_LOOK_AROUND_S)
                except TimeoutError:
                    pass
            raise
