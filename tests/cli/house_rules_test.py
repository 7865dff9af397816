#!/usr/bin/env python3
"""The built `brewery` with the desk of examples/telecom-house-rules.

  house_rules_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import subprocess
import sys
from pathlib import Path

from support.model_script import CATALOG, KEY, ModelScript, serve
from support.program import CommandCase, main

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLE = SOURCE / "examples/telecom-house-rules"
CONFIG = SOURCE / "config/telecom-house-rules.toml"
MODELS = SOURCE / "config/telecom-house-rules-models.toml"


class Scripts(CommandCase):
    def played(self, agent):
        """Success at the sealed test cases, by the calls of a script."""
        subprocess.run([sys.executable, "-B", EXAMPLE / "oracle.py",
                        "--scripts", self.at / "scripts"], check=True)
        out = self.ok("run", CONFIG, "--id", agent, "--json",
                      "--set", f"run.runs_dir={self.at}/runs",
                      "--set", "agent.kind=scripted",
                      "--set", f"agent.script={self.at}/scripts/{agent}",
                      "--set", "search.strategies=[]",
                      "--set", "eval.test_trials=1")
        return json.loads(out.splitlines()[-1])["arms"][0]["success"]

    def test_who_knows_the_house_rules_solves_every_sealed_case(self):
        self.assertEqual(self.played("oracle"), 1.0)

    def test_who_keeps_the_written_policy_solves_at_most_three_in_ten(self):
        success = self.played("policy")
        self.assertGreater(success, 0.0)
        self.assertLessEqual(success, 0.3)

    def test_the_procedural_configuration_learns_and_grades_every_case(self):
        out = self.ok("run", CONFIG, "--id", "small", "--json",
                      "--set", f"run.runs_dir={self.at}/runs",
                      "--set", "environment.max_train_tasks=8",
                      "--set", "environment.max_eval_tasks=4",
                      "--set", "search.initial_trials=8",
                      "--set", "eval.test_trials=1")
        arms = json.loads(out.splitlines()[-1])["arms"]
        self.assertEqual(len(arms), 2)
        for arm in arms:
            self.assertEqual(arm["tasks"], 60)


class Models(CommandCase):
    """The configuration for models, with a script in their place."""

    def test_the_commands_of_the_document_work_on_any_server(self):
        model = serve(self, ModelScript())
        names = [("agent", "small"), ("judge", "small"),
                 ("reflector", "large"), ("integrator", "large"),
                 ("embedder", "near")]
        self.assertEqual((self.at / "models.toml").read_text(),
                         CATALOG.format(url=model.url))
        words = ["--set", f"models.catalog={self.at}/models.toml"]
        for role, name in names:
            words += ["--set", f"{role}.model={name}"]
        for value in ["environment.max_train_tasks=3",
                      "environment.max_eval_tasks=2",
                      "environment.max_test_tasks=4", "search.iterations=1",
                      "search.candidates=1", "eval.test_trials=1"]:
            words += ["--set", value]
        variables = {"SCRIPT_KEY": KEY}

        def ok(*command):
            done = self.brewery(*command, variables=variables)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout
        ok("config", "check", MODELS, "--deep", *words)
        runs = ["--runs-dir", self.at / "runs"]
        ok("estimate", MODELS, "--pilot", *words, *runs)
        ok("run", MODELS, "--id", "ceiling", *words, *runs, "--set",
           "search.strategies=[]")
        out = ok("run", MODELS, "--id", "learned", "--json", *words, *runs)
        self.assertEqual(len(json.loads(out.splitlines()[-1])["arms"]), 2)
        ok("eval", "learned", "--split", "test", "--trials", "2", *runs)


if __name__ == "__main__":
    main()
