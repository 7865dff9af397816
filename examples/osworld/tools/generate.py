"""Writes the tasks, splits, files and solutions of examples/osworld.

  python3 examples/osworld/tools/generate.py [DIRECTORY]

The same bytes every time; tests compare them with what is committed.
"""

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tasks_apps  # noqa: E402
import tasks_commands  # noqa: E402
import tasks_office  # noqa: E402
import tasks_os  # noqa: E402
import tasks_styles  # noqa: E402
from task import DONE, FAIL  # noqa: E402


def all_tasks():
    made = [task for module in (
        tasks_os, tasks_office, tasks_apps, tasks_styles, tasks_commands)
            for task in module.tasks()]
    assert len({task.id for task in made}) == len(made)
    return made


# One of each kind, for a run of two minutes at most.
SHORT = ("rename-Scans", "total-hours", "ending-minutes", "slides-lesson",
         "picture-banner", "setting-qt-max-volume", "setting-bookmark-bar",
         "setting-reply_to", "infeasible-smell")

# Splits of their own for what an agent without a language model can do.
FAMILIES = {"style": "styles", "command": "commands"}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n",
                    encoding="utf-8")


def generate(root):
    for name in ("examples", "files", "solutions"):
        shutil.rmtree(root / name, ignore_errors=True)
    (root / "files").mkdir(parents=True)
    splits = {"train": {}, "eval": {}, "test": {}, "short": {}}
    splits |= {f"{family}-{name}": {} for family in FAMILIES.values()
               for name in ("train", "eval", "test")}
    for task in all_tasks():
        write(root / "examples" / task.domain / f"{task.id}.json", task.json())
        solution = task.solution + ([] if task.solution[-1] == FAIL
                                    else [DONE])
        write(root / "solutions" / f"{task.id}.json",
              {"task": task.name, "steps": solution})
        for name, make in task.fixtures.items():
            make(root / "files" / name)
        splits[task.split].setdefault(task.domain, []).append(task.id)
        family = FAMILIES.get(task.name.split("-")[0])
        if family:
            splits[f"{family}-{task.split}"].setdefault(
                task.domain, []).append(task.id)
        if task.name in SHORT:
            splits["short"].setdefault(task.domain, []).append(task.id)
    for name, split in splits.items():
        write(root / f"{name}.json", split)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1
             else Path(__file__).resolve().parent.parent)
