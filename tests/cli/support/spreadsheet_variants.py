"""The tasks of examples/spreadsheets, each with several scripts whose grade is
known: what an attempt may do around a right or a wrong answer, and what it may
try so that a 0 becomes no score."""

import json
import random
import shutil
import sys

from support.spreadsheets import ROOT, TASKS, cells, records

sys.path.append(str(ROOT / "envs/spreadsheet/python/kernel/tests"))
import kernel_attacks

CLOCK = "import time\nprint(time.time_ns())"
EXIT = "import os\nos._exit(7)"
KILL = "import os\nos.kill(os.getpid(), 9)"
NEST = ("import os\nhere = os.getcwd()\nfor _ in range(40):\n"
        "    os.mkdir('d')\n    os.chdir('d')\nos.chdir(here)")
CLOSE = "import os\nos.fchmod(os.open({!r}, os.O_RDONLY), 0)"
CRASH = ("import openpyxl\nbook = openpyxl.Workbook()\n"
         "book.active['A1'] = '=' + '(' * 8000 + '1' + ')' * 8000\n"
         "book.save('output.xlsx')")
FILL = ("import os\ntry:\n    for i in range(99):\n"
        "        open(f'{i}', 'wb').write(bytes(32 << 20))\n"
        "finally:\n    os._exit(1)")
HIDDEN = {"count": 40, "size": 32 << 20}

# None of them makes an answer.
ATTACKS = {
    "clock-exit": [CLOCK + "\n" + EXIT],
    "clock-kill": [CLOCK + "\n" + KILL],
    "nested": [NEST],
    "closed": [CLOSE.format(".")],
    "closed-exit": [CLOSE.format(".") + "\n" + EXIT, CLOCK],
    "closed-below": ["import os\nos.mkdir('d')\n" + CLOSE.format("d")],
    "closed-below-exit": ["import os\nos.mkdir('d')\n" + CLOSE.format("d")
                          + "\n" + EXIT, CLOCK],
    "crash": [CRASH],
    "mapped": [kernel_attacks.MAPPED.format(**HIDDEN)],
    "other-tables": [kernel_attacks.OTHER_TABLES.format(**HIDDEN)],
    "fill-exit": [FILL],
}


def variants(task):
    """(name, cells, grade) of one task."""
    right = cells(task, wrong=False)
    yield "right", right, 1
    yield "clock", [CLOCK, *right, CLOCK], 1
    yield "exits", [CLOCK, EXIT, *right], 1
    yield "killed", [CLOCK, KILL], 0
    yield "nested", [*right, NEST], 0
    yield "closed", ATTACKS["closed-below-exit"], 0
    wrong = cells(task, wrong=True)
    if wrong != right:
        yield "wrong", [CLOCK, *wrong], 0


def write_variants(folder, seed, most):
    """A dataset of at most so many of them, with `cells` for the scripts. The
    grade by task."""
    every = [(record, *variant) for record in records()
             for variant in variants(record["id"])]
    # An office is started anew for each of these: once.
    every.append((records()[0], "crash", ATTACKS["crash"], 0))
    random.Random(seed).shuffle(every)
    return write_tasks(folder, every[:most])


def write_attacks(folder, honest):
    """Two of each attack, and so many tasks with a right answer."""
    chosen = records()
    every = [(chosen[number % len(chosen)], name, script, 0)
             for number, (name, script) in enumerate([*ATTACKS.items()] * 2)]
    every += [(record, "right", cells(record["id"], wrong=False), 1)
              for record in chosen[:honest]]
    return write_tasks(folder, every)


def write_tasks(folder, played):
    """Of (record, name, cells, grade). The grade by task."""
    (folder / "cells").mkdir(parents=True)
    made, expected = [], {}
    for record, name, script, grade in played:
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
