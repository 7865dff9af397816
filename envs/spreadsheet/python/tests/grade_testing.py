"""A grader to ask, with a golden of three rows, for the tests of it."""

import unittest

from support import Service, folder, shared, workbook

SHEET = "xl/worksheets/sheet1.xml"


class Case(unittest.TestCase):
    words = ()

    @classmethod
    def setUpClass(cls):
        cls.grader = (Service(cls, "grade/grade_server.py", *cls.words) if cls.words
                      else shared("grade/grade_server.py"))

    def setUp(self):
        self.here = folder(self)
        self.golden = workbook(self.here / "golden.xlsx",
                               [["a", 1], ["b", None], ["c", 3]])

    def grade(self, answer, position="A1:B3", golden=None):
        return self.grader.ask("grade", answer=str(answer),
                               golden=golden or self.golden, position=position)

    def why(self, answer):
        """Why neither way of grading passes it."""
        reply = self.grade(answer)
        self.assertFalse(reply["official"]["passed"])
        self.assertFalse(reply["repaired"]["passed"])
        self.assertLessEqual(len(reply["official"]["why"]), 200)
        return reply["official"]["why"]

    def passes(self, answer, **more):
        reply = self.grade(answer, **more)
        return (reply["official"]["passed"], reply["repaired"]["passed"])

    def file(self, name, content):
        (self.here / name).write_bytes(content)
        return self.here / name
