"""Tests of the program on a scripted model (model_script.py)."""

import json

from support.model_script import KEY, ModelScript, serve, roles
from support.program import CommandCase

CONFIG = """
[run]
runs_dir = "runs"
threads = 4
[environment]
kind = "toy"
max_train_tasks = 4
max_eval_tasks = 3
max_test_tasks = 3
[search]
iterations = 2
candidates = 2
[eval]
test_trials = 1
min_per_concept = 1
max_per_concept = 2
""" + roles(max_calls=8)

SAYS_NO = "I would rather not."


def documents(run):
    return {path.relative_to(run / "kb"): path.read_bytes()
            for path in sorted((run / "kb").rglob("*.md"))}


def kind_of(asked):
    """`review`, `act`, `document` or `embedding`."""
    if "input" in asked:
        return "embedding"
    schema = asked.get("response_format", {}).get("json_schema", {})
    return schema.get("name") or ("act" if asked.get("tools") else "document")


class ModelCase(CommandCase):
    """c.toml has `config`, and `model` is the script that all roles ask."""

    config = CONFIG

    def setUp(self):
        super().setUp()
        (self.at / "c.toml").write_text(self.config)
        self.model = serve(self, ModelScript())

    def environment(self):
        return super().environment() | {"SCRIPT_KEY": KEY}

    def result_of(self, *words):
        return json.loads(self.ok(*words, "--json").splitlines()[-1])

    def fails(self, *words, key=KEY):
        """The last line of what the program says."""
        done = self.brewery(*words, variables={"SCRIPT_KEY": key})
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertNotIn(KEY, done.stdout + done.stderr)
        return done.stderr.strip().splitlines()[-1]
