"""The tasks, tools and graders of an official tau2-bench checkout.

  python -m brewery_env.tau2_official --checkout DIR [--domain NAME]
                                      [--user-model MODEL]

Brewery starts it for `environment.kind = "tau2-official"`. Without a user model
the agent is alone with a ticket and the tools of both sides ("solo mode", which
only telecom has); with one, the checkout's own user simulator plays the user
and needs that model's key (environment.pass_env).
"""

from __future__ import annotations

import argparse
from typing import Any, List, Optional

from .environment import Environment, Event, Grade, Outcome, Part, Result, Start, Task, Turn
from .server import serve
from .tau2_checkout import Checkout, ClassDefaults
from .tau2_grading import grade
from .tau2_tools import tools_of

GREETING = "Hi! How can I help you today?"
# Of the reference's command line and orchestrator.
MAX_STEPS = 200
MAX_ERRORS = 10
VERSION = "tau2-official-1"


class Official(Environment):
    def __init__(self, checkout: str, domain: str, user_model: str):
        self._from = Checkout(checkout, domain)
        self._user_model = user_model
        self._solo = not user_model
        self._domain = self._from.environment
        self._messages_of = self._from.module("data_model.message")
        self._tasks = {task.id: task for task in self._domain.get_tasks(None)}
        first = self._fresh()
        self._defaults = ClassDefaults([first.tools, first.user_tools])
        self._shared = tools_of(first, self._solo)
        self._calls = 0
        self.name = f"tau2-official-{domain}" + ("-solo" if self._solo else "")
        self.version = self._from.fingerprint(VERSION, user_model)
        self.conversation = not self._solo

    # -- what there is --------------------------------------------------------

    def tasks(self):
        # In a conversation the agent is told nothing: the user says it.
        return [Task(name, (getattr(task, "ticket", None) or "")
                     if self._solo else "")
                for name, task in self._tasks.items()]

    def splits(self):
        found = self._domain.get_tasks_split() or {}
        return {name: [task for task in ids if task in self._tasks]
                for name, ids in found.items()}

    def tools(self):
        return self._shared

    # -- one attempt ----------------------------------------------------------

    def reset(self, task: str) -> Start:
        self._defaults.restore()
        self._task = self._tasks[task]
        start = self._task.initial_state
        history = list(getattr(start, "message_history", None) or [])
        self._env = self._fresh()
        self._env.set_state(getattr(start, "initialization_data", None),
                            getattr(start, "initialization_actions", None),
                            history)
        self._said: List[Any] = history
        self._ended: Optional[str] = None
        self._steps = self._errors = 0
        made = Start(briefing=self._env.get_policy())
        if self._solo:
            return made
        self._user = self._new_user()
        self._user_state = self._user.get_init_state(list(history))
        greeting = self._messages_of.AssistantMessage(role="assistant",
                                                      content=GREETING)
        self._said.append(greeting)
        words, _ = self._user_turn(greeting)
        return Start(briefing=made.briefing, opening=words)

    def step(self, turn: Turn) -> Outcome:
        if self._ended:
            return Outcome([Result("Error: the task is over.", True)
                            for _ in turn.calls], over=True)
        message = self._messages_of.AssistantMessage(
            role="assistant", content=turn.text or None,
            tool_calls=[self._call(c.name, c.arguments, "assistant")
                        for c in turn.calls] or None)
        self._say(message)
        answers = self._answer(message.tool_calls or [])
        words, events = "", []
        # As in the reference, words beside calls are not delivered.
        if not turn.calls and not self._ended and not self._solo:
            words, events = self._user_turn(message)
        self._check_limits()
        return Outcome([Result(a.content or "", bool(a.error))
                        for a in answers],
                       reply=words, events=events,
                       over=self._ended is not None)

    def grade(self) -> Grade:
        # In solo mode the agent ends the attempt by not going on.
        ended = self._ended or ("agent_stop" if self._solo else "max_steps")
        if ended not in ("agent_stop", "user_stop"):
            return Grade(0.0, [Part(f"ended well, not by {ended}", False)])
        return grade(self._from, self._task, self._said, self._solo)

    # -- inside ---------------------------------------------------------------

    def _fresh(self) -> Any:
        return self._domain.get_environment(solo_mode=self._solo)

    def _call(self, name: str, arguments: Any, requestor: str) -> Any:
        self._calls += 1
        return self._messages_of.ToolCall(id=f"call_{self._calls}", name=name,
                                          arguments=dict(arguments),
                                          requestor=requestor)

    def _say(self, message: Any) -> None:
        self._said.append(message)
        self._steps += 1

    def _answer(self, calls: Any) -> List[Any]:
        answers = [self._env.get_response(call) for call in calls]
        self._said.extend(answers)
        self._errors += sum(1 for a in answers if a.error)
        self._steps += 1 if answers else 0
        return answers

    def _check_limits(self) -> None:
        if self._solo:
            return  # the agent has a budget of its own
        # Also over a stop in the same step, as in the reference.
        if self._steps >= MAX_STEPS:
            self._ended = "max_steps"
        elif self._errors >= MAX_ERRORS:
            self._ended = "too_many_errors"

    def _new_user(self) -> Any:
        simulator = self._from.module("user.user_simulator")
        try:
            tools = self._env.get_user_tools() or None
        except ValueError:
            tools = None  # this domain's user has none
        return simulator.UserSimulator(
            llm=self._user_model, instructions=str(self._task.user_scenario),
            tools=tools, llm_args={"temperature": 0.0})

    def _user_turn(self, heard: Any):
        """Until the user says something: the words, and what they did."""
        events: List[Event] = []
        while not self._ended:
            move, self._user_state = self._user.generate_next_message(
                heard, self._user_state)
            self._say(move)
            if not move.is_tool_call():
                if self._user.is_stop(move):
                    self._ended = "user_stop"
                return move.content or "", events
            answers = self._answer(move.tool_calls)
            events += [Event(a.content or "", c.name, dict(c.arguments),
                             failed=bool(a.error),
                             mutates=bool(self._env.is_mutating_tool(c.name)))
                       for c, a in zip(move.tool_calls, answers)]
            heard = (answers[0] if len(answers) == 1 else
                     self._messages_of.MultiToolMessage(role="tool",
                                                        tool_messages=answers))
            self._check_limits()
        return "", events


def main() -> None:
    parser = argparse.ArgumentParser(prog="brewery_env.tau2_official")
    parser.add_argument("--checkout", required=True)
    parser.add_argument("--domain", default="telecom",
                        choices=["telecom", "retail", "airline"])
    parser.add_argument("--user-model", default="")
    args = parser.parse_args()
    serve(lambda: Official(args.checkout, args.domain, args.user_model))


if __name__ == "__main__":
    main()
