"""What the tests of spreadsheets share: a directory and a configuration, the
processes below another one, a model that plays the scripts of
examples/spreadsheets."""

import json
import os
import subprocess
from pathlib import Path

from support import model_script
from support.model_script import KEY
from support.program import CommandCase, wait_until

ROOT = Path(__file__).resolve().parents[3]
TASKS = ROOT / "examples" / "spreadsheets"
_DATA = Path(os.environ.get("BREWERY_TEST_DATA", ROOT.parent / "shared/data"))
OFFICIAL = _DATA / "spreadsheetbench" / "all_data_912_v0.1"


SMALL = """
[run]
threads = 4
[environment]
kind = "spreadsheet"
data = "{tasks}"
eval_split = "eval"
[environment.spreadsheet]
train_tasks = {train}
eval_tasks = {eval}
{more}
[agent]
kind = "scripted"
script = "{tasks}/cells"
[search]
strategies = []
[eval]
test_trials = {trials}
"""


def services_lacking():
    """What `brewery env check` says where a service does not work."""
    done = subprocess.run([CommandCase.program, "env", "check"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else \
        f"spreadsheets do not work here:\n{done.stdout}"


# Asked once for each class, which may run the program as a user of its own: it
# starts every service.
_LACKING = {}


def rung_lacking(case, rung, more=""):
    """What `brewery env check` of a SpreadsheetCase says where a rung does not
    work."""
    asked = type(case), rung, more
    if asked not in _LACKING:
        _LACKING[asked] = _checked(case, rung, more)
    return _LACKING[asked]


def _checked(case, rung, more):
    (case.at / "rung.toml").write_text(
        f'[environment]\nkind = "spreadsheet"\ndata = "{TASKS}"\n'
        f'[environment.spreadsheet]\nisolation = "{rung}"\n{more}')
    done = case.brewery("env", "check", "--config", "rung.toml")
    return "" if done.returncode == 0 else \
        f"spreadsheets do not work here in {rung}:\n{done.stdout}"


def processes():
    """(pid, parent, words) of all that are no zombies."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        state, parent = stat.rsplit(")", 1)[1].split()[:2]
        if state != "Z":
            yield int(entry.name), int(parent), b" ".join(words).decode(
                "utf-8", "replace")


def below(root):
    """Words of all processes below one, by pid."""
    found, all_now = {}, list(processes())
    unvisited = [root]
    while unvisited:
        above = unvisited.pop()
        for pid, parent, words in all_now:
            if parent == above:
                found[pid] = words
                unvisited.append(pid)
    return found


def records():
    return json.loads((TASKS / "dataset.json").read_text(encoding="utf-8"))


def cells(task, wrong):
    """Of a task's script; the tempting wrong one, if it is wanted and there."""
    tempting = TASKS / "cells" / f"{task}.wrong.json"
    file = tempting if wrong and tempting.exists() else \
        TASKS / "cells" / f"{task}.json"
    return json.loads(file.read_text(encoding="utf-8"))


def act(asked):
    """Yields to temptation as long as it has no notes."""
    system = asked["messages"][0]["content"]
    said = " ".join(m["content"] or "" for m in asked["messages"][:2])
    task = next(r["id"] for r in records() if r["instruction"] in said)
    made = sum(len(m.get("tool_calls") or []) for m in asked["messages"])
    plan = cells(task, wrong="Notes from earlier work" not in system)
    if made < len(plan):
        return model_script.call("python", {"code": plan[made]})
    return {"content": "Done."}


class SpreadsheetModel(model_script.ModelScript):
    """The script of model_script.py, but for the agent."""

    def __enter__(self):
        self.before, model_script.act = model_script.act, act
        return super().__enter__()

    def __exit__(self, *details):
        model_script.act = self.before
        return super().__exit__(*details)


class SpreadsheetCase(CommandCase):
    def setUp(self):
        super().setUp()
        # Kernels have users of their own, who pass through here.
        self.at.chmod(0o711)
        self.temporary = self.at / "tmp"
        self.temporary.mkdir(mode=0o711)

    def environment(self):
        return super().environment() | {"TMPDIR": str(self.temporary),
                                        "SCRIPT_KEY": KEY}

    def config(self, train=6, evaluated=2, trials=1, more=""):
        (self.at / "a.toml").write_text(SMALL.format(
            tasks=TASKS, train=train, eval=evaluated, trials=trials, more=more))
        return "a.toml"

    def assert_nothing_left(self):
        def left():
            return sorted(str(path) for path in self.temporary.rglob("*"))
        try:
            wait_until("no file is left", lambda: not left())
        except AssertionError as late:
            raise AssertionError(f"{late}: {left()[:20]}") from None

    def assert_all_right(self, result):
        self.assertTrue(result["arms"])
        for arm in result["arms"]:
            self.assertEqual((arm["success"], arm["ungraded"]), (1, 0), arm)
