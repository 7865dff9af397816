#!/usr/bin/env python3
"""Plays every case with an agent that knows the house rules, and with one that
keeps the written policy to the letter.

  python3 examples/telecom-house-rules/oracle.py
  python3 examples/telecom-house-rules/oracle.py --scripts DIR

The first prints how often each solves the cases of each split. The second
writes DIR/oracle/TASK.json and DIR/policy/TASK.json, the calls of each, for
`agent.kind = "scripted"`.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Dict, List, Sequence

from account_tools import Refused
from case import Case, Spec, read_tasks, ticket_of
from grading import HAND_OVER
from policy_agent import PolicyAgent
from situations import BY_NAME, Calls

SPLITS = ["train", "eval", "test"]


def oracle_calls(case: Case, situations: Sequence[str]) -> Calls:
    """The cures of all situations; one hand-over, as the last call."""
    calls = [call for name in situations
             for call in BY_NAME[name].cure(case.began)]
    last = [call for call in calls if call[0] == HAND_OVER]
    return [call for call in calls if call[0] != HAND_OVER] + last[:1]


def play(case: Case, calls: Calls) -> float:
    for name, arguments in calls:
        try:
            case.call(name, arguments)
        except Refused:
            pass  # the agent goes on
    return case.grade()[0]


def policy_calls(spec: Spec) -> Calls:
    case = Case(spec)
    agent = PolicyAgent(ticket_of(case.world), case.call)
    agent.run()
    return agent.made


def rewards(agent: str, tasks: Sequence[Spec]) -> List[float]:
    out = []
    for spec in tasks:
        case = Case(spec)
        calls = (oracle_calls(case, spec["situations"]) if agent == "oracle"
                 else policy_calls(spec))
        out.append(play(case, calls))
    return out


def write_scripts(directory: Path, tasks: Sequence[Spec]) -> None:
    for agent in ("oracle", "policy"):
        (directory / agent).mkdir(parents=True, exist_ok=True)
        for spec in tasks:
            calls = (oracle_calls(Case(spec), spec["situations"])
                     if agent == "oracle" else policy_calls(spec))
            script: List[Dict[str, Any]] = [
                {"tool": name, "arguments": arguments}
                for name, arguments in calls]
            file = directory / agent / f"{spec['id']}.json"
            file.write_text(json.dumps(script, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Plays every case with the oracle and with the written "
                    "policy.")
    parser.add_argument("--scripts", type=Path, metavar="DIR",
                        help="write the calls of both there instead")
    arguments = parser.parse_args()
    tasks = read_tasks()
    if arguments.scripts:
        write_scripts(arguments.scripts, tasks)
        return
    print("split  cases  oracle  policy")
    for split in SPLITS:
        some = [spec for spec in tasks if spec["split"] == split]
        solved = {agent: sum(rewards(agent, some)) / len(some)
                  for agent in ("oracle", "policy")}
        print(f"{split:5}  {len(some):5}  {solved['oracle']:6.3f}  "
              f"{solved['policy']:6.3f}")


if __name__ == "__main__":
    main()
