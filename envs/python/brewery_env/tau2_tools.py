"""Tools of tau2-bench, described for Brewery."""

from __future__ import annotations

from typing import Any, Dict, List

from .environment import Parameter, Tool

TYPES = ("string", "number", "integer", "boolean", "array", "object")


def tools_of(env: Any, solo: bool) -> List[Tool]:
    """Those the agent has: its own, in solo mode the user's too."""
    own = [_tool(one, env.tools, "assistant") for one in env.get_tools()]
    if not solo:
        return own
    names = {tool.name for tool in own}
    return own + [_tool(one, env.user_tools, "user")
                  for one in env.get_user_tools() if one.name not in names]


def _tool(one: Any, kit: Any, requestor: str) -> Tool:
    schema = one.openai_schema["function"]
    taken = schema.get("parameters", {})
    required = set(taken.get("required", []))
    return Tool(one.name, _kind(kit, one.name),
                schema.get("description", ""),
                [_parameter(name, spec, taken, name in required)
                 for name, spec in taken.get("properties", {}).items()],
                requestor)


def _kind(kit: Any, name: str) -> str:
    kind = kit.tool_type(name)
    word = getattr(kind, "value", str(kind))
    return word if word in ("read", "write") else "generic"


def _parameter(name: str, spec: Dict[str, Any], taken: Dict[str, Any],
               required: bool) -> Parameter:
    meant = _resolved(spec, taken)
    kind = meant.get("type", "object" if "properties" in meant else "string")
    choices = [c for c in meant.get("enum", []) if isinstance(c, str)]
    return Parameter(name, kind if kind in TYPES else "string",
                     spec.get("description", ""), choices, required,
                     _item_type(meant, taken) if kind == "array" else "")


def _item_type(meant: Dict[str, Any], taken: Dict[str, Any]) -> str:
    """"" where items differ: `anyOf` of several types."""
    spec = meant.get("items", {})
    kinds = {option.get("type", "object" if "properties" in option else "")
             for option in [_resolved(one, taken)
                            for one in spec.get("anyOf", [spec])]}
    kinds.discard("null")
    kind = kinds.pop() if len(kinds) == 1 else ""
    return kind if kind in TYPES else ""


def _resolved(spec: Dict[str, Any], taken: Dict[str, Any]) -> Dict[str, Any]:
    """Through references and "this or nothing" to what is meant."""
    for option in [*spec.get("anyOf", []), *spec.get("allOf", [])]:
        if option.get("type") != "null":
            return _resolved(option, taken)
    place = spec.get("$ref", "")
    if place.startswith("#/$defs/"):
        return taken.get("$defs", {}).get(place[len("#/$defs/"):], spec)
    return spec
