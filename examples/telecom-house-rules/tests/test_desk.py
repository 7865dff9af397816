"""What an agent sees of the desk, through the protocol."""

import json
import os
import re
import subprocess
import sys
import unittest

import support
from accounts import ACCOUNTS, PLANS
from case import CHANGING, TOOLS, Case, read_tasks, ticket_of, world_of
from house_rules import COUNTRIES, RULES
from oracle import oracle_calls
from situations import SITUATIONS

TASKS = read_tasks()


class Child:
    """The environment as Brewery starts it."""

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, "desk.py"], cwd=support.HERE, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(support.PACKAGE)})
        return self

    def __exit__(self, *_):
        self._process.communicate(timeout=30)

    def ask(self, op, **fields):
        self._process.stdin.write(json.dumps({"id": 1, "op": op, **fields})
                                  + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())["result"]


def words_of(text):
    return re.findall(r"[a-z0-9_%]+", text.lower())


def runs_of(text, length):
    words = words_of(text)
    return {tuple(words[i:i + length]) for i in range(len(words) - length + 1)}


class Sent(unittest.TestCase):
    """What is sent before the first call."""

    @classmethod
    def setUpClass(cls):
        with Child() as child:
            cls.hello = child.ask("hello", protocol=1)
            cls.starts = [child.ask("reset", session=1, task=task["id"])
                          for task in TASKS[:3]]
        tickets = [task["instruction"] for task in cls.hello["tasks"]]
        tools = json.dumps(cls.hello["tools"])
        cls.sent = {"tickets": "\n".join(tickets), "tools": tools,
                    "policy": cls.starts[0]["briefing"]}

    def test_no_sentence_of_a_rule_is_sent(self):
        known = {name: runs_of(text, 5) for name, text in self.sent.items()}
        for rule in RULES:
            for name, runs in known.items():
                self.assertFalse(runs_of(rule.text, 5) & runs,
                                 (rule.name, name))

    def test_no_name_of_a_rule_or_a_situation_is_sent(self):
        names = [rule.name for rule in RULES]
        names += [row.name for row in SITUATIONS if row.rule]
        for where, text in self.sent.items():
            for name in names:
                self.assertNotIn(name, text, where)

    def test_what_the_rules_turn_on_is_in_no_text_for_all_cases(self):
        telling = [*COUNTRIES, *(plan.name for plan in PLANS.values()),
                   *(plan.name.split()[0] for plan in PLANS.values()),
                   *PLANS, *(account.model for account in ACCOUNTS), "parked",
                   "legacy", "Card reads", "E-", "busy", "75", "60 USD",
                   "parts"]
        for where in "policy", "tools":
            for word in telling:
                self.assertNotIn(word, self.sent[where], where)

    def test_every_case_gets_the_same_policy_and_tools(self):
        self.assertEqual(len({start["briefing"] for start in self.starts}), 1)
        self.assertTrue(all(start["tools"] is None for start in self.starts))

    def test_a_ticket_does_not_depend_on_what_is_wrong(self):
        for task in TASKS:
            healthy = {**task, "situations": [], "rules": []}
            self.assertEqual(ticket_of(world_of(task)),
                             ticket_of(world_of(healthy)))

    def test_the_tools_are_those_of_the_desk(self):
        listed = {tool["name"]: tool["kind"] for tool in self.hello["tools"]}
        self.assertEqual(set(listed), set(TOOLS))
        for name, kind in listed.items():
            self.assertEqual(kind == "read", name not in CHANGING, name)


class Played(unittest.TestCase):
    def test_the_oracle_solves_a_case_through_the_protocol(self):
        task = next(t for t in TASKS if len(t["rules"]) >= 3)
        with Child() as child:
            child.ask("hello", protocol=1)
            child.ask("reset", session=1, task=task["id"])
            for name, arguments in oracle_calls(Case(task),
                                                task["situations"]):
                done = child.ask("step", session=1, text="", calls=[
                    {"id": "a", "name": name, "arguments": arguments}])
                self.assertFalse(done["results"][0]["failed"])
            grade = child.ask("grade", session=1)
        self.assertEqual(grade["reward"], 1, grade)

    def test_a_refusal_and_an_unknown_tool_are_failed_results(self):
        with Child() as child:
            child.ask("hello", protocol=1)
            child.ask("reset", session=1, task=TASKS[0]["id"])
            for name in "resume_line", "no_such_tool":
                done = child.ask("step", session=1, text="", calls=[
                    {"id": "a", "name": name, "arguments": {}}])
                self.assertTrue(done["results"][0]["failed"], name)

    def test_a_second_attempt_begins_anew(self):
        task = TASKS[0]
        with Child() as child:
            child.ask("hello", protocol=1)
            shown = []
            for session in 1, 2:
                child.ask("reset", session=session, task=task["id"])
                look = [{"id": "a", "name": "check_network_status",
                         "arguments": {}}]
                shown.append(child.ask("step", session=session, text="",
                                       calls=look)["results"][0]["content"])
                child.ask("step", session=session, text="", calls=[
                    {"id": "a", "name": "toggle_airplane_mode",
                     "arguments": {}}])
        self.assertEqual(shown[0], shown[1])


if __name__ == "__main__":
    unittest.main()
