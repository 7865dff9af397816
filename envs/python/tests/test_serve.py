"""The package as Brewery sees it: a program that is asked line by line."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]

HEAD = """
import os, subprocess, sys
from brewery_env import *

class Lamp(Environment):
    name = "lamp"
    def tasks(self): return [Task("t1", "Light it")]
    def splits(self): return {"train": ["t1"]}
    def tools(self): return [
        Tool("switch", parameters=[Parameter("lamps", "array", items="string"),
                                   Parameter("times", "integer")]),
        Tool("look", "read")]
    def reset(self, task):
        self.on = False
        if task != "t1": raise KeyError(task)
        return Start(briefing="Mind the bulb.")
    def call(self, name, arguments):
        if name == "switch": self.on = not self.on; return "click"
        if name == "look": return "Lamp: " + ("on" if self.on else "off")
        raise ToolError("no such tool: " + name)
    def grade(self): return self.on
"""


class Program:
    """A program that serves; `ask` is one request."""

    def __init__(self, case, text):
        folder = tempfile.TemporaryDirectory()
        case.addCleanup(folder.cleanup)
        file = Path(folder.name) / "program.py"
        file.write_text(HEAD + text, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, str(file)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        case.addCleanup(self.stop)
        self.number = 0

    def stop(self):
        """Everything it still said on standard output, and its errors."""
        if self.process.stdin.closed:
            return b"", b""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        errors = self.process.stderr.read()
        self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return rest, errors

    def reply(self, op, **more):
        self.number += 1
        request = {"id": self.number, "op": op, **more}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert reply["id"] == self.number, reply
        return reply

    def ask(self, op, **more):
        return self.reply(op, **more)["result"]

    def error(self, op, **more):
        return self.reply(op, **more)["error"]["message"]

    def begin(self):
        self.ask("hello", protocol=1)
        return self.ask("reset", session=1, task="t1")

    def call(self, name, session=1, **arguments):
        done = self.ask("step", session=session, text="", calls=[
            {"id": "1", "name": name, "arguments": arguments}])
        return done["results"][0]


class Serving(unittest.TestCase):
    def start(self, text):
        return Program(self, text)

    def test_an_attempt_from_hello_to_close(self):
        program = self.start("serve(Lamp())")
        hello = program.ask("hello", protocol=1)
        self.assertEqual(hello["protocol"], 1)
        self.assertEqual(hello["name"], "lamp")
        self.assertEqual(hello["tools"][1]["kind"], "read")
        lamps, times = hello["tools"][0]["parameters"]
        self.assertEqual(lamps["items"], "string")
        self.assertNotIn("items", times)
        self.assertEqual(hello["splits"], {"train": ["t1"]})
        self.assertFalse(hello["capabilities"]["conversation"])
        start = program.ask("reset", session=4, task="t1")
        self.assertEqual(start["briefing"], "Mind the bulb.")
        self.assertIsNone(start["tools"])
        self.assertEqual(program.call("look", 4)["content"], "Lamp: off")
        self.assertEqual(program.ask("grade", session=4)["reward"], 0.0)
        self.assertEqual(program.call("switch", 4),
                         {"content": "click", "failed": False})
        self.assertEqual(program.ask("grade", session=4)["reward"], 1.0)
        self.assertEqual(program.ask("close", session=4), {})
        self.assertEqual(program.stop()[0], b"")
        self.assertEqual(program.process.returncode, 0)

    def test_a_tool_that_refuses_is_a_failed_result(self):
        program = self.start("serve(Lamp)")
        program.begin()
        self.assertEqual(program.call("fly"), {
            "content": "Error: no such tool: fly", "failed": True})

    def test_exceptions_are_named_and_the_program_goes_on(self):
        program = self.start("""
class Broken(Lamp):
    def call(self, name, arguments): raise OSError("the bulb burst")
serve(Broken)""")
        program.begin()
        self.assertEqual(
            program.error("step", session=1, text="", calls=[
                {"name": "look", "arguments": {}}]), "OSError: the bulb burst")
        self.assertEqual(program.error("reset", session=1, task="t9"),
                         "KeyError: 't9'")
        self.assertEqual(program.ask("grade", session=1)["reward"], 0.0)
        self.assertIn(b"the bulb burst", program.stop()[1])

    def test_a_failure_to_set_up_is_the_reply_to_hello(self):
        program = self.start("""
class Missing(Lamp):
    def __init__(self): raise FileNotFoundError("no data")
serve(Missing)""")
        self.assertEqual(program.error("hello", protocol=1),
                         "FileNotFoundError: no data")

    def test_prints_go_to_standard_error_whoever_prints(self):
        program = self.start("""
class Loud(Lamp):
    def call(self, name, arguments):
        print("from print")
        os.write(1, b"from write\\n")
        subprocess.run(["echo", "from a program"])
        assert sys.stdin.read() == ""
        return "done"
serve(Loud)""")
        program.begin()
        self.assertEqual(program.call("look")["content"], "done")
        rest, errors = program.stop()
        self.assertEqual(rest, b"")
        for text in [b"from print", b"from write", b"from a program"]:
            self.assertIn(text, errors)

    def test_what_is_no_reply_is_an_error_instead(self):
        program = self.start("""
class Odd(Lamp):
    def call(self, name, arguments): return arguments["what"]
    def grade(self): return Grade(float(self.what))
    what = "nan"
serve(Odd)""")
        program.begin()
        call = {"name": "look", "arguments": {"what": 3}}
        self.assertIn("TypeError: the content of a Result must be a str",
                      program.error("step", session=1, calls=[call]))
        self.assertIn("a reward is from 0 to 1",
                      program.error("grade", session=1))
        call["arguments"]["what"] = "x" * (17 << 20)
        self.assertIn("16777216 are allowed",
                      program.error("step", session=1, calls=[call]))
        call["arguments"]["what"] = "half \ud800"
        self.assertEqual(program.ask("step", session=1, calls=[call])
                         ["results"][0]["content"], "half ?")

    def test_results_that_do_not_fit_the_calls_are_named(self):
        program = self.start("""
class Short(Lamp):
    def step(self, turn): return Outcome()
serve(Short)""")
        program.begin()
        self.assertEqual(
            program.error("step", session=1, calls=[{"name": "look"}]),
            "ValueError: step returned 0 results for 1 calls")

    def test_sessions_do_not_see_each_other(self):
        program = self.start("serve(Lamp, sessions=2)")
        self.assertEqual(program.ask("hello", protocol=1)["capabilities"]
                         ["sessions"], 2)
        for session in 1, 2:
            program.ask("reset", session=session, task="t1")
        program.call("switch", 1)
        self.assertEqual(program.call("look", 2)["content"], "Lamp: off")
        self.assertEqual(program.ask("grade", session=1)["reward"], 1.0)
        program.ask("close", session=1)
        self.assertEqual(program.error("grade", session=1),
                         "ValueError: grade for a session that is not open")

    def test_a_conversation(self):
        program = self.start("""
class Talk(Lamp):
    conversation = True
    def reset(self, task): return Start(opening="Who is there?")
    def step(self, turn):
        return Outcome([], reply="You said " + turn.text,
                       over=turn.text == "bye",
                       events=[Event("nods", tool="nod")])
serve(Talk)""")
        self.assertEqual(program.begin()["opening"], "Who is there?")
        done = program.ask("step", session=1, text="hi", calls=[])
        self.assertEqual(done["reply"], "You said hi")
        self.assertFalse(done["over"])
        self.assertEqual(done["events"][0]["requestor"], "user")
        self.assertTrue(program.ask("step", session=1, text="bye",
                                    calls=[])["over"])

    def test_an_object_has_one_session(self):
        program = self.start("serve(Lamp(), sessions=2)")
        program.process.wait(60)
        self.assertIn(b"several sessions need a class", program.stop()[1])


class Refusals(unittest.TestCase):
    def test_a_checkout_that_is_refused_needs_no_traceback(self):
        for kind, traced in (("CheckoutError", False), ("ValueError", True)):
            done = subprocess.run(
                [sys.executable, "-c",
                 "from brewery_env import serve\n"
                 "from brewery_env.tau2_checkout import CheckoutError\n"
                 f"def make(): raise {kind}('an unrelated package')\n"
                 "serve(make)"],
                input='{"id": 1, "op": "hello"}\n', text=True,
                capture_output=True, timeout=60,
                env={**os.environ, "PYTHONPATH": str(PACKAGE)})
            self.assertIn("an unrelated package", done.stdout)
            self.assertEqual("Traceback" in done.stderr, traced, done.stderr)


if __name__ == "__main__":
    unittest.main()
