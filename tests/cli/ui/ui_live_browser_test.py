#!/usr/bin/env python3
"""A run is followed in a browser until it ends, in two tabs that share one stream:
light and dark, on a wide and on a narrow screen. axe finds nothing.

  ui_live_browser_test.py PATH_OF_BREWERY [unittest arguments]

Skips as ui_browser_test.py does.
"""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.browser import lacking, seen_by  # noqa: E402
from support.page_server import ask, page_of  # noqa: E402
from support.program import TOY, CommandCase, wait_until  # noqa: E402


class Live(CommandCase):
    def test_a_run_is_followed_to_its_end(self):
        (self.at / "toy.toml").write_text(TOY)
        run = self.start("run", "toy.toml", "--id", "r", "--quiet", "--set",
                         "environment.simulated_latency_ms=5", "--set",
                         "run.threads=2")
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        wait_until("a log", (self.at / "runs/r/live.json").exists)
        with page_of(self.program, self.at / "runs") as page:
            if b"has no page in it" in ask(page, "/")[2]:
                self.skipTest("the program was built without its page: make ui")
            seen = seen_by("follow_ui.mjs", page, "r",
                           *filter(None, [os.environ.get("PICTURES")]))
        self.assertEqual("\n".join(seen["findings"]), "")
        self.assertEqual(len(seen["views"]), 5)


if __name__ == "__main__":
    program.main(lacking)
