"""Graders that give way: slow answers delay nobody, and whoever waits is told
so."""

import os
import signal
import unittest

from grade_testing import Case
from support import Service, children, workbook
from test_grade_faults import slow


class Lanes(Case):

    def service(self, *words):
        self.grader = Service(self, "grade/grade_server.py", *words)
        return self.grader

    def send(self, answer):
        return self.grader.send("grade", answer=str(answer),
                                golden=self.golden, position="A1:B3")

    def test_a_neighbour_of_slow_answers_is_graded_before_them(self):
        # A share of the deadline is 0.2 s. They take at least 0.5 s each. On a
        # slow machine the neighbour may need more than a share, too.
        for scale in (1, 2, 5):
            self.service("--deadline-ms", scale * 2400)
            late = slow(self.golden, self.here / "slow.xlsx", scale * 6_000)
            sent = [self.send(late) for _ in range(3)]
            honest = self.send(self.golden)
            replies = [self.grader.reply() for _ in range(4)]
            if replies[0]["id"] == honest and "official" in replies[0]:
                break
        self.assertEqual(replies[0]["id"], honest, replies)
        self.assertTrue(replies[0]["official"]["passed"])
        self.assertEqual(sorted(reply["id"] for reply in replies[1:]), sent)

    def test_a_stuck_child_gives_way_and_both_answers_are_graded(self):
        self.service("--deadline-ms", 60_000)
        self.assertEqual(self.passes(self.golden), (True, True))
        stuck, = children(self.grader.process.pid)
        os.kill(stuck, signal.SIGSTOP)
        first, second = self.send(self.golden), self.send(self.golden)
        replies = {reply["id"]: reply["official"]["passed"]
                   for reply in (self.grader.reply(), self.grader.reply())}
        self.assertEqual(replies, {first: True, second: True})
        left = children(self.grader.process.pid)
        self.assertEqual(len(left), 2)  # one of each lane
        self.assertNotIn(stuck, left)

    def test_who_waits_is_told_until_its_turn(self):
        self.service("--deadline-ms", 3_600_000)  # nobody gives way
        self.assertEqual(self.passes(self.golden), (True, True))
        stuck, = children(self.grader.process.pid)
        os.kill(stuck, signal.SIGSTOP)
        first, second = self.send(self.golden), self.send(self.golden)
        for _ in range(2):
            self.assertEqual(self.grader.line(), {"waiting": [second]})
        os.kill(stuck, signal.SIGKILL)
        said = [self.grader.line()]
        while "official" not in said[-1] or said[-1]["id"] != second:
            said.append(self.grader.line())
        # It was read again, which takes its time: that is said as well.
        self.assertIn({"waiting": [first]}, said)


if __name__ == "__main__":
    unittest.main()
