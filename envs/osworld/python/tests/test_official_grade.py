"""The process that grades by official evaluators, with a checkout of a few
evaluators that this test makes.

  python3 envs/osworld/python/tests/test_official_grade.py
"""

import http.server
import importlib.util
import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "official_grade.py"
GETTERS = '''
import os, requests
def get_value(env, config): return config["value"]
def get_missing(env, config): raise FileNotFoundError("no such file")
def get_broken(env, config): return {}["token " + config["value"]]
def get_place(env, config):
    return [env.vm_ip, env.server_port, env.vlc_port, env.cache_dir]
def get_asked(env, config):
    url = f"http://{env.vm_ip}:{env.server_port}/file"
    return requests.get(url, timeout=10).text
def get_quits(env, config): os._exit(3)
'''
METRICS = '''
def equal(result, expected=None, **options):
    print("printed by a metric")
    return float(result == expected) * options.get("weight", 1)
def is_true(result): return result
'''


def value(of):
    return {"type": "value", "value": of}


@unittest.skipUnless(importlib.util.find_spec("requests"),
                     "python3-requests is missing, which official evaluators "
                     "need")
class OfficialGradeTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = Path(self._folder.name)
        for name, text in (
                ("desktop_env/__init__.py", ""),
                ("desktop_env/controllers/__init__.py", ""),
                ("desktop_env/controllers/python.py",
                 "class PythonController:\n    def __init__(self, vm_ip, "
                 "server_port): pass\n"),
                ("desktop_env/evaluators/__init__.py", ""),
                ("desktop_env/evaluators/getters/__init__.py", GETTERS),
                ("desktop_env/evaluators/metrics/__init__.py", METRICS)):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def grade(self, evaluator, **more):
        asked = {"task": {"evaluator": evaluator}, "cache_dir": "/nowhere",
                 "checkout": str(self.root), "host": "127.0.0.1",
                 "server_port": 1, "chromium_port": 2, "vlc_port": 3,
                 "token": "", **more}
        ended = subprocess.run([sys.executable, SCRIPT], text=True,
                               input=json.dumps(asked) + "\n", timeout=60,
                               capture_output=True, check=False)
        self.assertLessEqual(ended.stdout.count("\n"), 1)
        return json.loads(ended.stdout) if ended.stdout else ended.returncode

    def score(self, evaluator):
        return self.grade(evaluator)["score"]

    def test_one_metric(self):
        self.assertEqual(self.score({"func": "equal", "result": value(3),
                                     "expected": value(3),
                                     "options": {"weight": 0.25}}), 0.25)
        self.assertEqual(self.score({"func": "is_true",
                                     "result": value(True)}), 1.0)
        self.assertEqual(self.score({"func": "is_true",
                                     "result": {"type": "missing"}}), 0.0)

    def test_several_metrics(self):
        def several(conjunction, *results):
            return self.score({"func": ["is_true"] * len(results),
                               "conj": conjunction, "result": list(results),
                               "expected": [None] * len(results)})
        self.assertEqual(several("and", value(1), value(0.5)), 0.75)
        self.assertEqual(several("and", value(1), value(0)), 0.0)
        self.assertEqual(several("or", value(0.2), value(0.5)), 0.5)
        missing = {"type": "missing"}
        self.assertEqual(several("and", value(1), missing), 0.0)
        # The official environment would count the first result again.
        self.assertEqual(several("or", value(0.5), missing), 0.5)
        self.assertEqual(several("or", missing, value(1)), 1.0)

    def test_no_grade_is_not_zero(self):
        told = self.grade({"func": "is_true", "result": {
            "type": "broken", "value": "s3cret"}}, token="s3cret")
        self.assertIn("KeyError", told["error"])
        self.assertNotIn("s3cret", told["error"])
        self.assertIn("no_such", self.grade(
            {"func": "no_such", "result": value(1)})["error"])
        self.assertIn("cannot be loaded", self.grade(
            {"func": "is_true", "result": value(1)},
            checkout="/nowhere")["error"])
        self.assertEqual(self.grade({"func": "is_true",
                                     "result": {"type": "quits"}}), 3)

    def test_what_getters_are_shown(self):
        self.assertEqual(self.score({
            "func": "equal", "result": {"type": "place"},
            "expected": value(["127.0.0.1", 1, 3, "/nowhere"])}), 1.0)

    def test_requests_carry_the_token(self):
        class Guest(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(self.headers.get("Authorization",
                                                  "none").encode())

            def log_message(self, *_):
                pass
        with http.server.HTTPServer(("127.0.0.1", 0), Guest) as guest:
            threading.Thread(target=guest.serve_forever, daemon=True).start()
            told = self.grade({"func": "equal", "result": {"type": "asked"},
                               "expected": value("Bearer t0ken")},
                              server_port=guest.server_port, token="t0ken")
            guest.shutdown()
        self.assertEqual(told, {"score": 1.0})


if __name__ == "__main__":
    unittest.main()
