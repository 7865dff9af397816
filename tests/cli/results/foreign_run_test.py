#!/usr/bin/env python3
"""To look at a run of somebody else starts nothing that its configuration
names, and asks nobody.

  foreign_run_test.py PATH_OF_BREWERY [unittest arguments]
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.older_log import without  # noqa: E402
from support.program import (TOY, CommandCase, main,  # noqa: E402
                             write_rusty_lock)
from support.sweep_figures import Run  # noqa: E402

SEARCH = """
[embedder]
kind = "sentence"
python = "{program}"
model_file = "{folder}/model.onnx"
[retrieval]
kind = "hybrid"
"""


class Case(CommandCase):
    def setUp(self):
        super().setUp()
        self.sign = self.at / "started"
        self.foreign_program = self.at / "program"
        self.foreign_program.write_text(f"#!/bin/sh\ntouch {self.sign}\nexit 1\n")
        self.foreign_program.chmod(0o755)
        write_rusty_lock(self.at)

    def foreign(self, run, pattern, text):
        """What somebody changed in the configuration of a run."""
        config = self.at / "runs" / run / "config.toml"
        changed, count = re.subn(pattern, text, config.read_text(), flags=re.M)
        self.assertEqual(count, 1, pattern)
        config.write_text(changed)

    def foreign_lock(self):
        self.ok("run", "lock.toml", "--id", "a", "--quiet", "--set",
                'eval.baselines=["in-context"]')
        self.foreign("a", r"^command = \[\"python3.*$", f'command = ["{self.foreign_program}"]')

    def test_no_program_starts_to_show_a_run(self):
        self.foreign_lock()
        task = min(Run(self.at / "runs/a").tasks())
        self.ok("rollout", "show", "a", task, "--arm", "in-context")
        self.ok("ui", "export", "a", "--out", "page")
        self.ok("report", "one=a", "--out", "report")
        # One whose log does not say which attempts are of which arm.
        without(self.at / "runs/a", self.at / "runs/older", "purpose_record")
        done = self.brewery("rollout", "show", "older", task, "--arm",
                            "in-context")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^brewery: run older: .*starts programs "
                                      r"that its configuration names\n$")
        self.ok("ui", "export", "older", "--out", "older-page")
        self.assertFalse(self.sign.exists())

    def test_an_estimate_takes_the_program_of_its_own_configuration(self):
        self.foreign_lock()
        self.brewery("estimate", "lock.toml", "--like", "a")
        self.assertFalse(self.sign.exists())
        (self.at / "toy.toml").write_text(TOY)
        done = self.brewery("estimate", "toy.toml", "--like", "a")
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(self.sign.exists())

    def test_a_search_asks_the_embedder_of_a_run_only_if_told_so(self):
        (self.at / "toy.toml").write_text(TOY)
        self.ok("run", "toy.toml", "--id", "b", "--quiet")
        config = self.at / "runs/b/config.toml"
        text = re.sub(r"^\[(embedder|retrieval)\]\n(?:(?!\[).*\n)*", "",
                      config.read_text(), flags=re.M)
        config.write_text(text + SEARCH.format(
            program=self.foreign_program, folder=self.at))
        for name in ("model.onnx", "tokenizer.json"):
            (self.at / name).write_text("{}")
        done = self.brewery("kb", "search", "b", "light")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"embedder.kind = \"sentence\".*"
                                      r"--config .*config.toml.*--kind bm25")
        self.assertFalse(self.sign.exists())
        self.ok("kb", "search", "b", "light", "--kind", "bm25")
        done = self.brewery("kb", "search", "b", "light", "--config", config)
        self.assertTrue(self.sign.exists(), done.stderr)


if __name__ == "__main__":
    main()
