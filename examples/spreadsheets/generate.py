#!/usr/bin/python3
"""Writes the example tasks: the same bytes each time, in the layout of the
official data.

    generate.py [--out DIR] [--office soffice]

The values of formulas are those of a recalculation, for which LibreOffice has
to be installed (scripts/install_deps.sh --spreadsheets).
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl

import plain_xlsx
import tasks_formulas
import tasks_rows
import tasks_tables
import tasks_values

HERE = Path(__file__).resolve().parent
SERVER = HERE.parents[1] / "envs/spreadsheet/python/recalc_server.py"
CASES = (1, 2, 3)


def tasks():
    return (tasks_tables.TASKS + tasks_values.TASKS + tasks_rows.TASKS
            + tasks_formulas.TASKS)


class Recalculation:
    """Started at the first workbook with formulas."""

    def __init__(self, office):
        self._office, self._process = office, None
        self._folder = tempfile.TemporaryDirectory()

    def results(self, sheets):
        """(sheet, cell) -> value of each formula."""
        formulas = [(title, f"{plain_xlsx.column(c)}{r}")
                    for title, rows in sheets.items()
                    for r, row in enumerate(rows, 1)
                    for c, value in enumerate(row, 1)
                    if isinstance(value, str) and value.startswith("=")]
        if not formulas:
            return {}
        source, target = (Path(self._folder.name) / name
                          for name in ("in.xlsx", "out.xlsx"))
        plain_xlsx.write(source, sheets)
        reply = self._ask({"id": 1, "op": "recalculate", "in": str(source),
                           "out": str(target)})
        if reply.get("status") != "ok":
            sys.exit(f"generate: the recalculation failed: {reply}")
        book = openpyxl.load_workbook(target, data_only=True)
        return {(title, cell): book[title][cell].value
                for title, cell in formulas}

    def _ask(self, request):
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-B", str(SERVER), "--office", self._office],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if not self._process.stdout.readline():
                sys.exit("generate: LibreOffice is needed for formulas")
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self):
        if self._process is not None:
            self._process.communicate()
        self._folder.cleanup()


def write_task(task, out, recalculation):
    folder = out / "spreadsheet" / task.id
    folder.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        built = task.build(random.Random(f"{task.id} {case}"))
        for kind, sheets in zip(("input", "answer"), built):
            plain_xlsx.write(folder / f"{case}_{task.id}_{kind}.xlsx", sheets,
                             recalculation.results(sheets))


def write_json(path, value, indent=1):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False) + "\n",
                    encoding="utf-8")


def generate(out, office):
    recalculation = Recalculation(office)
    try:
        for task in tasks():
            write_task(task, out, recalculation)
            write_json(out / "cells" / f"{task.id}.json", task.cells)
            if task.wrong:
                write_json(out / "cells" / f"{task.id}.wrong.json", task.wrong)
    finally:
        recalculation.end()
    write_json(out / "dataset.json", [
        {"id": task.id, "instruction": task.instruction,
         "spreadsheet_path": f"spreadsheet/{task.id}",
         "instruction_type": task.kind, "answer_position": task.position,
         "answer_sheet": task.answer_sheet} for task in tasks()])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--office", default="soffice")
    words = parser.parse_args()
    generate(words.out, words.office)
