#!/usr/bin/env python3
"""A run that `brewery ui export` wrote as a folder: it has the answers that the
server gives, no more bytes than it may, and opens from disk in Chromium and Firefox.

  ui_export_test.py PATH_OF_BREWERY [unittest arguments]

Chromium's part skips without what ui_browser_test.py needs, Firefox's without
Debian's firefox-esr.
"""

import json
import os
import re
import sys
import unittest
from functools import partial
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.browser import lacking, seen_by  # noqa: E402
from support.firefox import PROGRAM as FIREFOX, firefox  # noqa: E402
from support.page_server import ask, page_of  # noqa: E402
from support.program import (ScratchCase, done_by,  # noqa: E402
                             files_below)

BREWERY = os.path.abspath(sys.argv.pop(1))
brewery = partial(done_by, BREWERY)


def answers_in(folder):
    """Key -> answer."""
    out = {}
    for file in (folder / "data").glob("[0-9]*.js"):
        for line in file.read_text().splitlines():
            key, answer = json.loads(
                "[" + re.fullmatch(r"brewery_answer\((.*)\);", line)[1] + "]")
            assert key not in out, key
            out[key] = json.loads(answer)
    return out


def address_of(key):
    way, offset = key.rsplit("#", 1)
    way, _, query = way.partition("?")
    return ("/api/" + "/".join(quote(part, safe="") for part in way.split("\n"))
            + f"?limit=1000&offset={offset}"
            + "".join("&" + one for one in query.split("\n") if one))


class Export(ScratchCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = cls.root / "runs"
        brewery("run", cls.config, "--id", "r", "--quiet", "--set",
                f"run.runs_dir={cls.runs}")
        with page_of(BREWERY, cls.runs) as page:
            if b"no page in it" in ask(page, "/")[2]:
                said = brewery("ui", "export", cls.runs / "r", "--out",
                               cls.root / "none", code=1)
                assert "make ui" in said and not (cls.root / "none").exists()
                raise unittest.SkipTest("the program has no page in it: make ui")

    def export(self, name, *words):
        folder = self.root / name
        said = json.loads(brewery("ui", "export", self.runs / "r", "--out",
                                  folder, "--json", *words))
        self.assertEqual(said["bytes"],
                         sum(map(len, files_below(folder).values())))
        return folder, said

    def test_its_answers_are_those_of_the_server(self):
        folder, said = self.export("whole")
        self.assertEqual(said["with_steps"], said["rollouts"])
        answers = answers_in(folder)
        with page_of(BREWERY, self.runs) as page:
            total = json.loads(ask(page, "/api/runs/r/rollouts")[2])["total"]
            self.assertEqual(said["rollouts"], total)
            self.assertEqual(sum("\nrollouts\n" in key for key in answers), total)
            for i, key in enumerate(sorted(answers)):
                if i % 9 == 0 or "\nrollouts\n" not in key and i % 3 == 0:
                    self.assertEqual(json.loads(ask(page, address_of(key))[2]),
                                     answers[key], key)
        for name, bytes_ in files_below(folder).items():
            self.assertNotIn(os.fsencode(self.root), bytes_, name)

    def test_it_replaces_nothing_and_keeps_to_its_size(self):
        unfinished = self.root / ".small.brewery-export-a1b2c3"
        (unfinished / "data").mkdir(parents=True)  # as Ctrl-C leaves it
        own = self.root / ".small.new"
        own.mkdir()
        folder, said = self.export("small", "--max-mb", 5)
        self.assertFalse(unfinished.exists())
        self.assertTrue(own.exists())
        self.assertEqual(folder.stat().st_mode, self.runs.stat().st_mode)
        self.assertLess(0, said["with_steps"])
        self.assertLess(said["with_steps"], said["rollouts"])
        data = sum(map(len, files_below(folder / "data").values()))
        self.assertLessEqual(data, 5_000_000)
        answers = answers_in(folder)
        heads = {answer["id"]: answer for key, answer in answers.items()
                 if re.search("\nrollouts\n.*#0$", key)}
        self.assertEqual(len(heads), said["rollouts"])  # no dead link
        kept = {id for id, one in heads.items() if not one.get("left_out")}
        self.assertEqual(len(kept), said["with_steps"])
        for id in heads.keys() - kept:
            self.assertEqual(heads[id]["items"], [])
            self.assertGreater(heads[id]["done"], 0)
        rows = [row for key, answer in answers.items()
                if re.search("\nrollouts#", key) for row in answer["items"]]
        self.assertEqual({row["id"] for row in rows if not row.get("left_out")},
                         kept)
        # An attempt of each arm at each task comes before all others.
        tried = {(arm, row["task"]) for row in rows for arm in row["arms"]}
        shown = {(arm, row["task"]) for row in rows for arm in row["arms"]
                 if row["id"] in kept}
        self.assertTrue(shown)
        self.assertTrue(shown == tried or len(kept) <= len(shown))
        before = files_below(folder)
        said = brewery("ui", "export", self.runs / "r", "--out", folder, code=1)
        self.assertIn("exists already", said)
        self.assertEqual(files_below(folder), before)
        said = brewery("ui", "export", "none", "--runs-dir", self.runs, "--out",
                       self.root / "none", code=1)
        self.assertIn("no run 'none'", said)
        self.assertFalse((self.root / "none").exists())

    @unittest.skipIf(lacking(), lacking())
    def test_it_opens_from_disk(self):
        folder, _ = self.export("a folder, moved")
        job = next(key.split("\n")[3].split("#")[0]
                   for key in answers_in(folder) if "\nrollouts\n" in key)
        places = {
            "x-run": {"hash": "/", "shows": "learned, mcts"},
            "x-version": {"hash": "/runs/r/trees/mcts/0/1",
                          "shows": "Change from version 0"},
            "x-rollouts": {"hash": "/runs/r/rollouts?arm=no%20KB",
                           "shows": "48 of 48 rollouts"},
            "x-rollout": {"hash": f"/runs/r/rollouts/{job}", "shows": "Steps"},
            "x-kb": {"hash": "/runs/r/kb?strategy=greedy",
                     "shows": "3 documents of greedy"}}
        seen = seen_by("use_ui.mjs", (folder / "index.html").as_uri(),
                       json.dumps(places),
                       *filter(None, [os.environ.get("PICTURES")]))
        self.assertEqual("\n".join(seen["findings"]), "")
        self.assertEqual(len(seen["views"]), 1 + len(places))

    @unittest.skipUnless(FIREFOX, "no firefox-esr (Debian: firefox-esr)")
    def test_it_opens_from_disk_in_firefox(self):
        folder, _ = self.export("in firefox")
        job = next(key.split("\n")[3].split("#")[0]
                   for key in answers_in(folder) if "\nrollouts\n" in key)
        page = (folder / "index.html").as_uri()
        places = {"": "learned, mcts",
                  "/runs/r/trees/mcts/0/1": "Change from version 0",
                  "/runs/r/lines/mcts/0": "evidence",
                  "/runs/r/rollouts?arm=no%20KB": "48 of 48 rollouts",
                  f"/runs/r/rollouts/{job}": "Steps",
                  "/runs/r/kb?strategy=greedy": "3 documents of greedy"}
        with firefox() as browser:
            for place, shows in places.items():
                browser.go(f"{page}#{place}")
                self.assertTrue(browser.until(
                    "return document.body.innerText.includes(arguments[0]) && "
                    "!document.body.innerText.includes('Loading …')", shows),
                    (place, browser.run("return document.body.innerText")))
                asked = browser.run(
                    "return performance.getEntriesByType('resource')"
                    ".map((one) => one.name)")
                self.assertEqual([one for one in asked if not one.startswith(
                    folder.as_uri())], [], place)
            # A tree is drawn, and keys lead through it.
            browser.go(f"{page}#/runs/r/trees/mcts/0/1")
            self.assertTrue(browser.until(
                "return document.querySelectorAll('.tree circle').length > 5"))
            browser.run("document.getElementById('version-1').focus();"
                        "document.activeElement.dispatchEvent(new KeyboardEvent("
                        "'keydown', {key: 'ArrowLeft', bubbles: true}))")
            self.assertTrue(browser.until(
                "return document.activeElement.id === 'version-0'"))


if __name__ == "__main__":
    unittest.main()
