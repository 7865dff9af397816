"""Proves the tasks on local desktops: doing nothing scores 0 (an infeasible
task: FAIL scores 1), the scripted solution scores 1.

  python3 examples/osworld/tools/play.py [--split short] [TASK ...]

The grades here are of the few metrics that these tasks use, in Python, to see
that the tasks are right; runs are graded by Brewery.
"""

import argparse
import json
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT.parent.parent / "envs/osworld/python/tests"))
from desktop import Desktop, missing  # noqa: E402

UNTIL_S = 60
PREFIX = "import pyautogui; import time; pyautogui.FAILSAFE = False; "


class Wrong(Exception):
    """One line: what is wrong with a task or its solution."""


def set_up(desktop, steps):
    for step in steps:
        told, kind = step["parameters"], step["type"]
        if kind == "download":
            for file in told["files"]:
                data = (ROOT / file["url"]).read_bytes()
                body = (b"--edge\r\nContent-Disposition: form-data; "
                        b'name="file_path"\r\n\r\n' + file["path"].encode()
                        + b"\r\n--edge\r\nContent-Disposition: form-data; "
                        b'name="file_data"; filename="f"\r\n\r\n' + data
                        + b"\r\n--edge--\r\n")
                done = desktop.ask("/setup/upload", body,
                                   "multipart/form-data; boundary=edge")
        elif kind in ("execute", "launch"):
            done = desktop.ask("/setup/" + kind, {
                "command": told["command"],
                "shell": told.get("shell", False)})
        elif kind == "open":
            done = desktop.ask("/setup/open_file", told)
        elif kind == "sleep":
            time.sleep(told["seconds"])
            continue
        else:
            raise Wrong(f"unknown step {kind}")
        if done[0] != 200:
            raise Wrong(f"{kind}: {done}")


def solve(desktop, steps):
    last = ""
    for step in steps:
        if "act" in step:
            last = step["act"]
            if last in ("FAIL", "DONE"):
                continue
            done = desktop.told("/execute", {"command": [
                "python", "-c", PREFIX + last]})
            if done["returncode"] != 0:
                raise Wrong(f"{last}: {done['error']}")
            continue
        deadline = time.monotonic() + UNTIL_S
        while desktop.run(step["until"])["returncode"] != 0:
            if time.monotonic() > deadline:
                raise Wrong(f"never came: {step['until']}")
            time.sleep(0.1)
    return last


def result_of(desktop, getter):
    kind = getter["type"]
    if kind == "vm_command_line":
        return desktop.run(getter["command"])["output"]
    path = getter["path"] if kind == "vm_file" else \
        "/home/user/.config/GIMP/2.10/" + getter["file_name"]
    status, data = desktop.file(path)
    return data.decode() if status == 200 else None


def grade(desktop, evaluator, last):
    set_up(desktop, evaluator.get("postconfig", []))
    if evaluator["func"] == "infeasible":
        return float(last == "FAIL")
    if last == "FAIL":
        return 0.0
    got = result_of(desktop, evaluator["result"])
    rules = evaluator["expected"]["rules"]
    if got is None:
        return 0.0
    return float({
        "check_include_exclude": lambda: all(
            one in got for one in rules["include"]) and not any(
            one in got for one in rules["exclude"]),
        "exact_match": lambda: got == rules["expected"],
        "check_config_status": lambda: any(
            line.startswith("(" + rules["key"]) and line.strip("()\n").split()[
                -1] == rules["value"] for line in got.splitlines()),
        "check_thunderbird_prefs": lambda: all(
            re.search(rf'^user_pref\("{re.escape(key)}", "'
                      rf'{re.escape(rule["ref"])}"\);$', got, re.M)
            for key, rule in rules["expect"].items()),
    }[evaluator["func"]]())


def prove(task):
    """(task, score of nothing, score of the solution, seconds, what failed)"""
    solution = json.loads((ROOT / "solutions" / f"{task['id']}.json")
                          .read_text())
    begun, scores = time.monotonic(), []
    for steps in ([], solution["steps"]):
        desktop = Desktop((1920, 1080))
        try:
            set_up(desktop, task["config"])
            scores.append(grade(desktop, task["evaluator"],
                                solve(desktop, steps)))
        except (Wrong, AssertionError, OSError, KeyError) as problem:
            status, image = desktop.ask("/screenshot")
            Path(f"/tmp/{solution['task']}.png").write_bytes(image)
            return solution["task"], None, None, 0, (
                f"{problem} (its screen: /tmp/{solution['task']}.png)")
        finally:
            desktop.close()
    return solution["task"], *scores, time.monotonic() - begun, ""


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--split", default="")
    words.add_argument("--at-once", type=int, default=2)
    words.add_argument("tasks", nargs="*", help="parts of names; all")
    asked = words.parse_args()
    lacking = missing()
    if lacking:
        print(f"skipped: {lacking}")
        return 77
    chosen = {name for split in ([asked.split] if asked.split else
                                 ["train", "eval", "test"])
              for ids in json.loads((ROOT / f"{split}.json").read_text())
              .values() for name in ids}
    tasks = [json.loads(path.read_text())
             for path in sorted(ROOT.glob("examples/*/*.json"))
             if path.stem in chosen]
    if asked.tasks:
        tasks = [task for task in tasks if any(
            part in task["source"] for part in asked.tasks)]
    wrong = 0
    with ThreadPoolExecutor(asked.at_once) as players:
        for name, nothing, solved, seconds, why in players.map(prove, tasks):
            right = (nothing, solved) == (0.0, 1.0)
            wrong += not right
            print(f"{'ok' if right else 'WRONG':5} {name:32} nothing "
                  f"{nothing} solution {solved} {seconds:5.1f} s {why}",
                  flush=True)
    print(f"{len(tasks) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
