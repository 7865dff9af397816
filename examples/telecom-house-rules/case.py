"""One case of the desk: its ticket, its tools and its grade."""

import copy
import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Tuple

import account_tools
import phone_tools
from account_tools import Refused
from grading import grade
from house_rules import wanted_mode
from situations import BY_NAME
from world import Done, World, fresh_world

HERE = Path(__file__).resolve().parent

COMPLAINTS = {
    "no_service": ("no signal and no calls in either direction",
                   "the phone shows a working connection again"),
    "mobile_data": ("mobile internet is dead or far too slow",
                    "a speed test on the phone comes out excellent"),
    "picture_mms": ("picture messages do not leave the phone",
                    "the phone is able to send a picture message")}

CHANGING = {tool.__name__ for tool in (*account_tools.CHANGING,
                                       *phone_tools.CHANGING)}
TOOLS = {tool.__name__: tool for tool in (
    *account_tools.READING, *account_tools.CHANGING, *phone_tools.READING,
    *phone_tools.CHANGING)}

Spec = Mapping[str, Any]


def read_tasks() -> List[Dict[str, Any]]:
    return json.loads((HERE / "tasks.json").read_text())


def world_of(spec: Spec) -> World:
    """The state in which a task begins."""
    world = fresh_world(spec["account"], spec["complaint"], spec["place"],
                        spec["top_up_gb"])
    world.phone.mode = wanted_mode(world)
    for name in spec["situations"]:
        BY_NAME[name].begin(world)
    return world


def ticket_of(world: World) -> str:
    complaint, solved = COMPLAINTS[world.complaint]
    place = f"abroad, country: {world.place}" if world.place else "at home"
    who = world.account
    return (f"Complaint: {complaint}. Customer name: {who.full_name}, phone "
            f"number: {who.phone_number}, current location: {place}. Solved "
            f"when: {solved}. Allowed: top up {world.top_up_gb} GB of data, "
            "pay whatever bill is overdue, keep the plan.")


class Case:
    def __init__(self, spec: Spec) -> None:
        self.world = world_of(spec)
        self.began = copy.deepcopy(self.world)

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What the tool answers; raises `Refused` where it does not work."""
        tool = TOOLS.get(name)
        if tool is None:
            raise Refused(f"there is no tool {name!r}")
        if name not in CHANGING:
            return tool(self.world, arguments)
        done = Done(name, dict(arguments), refused=True)
        self.world.done.append(done)
        answer = tool(self.world, arguments)
        done.refused = False
        return answer

    def grade(self) -> Tuple[float, List[Tuple[str, bool]]]:
        return grade(self.began, self.world)
