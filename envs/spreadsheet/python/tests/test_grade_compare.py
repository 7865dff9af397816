"""The value pairs of the official evaluation, by the rule they stand for."""

import datetime
import unittest

import support  # noqa: F401  (makes the modules importable)
from grade_compare import same

_at = datetime.datetime
_day = datetime.date
_clock = datetime.time

# (golden, answer, whether they are the same)
PAIRS = {
    "numbers are rounded to two digits, without a tolerance": [
        (1, 1.0, True), (1.001, 1, True), (1.0049, 1.0051, False),
        (0.125, 0.12, True), (0.125, 0.13, False), (2.675, 2.67, True),
        (2.675, 2.68, False), (1.004, 1.0, True), (-0.001, 0, True),
        (10 ** 15, 10 ** 15 + 1, False), (float("inf"), float("inf"), True)],
    "a bool is a number": [
        (True, 1, True), (False, 0, True), (True, "1", True),
        (True, "TRUE", False), (False, None, False), (True, 2, False)],
    "text that Python reads as a number is one": [
        ("5", 5, True), (5, "5 ", True), (" 5\n", 5, True),
        ("1_000", 1000, True), ("1e3", 1000, True), ("inf", "Infinity", True),
        ("5.001", "5", True), ("50%", 0.5, False), ("1,000", 1000, False),
        ("$5", 5, False), ("0x10", 16, False), ("\u0665", 5, True)],
    "not a number never equals itself": [
        ("nan", "nan", False), ("NaN", float("nan"), False)],
    "case and blanks of other text matter": [
        ("Yes", "yes", False), ("Yes", "Yes ", False), ("Yes", "Yes", True),
        ("a\nb", "a b", False)],
    "a time of day is lost, the afternoon is the next day": [
        (_at(2024, 1, 1), _at(2024, 1, 1, 9), True),
        (_at(2024, 1, 1, 13), _at(2024, 1, 2), True),
        (_at(2024, 1, 1, 13), _at(2024, 1, 1), False),
        # Half-even: noon belongs to the even day number.
        (_at(2024, 1, 1, 12), _at(2024, 1, 1), True),
        (_at(2024, 1, 2, 12), _at(2024, 1, 3), True)],
    "a date is its serial number, not its text": [
        (_at(2024, 1, 1), 45292, True), (_at(2024, 1, 1), "45292", True),
        (_at(2024, 1, 1), "2024-01-01", False),
        (_at(2024, 1, 1), _day(2024, 1, 1), False),
        (_day(2024, 1, 1), _day(2024, 1, 1), True),
        (_day(2024, 1, 1), 45292, False), (_at(1899, 12, 30), 0, True)],
    "a clock time is its text without seconds": [
        (_clock(10, 30), _clock(10, 30, 59), True),
        (_clock(10, 30), "10:30", True), (_clock(10, 30), "10:30:00", False),
        (_clock(10, 30), 0.4375, False),
        (_clock(10, 30, 1, 500000), _clock(10, 30, 1), False),
        (_clock(10, 30, 1, 500000), "10:30:01.500", True)],
    "durations are compared as they are": [
        (datetime.timedelta(hours=30), datetime.timedelta(hours=30), True),
        (datetime.timedelta(hours=30), 1.25, False)],
    "an empty cell is empty text and nothing else": [
        (None, None, True), (None, "", True), ("", None, True), ("", "", True),
        (None, 0, False), (None, " ", False), (None, False, False),
        ("", 0, False)],
    "errors are text": [
        ("#N/A", "#N/A", True), ("#N/A", None, False),
        ("#DIV/0!", "#VALUE!", False)],
}


class Pairs(unittest.TestCase):
    def test_every_pair_is_as_the_official_evaluation_has_it(self):
        for rule, pairs in PAIRS.items():
            for golden, answer, expected in pairs:
                with self.subTest(rule, golden=golden, answer=answer):
                    self.assertIs(same(golden, answer), expected)
                    self.assertIs(same(answer, golden), expected)

    def test_integers_beyond_floating_point_cannot_be_compared(self):
        with self.assertRaises(OverflowError):
            same(10 ** 400, 10 ** 400)


if __name__ == "__main__":
    unittest.main()
