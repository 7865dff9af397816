#!/usr/bin/env python3
"""`brewery compare` on runs of the built `brewery`.

  compare_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.program import TOY, ScratchCase, clean_environment

BREWERY = ""


class ComparedRuns(ScratchCase):
    @property
    def runs(self):
        return self.root / self.id().rsplit(".", 1)[1]

    def brewery(self, *words, code=0):
        done = subprocess.run([BREWERY, *map(str, words)], text=True,
                              env=clean_environment(), capture_output=True,
                              timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def run_of(self, name, *options):
        self.config.write_text(TOY)
        self.brewery("run", self.config, "--id", name, "--quiet", "--set",
                     f"run.runs_dir={self.runs}", *options)

    def compare(self, *words):
        out = self.brewery("compare", *words, "--runs-dir",
                           self.runs, "--json")
        return json.loads(out)["contenders"]

    def test_scores_are_those_of_the_runs_and_differences_are_theirs(self):
        self.run_of("short", "--set", "search.iterations=0")
        self.run_of("long")
        self.run_of("long-8", "--set", "run.seed=8")
        self.run_of("short-8", "--set", "search.iterations=0", "--set",
                    "run.seed=8")
        scores = {}
        for line in self.brewery("runs", "--runs-dir", self.runs,
                                 "--json").splitlines():
            one = json.loads(line)
            scores[one["id"]] = one["score"]
        first, second = self.compare("short", "long")
        self.assertAlmostEqual(first["score"], scores["short"])
        self.assertAlmostEqual(second["score"], scores["long"])
        self.assertAlmostEqual(second["difference"],
                               scores["long"] - scores["short"])
        self.assertLessEqual(second["difference_low"], second["difference"])
        self.assertEqual(second["paired_runs"], 1)
        groups = self.compare("s=short,short-8", "l=long,long-8")
        self.assertEqual([one["name"] for one in groups], ["s", "l"])
        for one, runs in zip(groups, (("short", "short-8"),
                                      ("long", "long-8"))):
            self.assertAlmostEqual(one["score"],
                                   sum(scores[run] for run in runs) / 2)
        self.assertEqual(groups[1]["paired_runs"], 2)
        no_kb, _ = self.compare("short", "long", "--arm", "no KB")
        self.assertLess(no_kb["score"], second["score"])
        # A copy from elsewhere, named by its path.
        copy = self.root / "copies" / "long"
        shutil.copytree(self.runs / "long", copy)
        self.assertEqual(self.compare("short", copy)[1],
                         {**second, "name": str(copy)})
        text = self.brewery("compare", "short", "long", "--runs-dir",
                            self.runs)
        self.assertIn("paired difference", text)
        self.assertIn(f"{100 * scores['long']:.1f} %", text)

    def test_bad_words_get_one_line(self):
        self.run_of("one", "--set", "search.final_evaluation=false")
        self.run_of("two")
        runs = ("--runs-dir", self.runs)
        for words, said in (
                (("one", "two"), "run one: the run has no final evaluation"),
                (("tow",), "two"),
                (("=two",), "no name before '='"),
                (("a=two,", "two"), 'an empty run in "a=two,"'),
                (("a=two,two", "b=two,two"), "both of seed 7"),
                (("two", "--arm", "best"), 'has no arm "best"')):
            said_here = self.brewery("compare", *words, *runs,
                                     code=2 if "=" in words[0] else 1)
            self.assertIn(said, said_here)
            self.assertEqual(len(said_here.splitlines()), 1, said_here)


if __name__ == "__main__":
    BREWERY = sys.argv.pop(1)
    unittest.main()
