"""The tasks of examples/spreadsheets, each with several scripts whose grade is
known: what an attempt may do around a right or a wrong answer."""

import json
import random
import shutil

from support.spreadsheets import TASKS, cells, records

CLOCK = "import time\nprint(time.time_ns())"
EXIT = "import os\nos._exit(7)"
KILL = "import os\nos.kill(os.getpid(), 9)"
NEST = ("import os\nhere = os.getcwd()\nfor _ in range(40):\n"
        "    os.mkdir('d')\n    os.chdir('d')\nos.chdir(here)")


def variants(task):
    """(name, cells, grade) of one task."""
    right = cells(task, wrong=False)
    yield "right", right, 1
    yield "clock", [CLOCK, *right, CLOCK], 1
    yield "exits", [CLOCK, EXIT, *right], 1
    yield "killed", [CLOCK, KILL], 0
    yield "nested", [*right, NEST], 0
    wrong = cells(task, wrong=True)
    if wrong != right:
        yield "wrong", [CLOCK, *wrong], 0


def write_variants(folder, seed, most):
    """A dataset of at most so many of them, with `cells` for the scripts. The
    grade by task."""
    every = [(record, *variant) for record in records()
             for variant in variants(record["id"])]
    random.Random(seed).shuffle(every)
    (folder / "cells").mkdir(parents=True)
    made, expected = [], {}
    for record, name, script, grade in every[:most]:
        task = f"{record['id']}--{name}"
        place = folder / "spreadsheet" / task
        place.mkdir(parents=True)
        for file in (TASKS / record["spreadsheet_path"]).iterdir():
            shutil.copy(file, place / file.name.replace(record["id"], task))
        (folder / "cells" / f"{task}.json").write_text(json.dumps(script))
        made.append({**record, "id": task,
                     "spreadsheet_path": f"spreadsheet/{task}"})
        expected[task] = grade
    (folder / "dataset.json").write_text(json.dumps(made))
    return expected
