"""What the process that reads answers cannot do, were it taken over, as root
and as an ordinary user."""

import os
import unittest

import support
from support import NOBODY, Service, as_user, family, folder, workbook

from escape_testing import TakenOver, check_refusal, check_status, taken
import kernel_machines

CONFINE = "import grade_cell; grade_cell.find(512, {unsafe}).close(os.getppid())"


class Attacks(TakenOver):
    confine = CONFINE.format(unsafe=False)

    def test_the_process_that_grades_is_such_a_one(self):
        here = folder(self)
        answer = workbook(here / "answer.xlsx", [[1]])
        os.chmod(answer, 0o644)
        grader = Service(self, "grade/grade_server.py", **as_user(self.user))
        self.assertEqual(grader.hello["isolation"], "landlock+seccomp")
        reply = grader.ask("grade", answer=answer, golden=answer,
                           position="A1")
        self.assertTrue(reply["official"]["passed"], reply)
        child, = set(family(grader.process.pid)) - {grader.process.pid}
        check_status(self, child, self.user)
        # Beside the standard streams: what its service asks it through. It
        # could write replies to others, had it those of its service.
        held = {number: os.readlink(f"/proc/{child}/fd/{number}")
                for number in os.listdir(f"/proc/{child}/fd")}
        self.assertEqual(held.pop("0"), "/dev/null")
        self.assertEqual(held.pop("1"), held.pop("2"))
        others = [what for what in held.values() if what != answer]
        self.assertRegex(" ".join(others), r"^socket:\[\d+\]$")


class OfThisUser(Attacks, unittest.TestCase):
    """Root, mostly."""


@support.needs_root
class OfNobody(Attacks, unittest.TestCase):
    user = NOBODY


class Unconfined(unittest.TestCase):
    def test_without_landlock_it_refuses_in_one_line_that_says_why(self):
        check_refusal(self, "grade/grade_server.py", "workbooks are not opened")

    def test_unsafe_it_does_the_harm_that_is_looked_for(self):
        said = taken(NOBODY if os.geteuid() == 0 else None,
                     CONFINE.format(unsafe=True), [
            "harm('read', lambda: read('/etc/passwd'))",
            "harm('socket', socket.socket)"],
            preexec_fn=kernel_machines.without_landlock)
        self.assertIn("HARM read", said)
        self.assertIn("HARM socket", said)


if __name__ == "__main__":
    unittest.main()
