#!/usr/bin/env python3
"""A run is followed in a browser until it ends, in two tabs that share one stream:
light and dark, on a wide and on a narrow screen. axe finds nothing. However often
the connection breaks, the page counts every rollout once.

  ui_live_browser_test.py PATH_OF_BREWERY [unittest arguments]

Skips as ui_browser_test.py does.
"""

import json
import os
import sys
import threading
import unittest
from itertools import accumulate
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.browser import lacking, seen_by  # noqa: E402
from support.page_server import ask, page_of  # noqa: E402
from support.program import TOY, CommandCase, wait_until  # noqa: E402
from support.relay import Relay  # noqa: E402


class Live(CommandCase):
    def begin(self, *options):
        (self.at / "toy.toml").write_text(TOY)
        run = self.start("run", "toy.toml", "--id", "r", "--quiet", "--set",
                         "environment.simulated_latency_ms=5", "--set",
                         "run.threads=2", *options)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        wait_until("a log", (self.at / "runs/r/live.json").exists)

    def test_no_rollout_is_lost_or_doubled_over_twenty_breaks(self):
        self.begin("--set", "eval.test_trials=6")
        breaks, over = 0, threading.Event()

        def break_often(relay):
            nonlocal breaks
            while not over.wait(0.2):
                breaks += relay.break_all(b"/stream") > 0

        with page_of(self.program, self.at / "runs") as page:
            if b"has no page in it" in ask(page, "/")[2]:
                self.skipTest("the program was built without its page: make ui")
            # A request must name this machine with the port that it came to.
            port = urlsplit(page).port
            relay = Relay(port, at=("127.0.0.2", port))
            self.addCleanup(relay.close)
            breaker = threading.Thread(target=break_often, args=[relay])
            breaker.start()
            try:
                seen = seen_by("watch_run.mjs", f"http://localhost:{port}/",
                               "r", "127.0.0.2")
            finally:
                over.set()
                breaker.join()
            total = json.loads(ask(page, "/api/runs/r/rollouts")[2])["total"]
            live = json.loads(ask(page, "/api/runs/r/live")[2])["log"]
        self.assertEqual(seen["problems"], [])
        self.assertGreaterEqual(breaks, 20)
        parts = seen["parts"]
        self.assertGreaterEqual(len(parts), 20)
        # What the page said was at each time what the log had until an event.
        shown = [count for _, count in seen["counts"]]
        self.assertEqual(shown, sorted(set(shown)))
        self.assertLessEqual(shown[-1], total)
        begun = parts[0]["from"]
        for before, after in zip(parts, parts[1:]):
            self.assertEqual(after["from"], before["to"] + 1, seen)
        sums = list(accumulate(part["rollouts"] for part in parts))
        first = total - sums[-1] if parts[-1]["to"] == live["to"] else None
        self.assertIsNotNone(first, (parts[-1], live))
        self.assertGreater(begun, 0)
        known = {first + one for one in sums} | {first}
        self.assertLessEqual(set(shown), known)

    def test_a_run_is_followed_to_its_end(self):
        self.begin()
        with page_of(self.program, self.at / "runs") as page:
            if b"has no page in it" in ask(page, "/")[2]:
                self.skipTest("the program was built without its page: make ui")
            seen = seen_by("follow_ui.mjs", page, "r",
                           *filter(None, [os.environ.get("PICTURES")]))
        self.assertEqual("\n".join(seen["findings"]), "")
        self.assertEqual(len(seen["views"]), 5)


if __name__ == "__main__":
    program.main(lacking)
