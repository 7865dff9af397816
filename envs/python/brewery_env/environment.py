"""What an environment is made of: plain values, and the class to subclass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union


@dataclass(frozen=True)
class Task:
    """One item of the benchmark. `instruction` is what the agent is told."""

    id: str
    instruction: str = ""


@dataclass(frozen=True)
class Parameter:
    """An argument of a tool. `type` is a JSON schema type; `items` is that of
    each item of an array, "" if they are of any."""

    name: str
    type: str = "string"
    description: str = ""
    choices: Sequence[str] = ()
    required: bool = True
    items: str = ""


@dataclass(frozen=True)
class Tool:
    """`kind`: "read" only looks, "write" may change something, "generic" is
    neither. `requestor` says whose kit it is from: "assistant" or "user"."""

    name: str
    kind: str = "write"
    description: str = ""
    parameters: Sequence[Parameter] = ()
    requestor: str = "assistant"


@dataclass(frozen=True)
class Call:
    """A call as the agent asks for it."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class Turn:
    """One move of the agent: words (only where there is a conversation), calls
    or both."""

    text: str = ""
    calls: Sequence[Call] = ()


@dataclass(frozen=True)
class Result:
    """The answer to a call."""

    content: str
    failed: bool = False


@dataclass(frozen=True)
class Event:
    """Something that somebody else did or said (`tool` empty) in a turn."""

    observation: str
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    requestor: str = "user"
    failed: bool = False
    mutates: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of a turn: an answer for each call, what the other side says
    (with a conversation), whether the task is over, and what else happened."""

    results: Sequence[Result] = ()
    reply: str = ""
    over: bool = False
    events: Sequence[Event] = ()


@dataclass(frozen=True)
class Start:
    """What a task begins with: tools if they are its own, a policy the agent
    has to keep, the first words of the other side."""

    tools: Optional[Sequence[Tool]] = None
    briefing: str = ""
    opening: str = ""


@dataclass(frozen=True)
class Part:
    """One check of the grader."""

    name: str
    met: bool


@dataclass(frozen=True)
class Grade:
    """`reward` from 0 to 1; 1 is success."""

    reward: float
    parts: Sequence[Part] = ()


class ToolError(Exception):
    """Raised by a tool that cannot do what it was asked for: the agent reads
    why. Any other exception means that the environment broke, and the attempt
    then has no score."""


class Environment:
    """A benchmark and, once `reset`, one attempt at one of its tasks.

    `name`, `tasks` and `splits` are needed, and `tools` unless each task
    brings its own; `reset`, `call` and `grade` do the work. `version` is part
    of the benchmark's identity: change it when data, tools or graders change,
    or Brewery takes old results for new ones.
    """

    name: str = ""
    version: str = "1"
    #: The agent's words are for this environment, which replies.
    conversation: bool = False

    def tasks(self) -> Sequence[Task]:
        raise NotImplementedError

    def splits(self) -> Mapping[str, Sequence[str]]:
        """Name -> task ids; Brewery never shows the search the test split."""
        raise NotImplementedError

    def tools(self) -> Optional[Sequence[Tool]]:
        return None

    def reset(self, task: str) -> Optional[Start]:
        """Makes the task's initial state, whatever was before."""
        raise NotImplementedError

    def call(self, name: str, arguments: Mapping[str, Any]) -> Union[str, Result]:
        """Does one tool call. Called by `step`, which may be overridden too."""
        raise NotImplementedError

    def step(self, turn: Turn) -> Outcome:
        """One turn of the agent. This one makes its calls in their order."""
        return Outcome([self._answer(call) for call in turn.calls])

    def grade(self) -> Union[Grade, float, bool]:
        raise NotImplementedError

    def close(self) -> None:
        """The attempt is over."""

    def _answer(self, call: Call) -> Result:
        try:
            answer = self.call(call.name, call.arguments)
        except ToolError as problem:
            return Result(f"Error: {problem}", failed=True)
        return answer if isinstance(answer, Result) else Result(answer)
