#!/usr/bin/env python3
"""What the page of `brewery ui` says of runs in special states, in a browser: one of
an older release, one that asked models, one that waits for workers.

  ui_states_browser_test.py PATH_OF_BREWERY [unittest arguments]

Skips as ui_browser_test.py does.
"""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.browser import lacking, seen_by  # noqa: E402
from support.model_case import ModelCase  # noqa: E402
from support.older_log import without  # noqa: E402
from support.page_server import ask, page_of  # noqa: E402
from support.program import TOY, wait_until  # noqa: E402


class States(ModelCase):
    def see(self, page, places):
        if b"no page in it" in ask(page, "/")[2]:
            self.skipTest("the program has no page in it: make ui")
        seen = seen_by("show_places.mjs", page, json.dumps(places),
                       *filter(None, [os.environ.get("PICTURES")]))
        self.assertEqual("\n".join(seen["findings"]), "")
        self.assertEqual(len(seen["views"]), len(places))

    def test_they_are_told(self):
        (self.at / "toy.toml").write_text(TOY)
        self.ok("run", "toy.toml", "--id", "r", "--quiet")
        without(self.at / "runs/r", self.at / "runs/older", "tree_record",
                "purpose_record")
        self.ok("run", "c.toml", "--id", "asked", "--quiet")
        with page_of(self.program, self.at / "runs") as page:
            one = json.loads(ask(page, "/api/runs/asked/trees/mcts/0/0")[2])
            used = one["below"]["models"]
            self.assertGreater(used["calls"], one["own"]["models"]["calls"])
            self.see(page, {
                "older": {"hash": "/runs/older", "shows": "not recorded"},
                "older-tree": {"hash": "/runs/older/trees/mcts/0", "shows":
                               "The tree, or its beginning, is not recorded"},
                "asked": {"hash": "/runs/asked/trees/mcts/0/0", "shows":
                          f"{used['calls']} calls: "
                          f"{used['prompt_tokens']:,} tokens in"}})

    def test_numbers_are_those_of_the_commands(self):
        (self.at / "toy.toml").write_text(TOY)
        self.ok("run", "toy.toml", "--id", "r", "--quiet")
        status = self.at / "runs/r/status.json"
        told = json.loads(status.read_text())
        # A tie goes to the even digit; toFixed would say 0.13.
        status.write_text(json.dumps(told | {"cost_usd": 0.125}))
        with page_of(self.program, self.at / "runs") as page:
            versions = json.loads(ask(
                page, "/api/runs/r/trees/mcts/0?limit=1000")[2])["items"]
            one = next(v for v in versions if "reward_least" in v)
            least, most = one["reward_least"], one["reward"]
            where = f"/runs/r/trees/mcts/0/{one['id']}"
            self.see(page, {
                "tie": {"hash": "/runs/r", "shows": "$0.12"},
                "stopped": {"hash": where,
                            "shows": f"{least:.3f} to {most:.3f}"},
                "part": {"hash": where,
                         "shows": f"at most {one['correctness']:.3f}"}})
        self.assertIn(f" {least:.3f} to {most:.3f} ",
                      self.ok("tree", "r", "0", "--strategy", "mcts"))

    def test_a_run_says_why_it_waits(self):
        (self.at / "toy.toml").write_text(TOY)
        where = f"ipc://{self.at}/socket"
        self.background(f"{self.program} coordinator --listen {where} "
                        f"--runs-dir {self.at}/theirs", "listening on")
        self.ok("submit", "toy.toml", "--connect", where, "--id", "w")
        with page_of(self.program, "--connect", where) as page:
            wait_until("it says what it waits for", lambda: b"no worker" in
                       ask(page, "/api/runs")[2])
            self.see(page, {"waits": {"hash": "/", "shows": "no worker"},
                            "waiting": {"hash": "/runs/w",
                                        "shows": "no worker"}})


if __name__ == "__main__":
    program.main(lacking)
