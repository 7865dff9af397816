"""Grades an attempt with tau2-bench's own evaluators: the product of those that
the task's reward basis names. Statements in natural language are judged only
when the basis has them and there are any; the checkout asks its own model."""

from __future__ import annotations

import inspect
from typing import Any, List, Set

from .environment import Grade, Part


def grade(checkout: Any, task: Any, said: List[Any], solo: bool) -> Grade:
    criteria = task.evaluation_criteria
    if criteria is None:
        return Grade(1.0)
    basis = {getattr(b, "value", str(b)) for b in criteria.reward_basis}
    reward, parts = 1.0, []
    for names, run, describe in _EVALUATORS:
        if not basis & names:
            continue
        info = run(checkout, task, said, solo)
        reward *= float(info.reward)
        parts += describe(info, basis)
    return Grade(reward, parts)


def _environment(checkout: Any, task: Any, said: List[Any], solo: bool) -> Any:
    evaluator = checkout.module("evaluator.evaluator_env").EnvironmentEvaluator
    return evaluator.calculate_reward(
        environment_constructor=checkout.environment.get_environment,
        task=task, full_trajectory=said, solo_mode=solo)


def _actions(checkout: Any, task: Any, said: List[Any], _: bool) -> Any:
    evaluator = checkout.module("evaluator.evaluator_action").ActionEvaluator
    more = {}
    if "tool_types" in inspect.signature(evaluator.calculate_reward).parameters:
        more["tool_types"] = None
    return evaluator.calculate_reward(task=task, full_trajectory=said, **more)


def _communicate(checkout: Any, task: Any, said: List[Any], _: bool) -> Any:
    module = checkout.module("evaluator.evaluator_communicate")
    return module.CommunicateEvaluator.calculate_reward(task=task,
                                                        full_trajectory=said)


class _NothingToJudge:
    reward = 1.0
    nl_assertions: List[Any] = []


def _statements(checkout: Any, task: Any, said: List[Any], _: bool) -> Any:
    if not task.evaluation_criteria.nl_assertions:
        return _NothingToJudge()
    module = checkout.module("evaluator.evaluator_nl_assertions")
    return module.NLAssertionsEvaluator.calculate_reward(task=task,
                                                         full_trajectory=said)


def _environment_parts(info: Any, basis: Set[str]) -> List[Part]:
    out = []
    if "DB" in basis and getattr(info, "db_check", None) is not None:
        out.append(Part("database", bool(info.db_check.db_match)))
    if "ENV_ASSERTION" in basis:
        for check in info.env_assertions or []:
            asserted = check.env_assertion
            out.append(Part(_call_text(asserted.func_name, asserted.arguments),
                            bool(check.met)))
    return out


def _action_parts(info: Any, _: Set[str]) -> List[Part]:
    return [Part("calls " + _call_text(check.action.name,
                                       check.action.arguments),
                 bool(check.action_match)) for check in info.action_checks or []]


def _communicate_parts(info: Any, _: Set[str]) -> List[Part]:
    return [Part(f"says {check.info!r}", bool(check.met))
            for check in info.communicate_checks or []]


def _statement_parts(info: Any, _: Set[str]) -> List[Part]:
    return [Part(check.nl_assertion, bool(check.met))
            for check in info.nl_assertions or []]


def _call_text(name: str, arguments: Any) -> str:
    listed = ", ".join(f"{k}={v!r}" for k, v in (arguments or {}).items())
    return f"{name}({listed})"


_EVALUATORS = [({"DB", "ENV_ASSERTION"}, _environment, _environment_parts),
               ({"ACTION"}, _actions, _action_parts),
               ({"COMMUNICATE"}, _communicate, _communicate_parts),
               ({"NL_ASSERTION"}, _statements, _statement_parts)]
