#!/usr/bin/env python3
"""The page of `brewery ui` in a browser: every view light and dark, on a wide and
on a narrow screen, and a walk from the runs to a rollout by links and keys. Nothing
is asked of others or said on the console, axe finds nothing, and nothing is wider
than the window.

  ui_browser_test.py PATH_OF_BREWERY [unittest arguments]

Skips without Chromium, Node.js and what tests/browser/package-lock.json names,
installed there (npm ci) or in the folder that BREWERY_BROWSER_MODULES names, and if
the program was built without its page (make ui).
"""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.browser import lacking, seen_by  # noqa: E402
from support.page_server import ask, page_of  # noqa: E402
from support.program import TOY, CommandCase  # noqa: E402


class Page(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)
        for run in ("first", "second"):
            self.ok("run", "toy.toml", "--id", run, "--quiet")

    def test_it_is_for_everybody_and_needs_nobody(self):
        with page_of(self.program, self.at / "runs") as page:
            index = ask(page, "/")[2]
            if b"has no page in it" in index:
                self.skipTest("the program was built without its page: make ui")
            job = json.loads(ask(page, "/api/runs/first/rollouts")[2])
            job = job["items"][0]["id"]
            places = {
                "runs": {"hash": "/", "shows": "second"},
                "run": {"hash": "/runs/first", "shows": "learned, mcts"},
                "tree": {"hash": "/runs/first/trees/mcts/0",
                         "shows": "Arrow keys move"},
                "version": {"hash": "/runs/first/trees/mcts/0/1",
                            "shows": "Change from version 0"},
                "lines": {"hash": "/runs/first/lines/mcts/0",
                          "shows": "evidence"},
                "rollouts": {"hash": "/runs/first/rollouts?arm=no%20KB",
                             "shows": "no KB"},
                "rollout": {"hash": f"/runs/first/rollouts/{job}",
                            "shows": "Steps"},
                "nothing": {"hash": "/nothing", "shows": "no such page"}}
            seen = seen_by("use_ui.mjs", page, json.dumps(places),
                           *filter(None, [os.environ.get("PICTURES")]))
        self.assertEqual("\n".join(seen["findings"]), "")
        self.assertEqual(len(seen["views"]), 1 + program.shared(4) * len(places))


if __name__ == "__main__":
    program.main(lacking)
