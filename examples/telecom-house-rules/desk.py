#!/usr/bin/env python3
"""A support desk with unwritten rules, as an external environment.

  brewery run config/telecom-house-rules.toml

An agent gets the ticket, the written policy and the tools. The house rules
(house_rules.py) are in none of them.
"""

import hashlib
from typing import Any, Mapping, Optional

from brewery_env import Environment, Grade, Part, Start, Task, ToolError, serve

from account_tools import Refused
from case import HERE, Case, read_tasks, ticket_of, world_of
from tool_list import tools


class Desk(Environment):
    name = "telecom-house-rules"
    # Change it when tools, rules or grades change; cases and policy are in it.
    rules_version = 1

    def __init__(self) -> None:
        data = b"".join((HERE / name).read_bytes()
                        for name in ("tasks.json", "policy.md"))
        self.version = (f"{self.rules_version}-"
                        + hashlib.sha256(data).hexdigest()[:12])
        self._tasks = {spec["id"]: spec for spec in read_tasks()}
        self._policy = (HERE / "policy.md").read_text()
        self._case: Optional[Case] = None

    def tasks(self):
        return [Task(name, ticket_of(world_of(spec)))
                for name, spec in self._tasks.items()]

    def splits(self):
        return {split: [name for name, spec in self._tasks.items()
                        if spec["split"] == split]
                for split in ("train", "eval", "test")}

    def tools(self):
        return tools()

    def reset(self, task: str) -> Start:
        self._case = Case(self._tasks[task])
        return Start(briefing=self._policy)

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        assert self._case is not None
        try:
            return self._case.call(name, arguments)
        except Refused as no:
            raise ToolError(str(no)) from None

    def grade(self) -> Grade:
        assert self._case is not None
        reward, parts = self._case.grade()
        return Grade(reward, [Part(name, met) for name, met in parts])


if __name__ == "__main__":
    serve(Desk)
