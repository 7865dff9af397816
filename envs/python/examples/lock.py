#!/usr/bin/env python3
"""A jammed lock: a small benchmark of its own, as an example.

A lock has a spring, pins, a bolt and a cover. Some of them are wrong. The door
opens once spring, pins and bolt are right; the spring can be oiled only while
the cover is open. An agent sees the parts, not these rules.

  brewery run config/external-example.toml
"""

from itertools import product
from typing import Any, Dict, Mapping

from brewery_env import (Environment, Grade, Parameter, Part, Task, Tool,
                         ToolError, serve)

PARTS = {"spring": ["loose", "tight"], "pins": ["level", "low", "high"],
         "bolt": ["straight", "bent"], "cover": ["shut", "open"]}
RIGHT = {"spring": "loose", "pins": "level", "bolt": "straight"}


def _opens(lock: Mapping[str, str]) -> bool:
    return all(lock[part] == state for part, state in RIGHT.items())


def _jammed_locks() -> Dict[str, Dict[str, str]]:
    """Task id -> the lock it begins with: every state that does not open."""
    states = [dict(zip(PARTS, values)) for values in product(*PARTS.values())]
    return {f"lock-{number:02}": state for number, state in
            enumerate(state for state in states if not _opens(state))}


class Lock(Environment):
    name = "jammed-lock"
    version = "1"

    def __init__(self) -> None:
        self._starts = _jammed_locks()
        self._lock: Dict[str, str] = {}

    def tasks(self):
        return [Task(name, "Problem: door shut. Wish: door open.")
                for name in self._starts]

    def splits(self):
        names = list(self._starts)
        # Every third to eval and test, so that each split has every fault.
        return {"train": names[0::3], "eval": names[1::3], "test": names[2::3]}

    def tools(self):
        return [Tool("inspect_lock", "read", "Look at the parts of the lock."),
                Tool("try_door", "read", "See whether the door opens."),
                Tool("oil_spring", description="Put oil on the spring."),
                Tool("lift_cover", description="Open the cover."),
                Tool("press_cover", description="Shut the cover."),
                Tool("hammer_bolt", description="Hammer the bolt."),
                Tool("set_pins", description="Move the pins.", parameters=[
                    Parameter("height", choices=PARTS["pins"])])]

    def reset(self, task):
        self._lock = dict(self._starts[task])

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        lock = self._lock
        if name == "inspect_lock":
            return "\n".join(f"{part.capitalize()}: {state}"
                             for part, state in lock.items())
        if name == "try_door":
            return "Door: open" if _opens(lock) else "Door: stuck"
        if name == "oil_spring":
            if lock["cover"] == "open":
                lock["spring"] = "loose"
            return "Oil runs down."
        if name in ("lift_cover", "press_cover"):
            lock["cover"] = "open" if name == "lift_cover" else "shut"
            return "Click."
        if name == "hammer_bolt":
            # A straight bolt does not get better by it.
            lock["bolt"] = "bent" if lock["bolt"] == "straight" else "straight"
            return "Bang."
        if name == "set_pins":
            if arguments.get("height") not in PARTS["pins"]:
                raise ToolError(f"height must be one of {PARTS['pins']}")
            lock["pins"] = arguments["height"]
            return "The pins slide."
        raise ToolError(f"there is no tool {name!r}")

    def grade(self):
        opens = _opens(self._lock)
        return Grade(float(opens), [Part("Door: open", opens)])


if __name__ == "__main__":
    serve(Lock)
