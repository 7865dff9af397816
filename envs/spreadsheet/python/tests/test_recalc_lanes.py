"""Whose turn it is for an office, by a clock that only work advances; and that
a real office gives way."""

import os
import queue
import signal
import unittest
import unittest.mock

import support
from recalc_reader import Found
from recalc_service import Service as RecalcService
from recalc_testing import Case, office_of, reader_of, value
from support import PATIENCE_S, Service, family, folder, workbook
from service_lanes import FairQueue, Lanes
from service_turns import SHARES, GaveWay, Turn

DEADLINE_S, RESTART_S = 30, 1


class Clock:
    now = 0.0


class TimedService:
    """Work takes as long as a request says, and a deadline at most. `most`:
    requests that are served before the lanes are closed."""

    def __init__(self, clock, lanes, most):
        self.clock, self.lanes, self.most = clock, lanes, most

    def reply(self, request, others_wait=None):
        try:
            share = DEADLINE_S / SHARES
            work = min(request["work_s"], DEADLINE_S)
            if others_wait is not None and work > share:
                self.clock.now += share
                if others_wait():
                    self.clock.now += RESTART_S
                    raise GaveWay()
                work -= share
            self.clock.now += work
            return {"id": request["id"], "at": self.clock.now}
        finally:
            self.most -= 1
            if self.most == 0:
                self.lanes[0].close()

    def retire(self):
        pass


def takes(clock, work_s):
    """Work for a Turn: done after so much of the clock's time."""
    left_s = work_s

    def answer(timeout_s):
        nonlocal left_s
        done_s = min(left_s, timeout_s)
        clock.now += done_s
        left_s -= done_s
        if left_s > 0:
            raise TimeoutError()
    return answer


class TimedReader:
    """Takes as long as it is told, workbook after workbook."""

    def __init__(self, clock, reads_s):
        self.clock, self.reads_s = clock, list(reads_s)

    def read(self, content, turn):
        try:
            turn.wait(takes(self.clock, self.reads_s.pop(0)))
        except GaveWay:
            self.clock.now += RESTART_S
            raise
        return Found([], "", b"")


class NoOffice:
    documents = 0

    def resident_bytes(self):
        return 0


def by_clock(clock):
    return unittest.mock.patch("service_turns.time.monotonic",
                               lambda: clock.now)


def served(requests, slow=0):
    """Replies of the first lane by id, or, of `slow` requests that gave way,
    those of the second too."""
    lanes, clocks, replies = [], (Clock(), Clock()), {}
    first = TimedService(clocks[0], lanes, len(requests))
    second = TimedService(clocks[1], lanes, slow)
    lanes.append(Lanes(first, second,
                       lambda reply: replies.update({reply["id"]: reply})))
    for number, (episode, work_s) in enumerate(requests):
        lanes[0].put({"id": number, "episode": episode, "work_s": work_s})
    if slow:
        first.most = -1  # does not close
        for _ in requests:
            request = lanes[0]._arrived.get()
            try:
                lanes[0]._send(first.reply(request, lambda: True))
            except GaveWay:
                lanes[0]._slow.put(request)
        lanes[0].serve_second()
    else:
        lanes[0].serve_first()
    return replies


class Turns(unittest.TestCase):
    def test_episodes_take_turns_and_each_keeps_its_order(self):
        waiting = FairQueue()
        for episode, number in (("a", 1), ("a", 2), ("a", 3), ("b", 4),
                                (None, 5), ("b", 6)):
            waiting.put({"episode": episode, "id": number})
        self.assertEqual([waiting.get()["id"] for _ in range(6)],
                         [1, 4, 5, 2, 6, 3])
        with self.assertRaises(queue.Empty):
            waiting.get(0)

    def test_a_closed_queue_gives_nothing_more(self):
        waiting = FairQueue()
        waiting.put({"id": 1})
        waiting.close()
        self.assertIsNone(waiting.get())

    def test_a_neighbour_of_one_with_eight_slow_workbooks_waits_a_share(self):
        replies = served([("slow", 60)] * 8 + [("honest", 0.1)])
        self.assertLessEqual(replies[8]["at"],
                             DEADLINE_S / SHARES + RESTART_S + 0.2)

    def test_a_neighbour_of_eight_slow_episodes_waits_less_than_a_deadline(self):
        replies = served([(str(n % 8), 60) for n in range(64)]
                         + [("honest", 0.1)])
        self.assertLess(replies[64]["at"], DEADLINE_S)

    def test_a_slow_workbook_that_nobody_waits_for_keeps_its_office(self):
        replies = served([("slow", 20)])
        self.assertEqual(replies[0]["at"], 20)

    def test_what_gave_way_is_done_in_turns_by_the_second_office(self):
        replies = served([("a", 60), ("a", 60), ("a", 60), ("b", 5)], slow=4)
        self.assertEqual(sorted(replies), [0, 1, 2, 3])
        self.assertEqual(replies[3]["at"], DEADLINE_S + 5)


class Shares(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()

    def test_reading_and_computing_have_one_share_and_one_deadline(self):
        with by_clock(self.clock):
            turn = Turn(24, lambda: True)
            turn.wait(takes(self.clock, 1.5))
            with self.assertRaises(GaveWay):
                turn.wait(takes(self.clock, 1))
            self.assertLess(self.clock.now, 2.1)
            alone = Turn(24)
            alone.wait(takes(self.clock, 20))
            with self.assertRaises(TimeoutError):
                alone.wait(takes(self.clock, 5))
            alone.renew()
            alone.wait(takes(self.clock, 5))

    def test_who_keeps_a_lane_gives_way_when_another_comes(self):
        with by_clock(self.clock):
            turn = Turn(24, lambda: self.clock.now > 10)
            with self.assertRaises(GaveWay):
                turn.wait(takes(self.clock, 20))
            self.assertLess(self.clock.now, 10.2)

    def test_eight_that_are_slow_to_read_delay_a_neighbour_by_less_than_a_deadline(
            self):
        source = workbook(folder(self) / "a.xlsx", [["=1+1"]])
        replies = []

        def send(reply):
            replies.append(reply)
            lanes.close()

        service = RecalcService(NoOffice(), TimedReader(
            self.clock, [60] * 8 + [0.1]), None, 500, 1 << 30)
        lanes = Lanes(service, None, send)
        for number in range(9):
            lanes.put({"id": number, "op": "recalculate", "in": source,
                       "out": source, "timeout_ms": 1000 * DEADLINE_S,
                       "episode": str(number)})
        with by_clock(self.clock):
            lanes.serve_first()
        self.assertEqual([reply["id"] for reply in replies], [8])
        self.assertLess(self.clock.now, DEADLINE_S)


@support.needs_office
class GivingWay(Case):
    def setUp(self):
        super().setUp()
        self.service = Service(self, "recalc_server.py", "--retire-after", "100")

    def test_a_stuck_office_gives_way_and_both_workbooks_are_done(self):
        self.check(office_of)

    def test_a_stuck_reader_gives_way_and_both_workbooks_are_done(self):
        self.works()  # it is started when there is something to read
        self.check(reader_of)

    def check(self, stuck):
        service = self.service
        os.kill(stuck(service), signal.SIGSTOP)
        sent = [service.send("recalculate", **{
            "in": workbook(self.here / f"{episode}.xlsx", [[5], ["=A1*2"]]),
            "out": str(self.here / f"{episode}.out.xlsx"), "episode": episode,
            # The share of a deadline that is over soon.
            "timeout_ms": 2 * PATIENCE_S * 1000 if episode == "b" else 24_000})
            for episode in ("a", "b")]
        replies = [service.reply() for _ in sent]
        self.assertEqual({(reply["id"], reply["status"]) for reply in replies},
                         {(number, "ok") for number in sent})
        for episode in ("a", "b"):
            self.assertEqual(value(self.here / f"{episode}.out.xlsx"), 10)
        offices = [name for name in family(service.process.pid).values()
                   if name == "soffice.bin"]
        self.assertEqual(len(offices), 2)
        for odd in (7, ["a"]):
            self.assertIn("episode: must be a text", self.recalculate(
                self.double(), episode=odd)["error"])


if __name__ == "__main__":
    unittest.main()
