#!/usr/bin/env python3
"""Rollouts of an agent on a scripted model that are reused.

  model_reuse_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import model_script  # noqa: E402
from support.model_case import (CONFIG, ModelCase, documents,  # noqa: E402
                                kind_of)
from support.program import main  # noqa: E402

REUSE = ("--set", "economy.reuse=run", "--set", "agent.temperature=0")


class ModelReuse(ModelCase):
    """The script ignores the temperature but not the seed."""

    config = (CONFIG.replace("max_train_tasks = 4", "max_train_tasks = 8")
              .replace("max_eval_tasks = 3", "max_eval_tasks = 6")
              .replace("iterations = 2\ncandidates = 2",
                       "iterations = 3\ncandidates = 3")
              .replace("max_per_concept = 2", "max_per_concept = 6")
              + "[retrieval]\nper_observation = false\n")

    def run_as(self, name, *options):
        out = self.ok("run", "c.toml", "--id", name, "--json", *options)
        last = next(json.loads(line) for line in out.splitlines()
                    if '"result"' in line)
        return last, documents(self.at / "runs" / name)

    def test_one_that_repeats_itself_asks_its_model_less(self):
        act = model_script.act
        self.addCleanup(setattr, model_script, "act", act)
        model_script.act = lambda asked: act({**asked, "seed": None})
        plain, expected = self.run_as("plain", "--set", "agent.temperature=0")
        asked = len(self.model.requests)
        saved, got = self.run_as("reused", *REUSE)
        self.assertEqual(got, expected)
        self.assertEqual(saved["arms"], plain["arms"])
        self.assertGreater(saved["reuse"]["reused"], 0)
        self.assertLess(len(self.model.requests) - asked, asked)
        print(f"{saved['reuse']['reused']} of {saved['rollouts']} rollouts; "
              f"{len(self.model.requests) - asked} requests for {asked}",
              file=sys.stderr)
        audited, got = self.run_as("audited", *REUSE,
                                   "--set", "economy.audit_reuse=1")
        self.assertEqual(got, expected)
        self.assertGreater(audited["reuse"]["checked"], 0)
        self.assertEqual(audited["reuse"]["wrong"], 0)

    def test_by_vectors_no_text_is_embedded_twice(self):
        act = model_script.act
        self.addCleanup(setattr, model_script, "act", act)
        model_script.act = lambda asked: act({**asked, "seed": None})
        # Of few documents three would be all, and one of them always new.
        hybrid = ("--set", "retrieval.kind=hybrid", "--set",
                  "retrieval.top_k=1")
        plain, expected = self.run_as("plain", *hybrid, "--set",
                                      "agent.temperature=0")
        asked = self.model.count()
        saved, got = self.run_as("reused", *hybrid, *REUSE)
        self.assertEqual(got, expected)
        self.assertEqual(saved["arms"], plain["arms"])
        self.assertGreater(saved["reuse"]["reused"], 0)
        self.assertLess(self.model.count() - asked, asked)
        embedded = [[json.dumps(one, sort_keys=True) for one in part
                     if kind_of(one) == "embedding"]
                    for part in (self.model.requests[:asked],
                                 self.model.requests[asked:])]
        self.assertEqual(len(embedded[1]), len(set(embedded[1])))
        self.assertLessEqual(set(embedded[1]), set(embedded[0]))
        audited, got = self.run_as("audited", *hybrid, *REUSE,
                                   "--set", "economy.audit_reuse=1")
        self.assertEqual(got, expected)
        self.assertGreater(audited["reuse"]["checked"], 0)
        self.assertEqual(audited["reuse"]["wrong"], 0)

    def test_an_audit_finds_one_that_only_says_so(self):
        found, _ = self.run_as("lying", *REUSE,
                               "--set", "economy.audit_reuse=1")
        self.assertGreater(found["reuse"]["wrong"], 0)
        report = (self.at / "runs/lying/report.md").read_text()
        self.assertIn("Rollouts were reused that should not have been", report)
        again = self.ok("resume", "runs/lying")
        self.assertIn("DIFFER", again)
        self.assertIn("WRONG", again)


if __name__ == "__main__":
    main()
