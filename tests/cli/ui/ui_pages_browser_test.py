#!/usr/bin/env python3
"""The pages of `brewery ui` for sweeps, comparisons and knowledge bases in a
browser: by links and keys, light and dark, on a wide and on a narrow screen.
Nothing is asked of others or said on the console, axe finds nothing, and nothing
is wider than the window.

  ui_pages_browser_test.py PATH_OF_BREWERY [unittest arguments]

Skips without what ui_browser_test.py needs.
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
from support.program import SWEEP, TOY, CommandCase  # noqa: E402


class Pages(CommandCase):
    def test_they_are_for_everybody_and_need_nobody(self):
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "sweep.toml").write_text(SWEEP)
        for run, seed in (("first", 5), ("second", 6)):
            self.ok("run", "toy.toml", "--id", run, "--quiet", "--set",
                    f"run.seed={seed}")
        self.ok("run", "toy.toml", "--id", "remembers", "--quiet", "--set",
                "search.learner=muse", "--set", "eval.test_trials=1")
        self.ok("sweep", "sweep.toml", "--out", "runs/table", "--quiet")
        places = {
            "overview": {"hash": "/", "shows": "12 finished"},
            "sweep": {"hash": "/sweeps/table", "shows": "Width and depth"},
            "compare": {"hash": "/compare?runs=first+second",
                        "shows": "Task by task"},
            "points": {"hash": "/compare?runs=table", "shows": "Task by task"},
            "kb": {"hash": "/runs/first/kb?query=Light+bright",
                   "shows": "rank 1"},
            "memory": {"hash": "/runs/remembers",
                       "shows": "MUSE keeps a memory and searches no tree"},
            "remembered": {"hash": "/runs/remembers/kb",
                           "shows": "4 documents of muse"}}
        with page_of(self.program, self.at / "runs") as page:
            if b"no page in it" in ask(page, "/")[2]:
                self.skipTest("the program has no page in it: make ui")
            where = "/runs/remembers/rollouts"
            steps, longest = max(
                (json.loads(ask(page, f"/api{where}/{one['id']}")[2])["total"],
                 one["id"]) for one in json.loads(
                     ask(page, f"/api{where}?limit=40")[2])["items"])
            places["long"] = {"hash": f"{where}/{longest}/{steps - 5}",
                              "shows": f"of {steps} steps and queries"}
            seen = seen_by("use_pages.mjs", page, json.dumps(places),
                           *filter(None, [os.environ.get("PICTURES")]))
        self.assertEqual("\n".join(seen["findings"]), "")
        self.assertEqual(len(seen["views"]), 6 + program.shared(4) * len(places))


if __name__ == "__main__":
    program.main(lacking)
