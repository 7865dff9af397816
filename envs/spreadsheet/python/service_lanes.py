"""Who is served when: work that takes long does not stand in the way of work
that does not.

Each episode has its turn before any has another. Whoever holds the first lane
for longer than a share of the deadline, while others wait for it, gives way:
the work begins anew in a second lane, which has processes of its own for such
work only and ends them when there is none. So a request waits for the shares of
those before it, never for a whole deadline of one of them.
"""

from __future__ import annotations

import os
import queue
import threading
import traceback
from collections import OrderedDict, deque
from typing import Any, Callable, Deque, Dict, Iterable, List, Optional

from service_turns import GaveWay

_KEEP_IDLE_S = 60.0
_BEAT_S = 1.0

Request = Dict[str, Any]


class FairQueue:
    """Round robin by episode; of one episode in order of arrival."""

    def __init__(self) -> None:
        self._waiting: "OrderedDict[Any, Deque[Request]]" = OrderedDict()
        self._ready = threading.Condition()
        self._closed = False

    def put(self, request: Request) -> None:
        with self._ready:
            # A text of whatever it is: it is checked when its turn comes.
            self._waiting.setdefault(str(request.get("episode")),
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

    def numbers(self) -> List[Any]:
        """The ids of all that wait."""
        with self._ready:
            return [request["id"] for requests in self._waiting.values()
                    for request in requests]


class Lanes:
    """`first` and `second` serve requests: `reply` (which may raise GaveWay
    where it is told who waits), `retire` after each, `rest` when there is
    nothing to do. `send` takes replies, from several threads."""

    def __init__(self, first: Any, second: Any,
                 send: Callable[[Dict[str, Any]], None]):
        self._first, self._second, self._send = first, second, send
        self._arrived, self._slow = FairQueue(), FairQueue()

    def put(self, request: Request) -> None:
        self._arrived.put(request)

    def close(self) -> None:
        self._arrived.close()
        self._slow.close()

    def serve(self, requests: Iterable[Request],
              ended: Callable[[], None]) -> None:
        """Until there are no more `requests`; then `ended` stops what is being
        done. The lanes stay in their threads, this one and another: the kernel
        kills what a thread has started when it ends."""
        def read() -> None:
            try:
                for request in requests:
                    self.put(request)
            finally:
                self.close()
                ended()

        for work in (read, self.serve_second, self._tell_who_waits):
            threading.Thread(target=_or_end, args=(work,), daemon=True).start()
        self.serve_first()

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

    def _tell_who_waits(self) -> None:
        """Whoever asked counts the time of a request from its turn only."""
        pause = threading.Event()
        while not pause.wait(_BEAT_S):
            if numbers := self._arrived.numbers() + self._slow.numbers():
                self._send({"waiting": numbers})


def _or_end(work: Callable[[], None]) -> None:
    try:
        work()
    except BrokenPipeError:
        pass  # nobody reads any more, nor writes soon
    except BaseException:  # a lane that is gone would keep its requests
        traceback.print_exc()
        os._exit(1)
