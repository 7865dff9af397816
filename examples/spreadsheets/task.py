"""What a task is made of, and words to fill tables with."""

from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

CELL, SHEET = "Cell-Level Manipulation", "Sheet-Level Manipulation"

NAMES = ["Ada", "Boris", "Chen", "Dunja", "Emil", "Farah", "Gus", "Hana",
         "Ivo", "Jun", "Kofi", "Lena", "Milo", "Nadia", "Omar", "Pia"]
GOODS = ["bolt", "cable", "drill", "fuse", "gasket", "hinge", "lamp", "motor",
         "nail", "pump", "relay", "screw", "valve", "washer"]
PLACES = ["North", "South", "East", "West"]

Rows = List[list]
Sheets = Dict[str, Rows]


@dataclass(frozen=True)
class Task:
    """`build(rng)` makes the input and the golden of one case. `cells` is code
    that solves it; `wrong` is code that looks right and is not."""

    id: str
    kind: str
    instruction: str
    position: str
    build: Callable[..., Tuple[Sheets, Sheets]]
    cells: List[str]
    wrong: Optional[List[str]] = None
    answer_sheet: str = "Sheet1"


OPEN = ("import openpyxl\nbook = openpyxl.load_workbook('input.xlsx')\n"
        "sheet = book.worksheets[0]\n"
        "print(sheet.dimensions)\n"
        "for row in sheet.iter_rows(values_only=True):\n    print(row)\n")
SAVE = "book.save('output.xlsx')\n"


def copied(rows: Rows) -> Rows:
    return [list(row) for row in rows]


def put(rows: Rows, row: int, column: int, value: object) -> None:
    """Rows and columns count from 1; the table grows as needed."""
    while len(rows) < row:
        rows.append([])
    line = rows[row - 1]
    line.extend([None] * (column - len(line)))
    line[column - 1] = value
