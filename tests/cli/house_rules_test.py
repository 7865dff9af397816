#!/usr/bin/env python3
"""The built `brewery` with the desk of examples/telecom-house-rules.

  house_rules_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import subprocess
import sys
from pathlib import Path

from support.program import CommandCase, main

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLE = SOURCE / "examples/telecom-house-rules"
CONFIG = SOURCE / "config/telecom-house-rules.toml"


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


if __name__ == "__main__":
    main()
