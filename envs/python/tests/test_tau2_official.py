"""The adapter for an official tau2-bench checkout, against a fake of one."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fake_tau2 import write_checkout, write_unrelated

PACKAGE = Path(__file__).resolve().parents[1]


class Adapter:
    def __init__(self, case, checkout, *words, path=""):
        variables = {k: v for k, v in os.environ.items()
                     if k != "TAU2_DATA_DIR"}
        variables["PYTHONPATH"] = os.pathsep.join([str(PACKAGE), path])
        variables["PYTHONDONTWRITEBYTECODE"] = "1"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "brewery_env.tau2_official", "--checkout",
             str(checkout), *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=variables)
        case.addCleanup(self.stop)

    def stop(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(60)

    def reply(self, op, **more):
        request = {"id": 1, "op": op, "session": 1, **more}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, op, **more):
        reply = self.reply(op, **more)
        assert "result" in reply, reply
        return reply["result"]

    def refusal(self):
        return self.reply("hello")["error"]["message"]

    def step(self, text="", *calls):
        return self.ask("step", text=text, calls=[
            {"id": str(i), "name": name, "arguments": arguments}
            for i, (name, arguments) in enumerate(calls)])


class Case(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.at = Path(made.name)


UP = ("set_lamp", {"way": "up", "times": 1})


class Solo(Case):
    def setUp(self):
        super().setUp()
        self.adapter = Adapter(self, write_checkout(self.at / "checkout"))

    def test_tasks_splits_and_tools_are_the_checkouts(self):
        hello = self.adapter.ask("hello")
        self.assertEqual(hello["name"], "tau2-official-telecom-solo")
        self.assertEqual(hello["tasks"][0],
                         {"id": "t1", "instruction": "Ticket 1"})
        self.assertEqual(hello["splits"],
                         {"train": ["t1", "t2"], "test": ["t3"]})
        self.assertFalse(hello["capabilities"]["conversation"])
        own, users = hello["tools"]
        self.assertEqual((own["name"], own["kind"], own["requestor"]),
                         ("set_lamp", "write", "assistant"))
        way, times, rooms, mixed = own["parameters"]
        self.assertEqual(rooms["items"], "string")
        self.assertNotIn("items", mixed)
        self.assertEqual(way["choices"], ["up", "down"])
        self.assertEqual(way["description"], "Which way")
        self.assertEqual(times["type"], "integer")
        self.assertEqual((users["name"], users["requestor"]),
                         ("see_lamp", "user"))

    def test_an_attempt_is_graded_by_the_checkouts_evaluators(self):
        self.adapter.ask("hello")
        start = self.adapter.ask("reset", task="t1")
        self.assertEqual(start["briefing"], "Be brief.")
        self.assertEqual(self.adapter.ask("grade"), {
            "reward": 0.0,
            "parts": [{"name": "assert_lamp(state='on')", "met": False}]})
        done = self.adapter.step("", UP, ("see_lamp", {}), ("nope", {}))
        self.assertEqual([r["failed"] for r in done["results"]],
                         [False, False, True])
        self.assertEqual(self.adapter.ask("grade")["reward"], 1.0)

    def test_actions_count_where_the_basis_names_them(self):
        self.adapter.ask("hello")
        self.adapter.ask("reset", task="t3")
        self.adapter.step("", UP)
        grade = self.adapter.ask("grade")
        self.assertEqual(grade["reward"], 0.0)
        self.assertIn({"name": "calls see_lamp()", "met": False},
                      grade["parts"])
        self.adapter.step("", ("see_lamp", {}))
        self.assertEqual(self.adapter.ask("grade")["reward"], 1.0)

    def test_what_a_task_did_to_a_class_is_gone_in_the_next(self):
        self.adapter.ask("hello")
        for _ in range(2):
            self.adapter.ask("reset", task="t1")
            first = self.adapter.step("", ("see_lamp", {}))
            self.assertEqual(first["results"][0]["content"],
                             "lamp off, link fast")
            self.adapter.step("", UP)
            self.adapter.ask("close")

    def test_data_and_code_are_in_the_fingerprint(self):
        first = self.adapter.ask("hello")["fingerprint"]
        again = Adapter(self, self.at / "checkout").ask("hello")
        self.assertEqual(again["fingerprint"], first)
        data = self.at / "checkout/data/tau2/domains/telecom/tasks.json"
        data.write_text(data.read_text() + " ")
        changed = Adapter(self, self.at / "checkout").ask("hello")
        self.assertNotEqual(changed["fingerprint"], first)


class Conversation(Case):
    def begin(self, task, domain="retail"):
        adapter = Adapter(self, write_checkout(self.at / "checkout"),
                          "--domain", domain, "--user-model", "some-model")
        hello = adapter.ask("hello")
        self.assertTrue(hello["capabilities"]["conversation"])
        self.assertEqual([t["name"] for t in hello["tools"]], ["set_lamp"])
        self.assertEqual(hello["tasks"][0]["instruction"], "")
        self.opening = adapter.ask("reset", task=task)["opening"]
        return adapter

    def test_the_user_opens_answers_acts_and_stops(self):
        adapter = self.begin("t2")
        self.assertEqual(self.opening,
                         "You said: Hi! How can I help you today?")
        done = adapter.step("Please look")
        self.assertEqual(done["reply"], "I see: lamp off, link fast")
        self.assertEqual(done["events"][0]["tool"], "see_lamp")
        self.assertEqual(done["events"][0]["requestor"], "user")
        done = adapter.step("Now", UP)
        self.assertEqual(done["reply"], "")  # words beside calls are not heard
        done = adapter.step("That is 40 EUR, bye")
        self.assertTrue(done["over"])
        grade = adapter.ask("grade")
        self.assertEqual(grade["reward"], 1.0)
        self.assertEqual([p["name"] for p in grade["parts"]],
                         ["database", "says '40 eur'"])

    def test_an_attempt_that_was_not_ended_has_no_reward(self):
        adapter = self.begin("t1")
        adapter.step("", UP)
        grade = adapter.ask("grade")
        self.assertEqual(grade["reward"], 0.0)
        self.assertIn("max_steps", grade["parts"][0]["name"])

    def test_too_many_errors_end_it(self):
        adapter = self.begin("t1")
        done = adapter.step("", *[("nope", {})] * 10)
        self.assertTrue(done["over"])
        grade = adapter.ask("grade")
        self.assertIn("too_many_errors", grade["parts"][0]["name"])


class Refusals(Case):
    def test_the_unrelated_package_of_the_same_name(self):
        said = Adapter(self, write_unrelated(self.at / "relax")).refusal()
        self.assertIn("is not tau2-bench, it has no tau2.registry", said)
        self.assertIn("unrelated one of the same name", said)

    def test_the_unrelated_package_installed_beside_a_checkout(self):
        checkout = write_checkout(self.at / "checkout")
        other = write_unrelated(self.at / "relax")
        adapter = Adapter(self, checkout, path=str(other / "src"))
        self.assertEqual(len(adapter.ask("hello")["tasks"]), 3)

    def test_a_directory_without_a_checkout(self):
        self.assertIn("no checkout of tau2-bench (there is no src/tau2",
                      Adapter(self, self.at).refusal())
        self.assertIn("no such directory",
                      Adapter(self, self.at / "none").refusal())

    def test_a_checkout_without_the_domain(self):
        checkout = write_checkout(self.at / "checkout", ["telecom"])
        said = Adapter(self, checkout, "--domain", "airline",
                       "--user-model", "m").refusal()
        self.assertIn("it has no tau2.domains.airline.environment", said)

    def test_a_checkout_whose_dependencies_are_not_installed(self):
        checkout = write_checkout(self.at / "checkout")
        module = checkout / "src/tau2/domains/telecom/environment.py"
        module.write_text("import no_such_dependency\n")
        said = Adapter(self, checkout).refusal()
        self.assertIn("No module named 'no_such_dependency'", said)
        self.assertIn("environment.tau2_official.python", said)

    def test_a_domain_without_a_solo_mode(self):
        checkout = write_checkout(self.at / "checkout")
        said = Adapter(self, checkout, "--domain", "retail").refusal()
        self.assertIn("does not support solo mode", said)


if __name__ == "__main__":
    unittest.main()
