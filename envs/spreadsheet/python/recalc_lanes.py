"""Who is recalculated when: a workbook that takes long does not stand in the
way of those that do not.

Each episode has its turn before any has another. Whoever holds the first office
for longer than a share of the deadline, while others wait for it, gives way:
the work begins anew in a second office, which is started for such work only and
ends when there is none. So a workbook waits for the shares of those before it,
never for a whole deadline of one of them.
"""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict, deque
from typing import Any, Callable, Deque, Dict, Optional

from recalc_office import GaveWay
from recalc_service import Service

_KEEP_IDLE_S = 60.0

Request = Dict[str, Any]


class FairQueue:
    """Round robin by episode; of one episode in order of arrival."""

    def __init__(self) -> None:
        self._waiting: "OrderedDict[Any, Deque[Request]]" = OrderedDict()
        self._ready = threading.Condition()
        self._closed = False

    def put(self, request: Request) -> None:
        with self._ready:
            self._waiting.setdefault(request.get("episode"),
                                     deque()).append(request)
            self._ready.notify()

    def get(self, timeout_s: Optional[float] = None) -> Optional[Request]:
        """None: the queue was closed. queue.Empty after the time."""
        with self._ready:
            if not self._ready.wait_for(lambda: self._waiting or self._closed,
                                        timeout_s):
                raise queue.Empty()
            if self._closed:
                return None
            episode, requests = self._waiting.popitem(last=False)
            request = requests.popleft()
            if requests:
                self._waiting[episode] = requests  # behind all others
            return request

    def close(self) -> None:
        """What still waits is not done any more."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    def waits(self) -> bool:
        return bool(self._waiting)


class Lanes:
    """`first` and `second` have an office each; `send` takes a reply."""

    def __init__(self, first: Service, second: Service,
                 send: Callable[[Dict[str, Any]], None]):
        self._first, self._second, self._send = first, second, send
        self._arrived, self._slow = FairQueue(), FairQueue()

    def put(self, request: Request) -> None:
        self._arrived.put(request)

    def close(self) -> None:
        self._arrived.close()
        self._slow.close()

    def serve_first(self) -> None:
        """Until it is closed."""
        while (request := self._arrived.get()) is not None:
            try:
                self._send(self._first.reply(request, self._arrived.waits))
            except GaveWay:
                self._slow.put(request)
            self._first.retire()

    def serve_second(self) -> None:
        while True:
            try:
                request = self._slow.get(_KEEP_IDLE_S)
            except queue.Empty:
                self._second.rest()
                continue
            if request is None:
                return
            self._send(self._second.reply(request))
            self._second.retire()
