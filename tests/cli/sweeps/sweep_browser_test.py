#!/usr/bin/env python3
"""The report of a sweep in a browser: opened from disk, light and dark, on a
wide and on a narrow screen, with every table unfolded. Nothing is asked of a
network or said on the console, axe finds nothing, nothing is wider than the
window, and no texts of a chart lie on each other.

  sweep_browser_test.py PATH_OF_BREWERY [unittest arguments]

Skips without Chromium, Node.js and what tests/browser/package-lock.json names,
installed there (npm ci) or in the folder that BREWERY_BROWSER_MODULES names.
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.browser import lacking, seen_by  # noqa: E402
from support.program import TOY, CommandCase  # noqa: E402

SWEEP = """base = "toy.toml"
seeds = [1, 2]
at_once = 2
[set]
search.iterations = 2
eval.leave_one_out = true
[grid]
search.max_width = [1, 3]
# Two iterations reach neither depth, so these are equal, at one place of charts.
search.max_depth = [3, 10]
"""


class SweepPage(CommandCase):
    def test_it_is_for_everybody_and_needs_nobody(self):
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "sweep.toml").write_text(SWEEP)
        self.ok("sweep", "sweep.toml", "--out", "out")
        self.ok("report", "out")
        seen = seen_by("look_at_page.mjs", self.at / "out/report.html")
        self.assertEqual(len(seen["views"]), 4)
        self.assertEqual(seen["findings"], [])

    def test_what_is_wrong_with_a_page_is_found(self):
        page = self.at / "page.html"
        page.write_text(
            '<!DOCTYPE html><html><head><title>a</title></head><body style="margin: 0"><main>'
            '<h1>a</h1><p style="color: #999; background: #fff">pale</p>'
            '<div style="width: 900px">wide</div><img src="missing.png">'
            '<svg role="img" aria-label="b" width="90" height="40">'
            '<text y="20">one</text><text x="5" y="20">two</text></svg>'
            '<script>console.log("said"); nothing()</script></main></body>'
            '</html>')
        found = "\n".join(seen_by("look_at_page.mjs", page)["findings"])
        for what in ("light 360: 900 px wide", "dark 1280: axe: color-contrast",
                     "axe: html-has-lang", "request: file://", "console: said",
                     "error: nothing is not defined",
                     '"one" and "two" lie on each other'):
            self.assertIn(what, found)


if __name__ == "__main__":
    program.main(lacking)
