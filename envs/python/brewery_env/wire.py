"""From the values of environment.py to JSON and back. What an environment
returns is checked here, so that a mistake is reported where it was made."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from .environment import (Call, Environment, Event, Grade, Outcome, Parameter,
                          Part, Result, Start, Tool, Turn)

Json = dict


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    return value


def parameter(one: Parameter) -> Json:
    out = {"name": one.name, "type": one.type, "description": one.description,
           "choices": list(one.choices), "required": one.required}
    if one.items:
        out["items"] = one.items
    return out


def tool(one: Tool) -> Json:
    return {"name": one.name, "kind": one.kind, "requestor": one.requestor,
            "description": one.description,
            "parameters": [parameter(p) for p in one.parameters]}


def tools(some: Optional[Sequence[Tool]]) -> Optional[list]:
    return None if some is None else [tool(one) for one in some]


def hello(env: Environment, protocol: int, sessions: int) -> Json:
    return {"protocol": protocol, "name": env.name, "fingerprint": env.version,
            "tasks": [{"id": t.id, "instruction": t.instruction}
                      for t in env.tasks()],
            "splits": {name: list(ids) for name, ids in env.splits().items()},
            "tools": tools(env.tools()),
            "capabilities": {"conversation": bool(env.conversation),
                             "snapshot": False, "sessions": sessions}}


def start(made: Optional[Start]) -> Json:
    made = made or Start()
    return {"tools": tools(made.tools), "briefing": made.briefing,
            "opening": made.opening}


def turn(request: Mapping[str, Any]) -> Turn:
    return Turn(request.get("text", ""),
                [Call(c["name"], c.get("arguments") or {}, c.get("id", ""))
                 for c in request.get("calls", [])])


def _result(one: Result) -> Json:
    if not isinstance(one, Result):
        raise TypeError("a call must be answered with a str or a Result, not "
                        f"{type(one).__name__}")
    return {"content": _text(one.content, "the content of a Result"),
            "failed": bool(one.failed)}


def _event(one: Event) -> Json:
    return {"requestor": one.requestor, "tool": one.tool,
            "arguments": dict(one.arguments),
            "observation": _text(one.observation, "an Event's observation"),
            "failed": bool(one.failed), "mutates": bool(one.mutates)}


def outcome(made: Outcome, calls: int) -> Json:
    if not isinstance(made, Outcome):
        raise TypeError(f"step must return an Outcome, not "
                        f"{type(made).__name__}")
    if len(made.results) != calls:
        raise ValueError(f"step returned {len(made.results)} results for "
                         f"{calls} calls")
    return {"results": [_result(one) for one in made.results],
            "reply": _text(made.reply, "a reply"), "over": bool(made.over),
            "events": [_event(one) for one in made.events]}


def grade(made: Union[Grade, float, bool]) -> Json:
    if not isinstance(made, Grade):
        made = Grade(float(made))
    if not 0 <= made.reward <= 1:
        raise ValueError(f"a reward is from 0 to 1, not {made.reward}")
    return {"reward": float(made.reward), "parts": [_part(p) for p in made.parts]}


def _part(one: Part) -> Json:
    return {"name": _text(one.name, "a Part's name"), "met": bool(one.met)}
