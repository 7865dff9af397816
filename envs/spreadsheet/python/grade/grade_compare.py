"""When two values of cells are equal: the rules of the official evaluation.

They are kept with their oddities (docs/spreadsheet-grading.md): a score is only
comparable to others by the same rules.
"""

from __future__ import annotations

import datetime
from typing import Any

_DAY_ZERO = datetime.datetime(1899, 12, 30)
_SECONDS_OF_DAY = 86400.0
_SHOWN_CHARACTERS = 60


def normal(value: Any) -> Any:
    """What is compared in place of `value`. Raises OverflowError for integers
    beyond floating point, of which the official evaluation fails the case."""
    if isinstance(value, (int, float)):  # a bool too: TRUE is 1
        return round(float(value), 2)
    if isinstance(value, datetime.time):
        return str(value)[:-3]  # its seconds, or half of its microseconds
    if isinstance(value, datetime.datetime):
        since = value - _DAY_ZERO
        # Whole days: the afternoon is the next day.
        return round(since.days + since.seconds / _SECONDS_OF_DAY, 0)
    if isinstance(value, str):
        try:
            return round(float(value), 2)  # " 5 ", "1_000", "inf" and "nan" too
        except ValueError:
            return value
    return value


def equal(expected: Any, got: Any) -> bool:
    """Of two values that are `normal`. No cell and empty text are the same."""
    if expected is None or expected == "":
        return got is None or got == ""
    return type(expected) is type(got) and expected == got


def same(expected: Any, got: Any) -> bool:
    """Of two values as openpyxl reads them."""
    return equal(normal(expected), normal(got))


def shown(value: Any) -> str:
    """For the reason of a failure: a text can be told from a number."""
    if value is None:
        return "nothing"
    text = repr(value) if isinstance(value, str) else str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        text = f"{type(value).__name__} {text}"
    if len(text) > _SHOWN_CHARACTERS:
        text = text[:_SHOWN_CHARACTERS] + "..."
    return text
