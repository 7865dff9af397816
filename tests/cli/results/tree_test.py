#!/usr/bin/env python3
"""The trees of a run's searches, as its log has them.

  tree_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.log_reader import unzipped
from support.older_log import rewritten
from support.program import ScratchCase, clean_environment, wait_until

BREWERY = os.path.abspath(sys.argv.pop(1))


def brewery(*words, code=0):
    done = subprocess.run([BREWERY, *map(str, words)], text=True,
                          env=clean_environment(), capture_output=True,
                          timeout=120)
    assert done.returncode == code, done.stderr
    return done


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Trees(ScratchCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = cls.root / "runs"
        brewery("run", cls.config, "--id", "r", "--quiet", "--set",
                f"run.runs_dir={cls.runs}")

    def trees(self, run="r", *words):
        return lines(brewery("tree", run, "--runs-dir", self.runs, "--json",
                             *words).stdout)

    def test_a_tree_has_each_version_below_the_one_that_it_changes(self):
        trees = self.trees()
        self.assertEqual({t["strategy"] for t in trees}, {"mcts", "greedy"})
        for tree in trees:
            self.assertTrue(tree["whole"])
            self.assertEqual(tree["iteration"], 4)
            versions = tree["versions"]
            self.assertEqual([v["id"] for v in versions],
                             list(range(len(versions))))
            self.assertEqual(len({v["document"] for v in versions}),
                             len(versions))
            root, rest = versions[0], versions[1:]
            self.assertEqual((root["parent"], root["depth"]), (0, 0))
            for version in rest:
                parent = versions[version["parent"]]
                self.assertLess(parent["id"], version["id"])
                self.assertEqual(version["depth"], parent["depth"] + 1)
                self.assertGreater(version["iteration"], 0)

    def test_visits_and_values_are_those_of_the_versions_below(self):
        for tree in self.trees():
            versions = tree["versions"]
            below = {v["id"]: [] for v in versions}
            for version in versions[1:]:
                below[version["parent"]].append(version)
            for version in versions:
                children = below[version["id"]]
                # Itself, unless it has no score.
                own = version["visits"] - sum(v["visits"] for v in children)
                self.assertIn(own, (0, 1))
                self.assertAlmostEqual(
                    version["value"] * version["visits"],
                    own * version["reward"]
                    + sum(v["value"] * v["visits"] for v in children),
                    places=9)

    def test_the_best_version_is_the_published_document(self):
        listed = lines(brewery("kb", "list", self.runs / "r", "--json").stdout)
        trees = [t for t in self.trees() if t["strategy"] == "mcts"]
        self.assertEqual(len(listed), len(trees))
        for document, tree in zip(listed, trees):
            best = tree["versions"][tree["published"][-1]]
            self.assertEqual(best["note"], "best")
            self.assertEqual(best["reward"], document["reward"])
            self.assertEqual(best["iteration"], document["iteration"])

    def test_one_tree_is_drawn_with_its_branches(self):
        said = brewery("tree", "r", "0", "--strategy", "mcts", "--runs-dir",
                       self.runs).stdout
        tree, = self.trees("r", "0", "--strategy", "mcts")
        rows = said.splitlines()
        self.assertTrue(rows[0].startswith("mcts, concept 0: "))
        self.assertIn(f"{len(tree['versions'])} versions after iteration 4",
                      rows[1])
        self.assertEqual(len(rows), 3 + len(tree["versions"]))
        self.assertEqual(said.count("best\n"), 1 + said.count("was best\n"))
        self.assertIn("`- ", said)
        listed = brewery("tree", "r", "--runs-dir", self.runs).stdout
        self.assertEqual(len(listed.splitlines()), 1 + len(self.trees()))

    def test_a_killed_run_ends_with_the_same_trees(self):
        process = subprocess.Popen(
            [BREWERY, "run", str(self.config), "--id", "killed", "--quiet",
             "--set", f"run.runs_dir={self.runs}",
             "--set", "environment.simulated_latency_ms=1"],
            env=clean_environment(), start_new_session=True)
        log = self.runs / "killed" / "events.db"

        def iterations():
            if not log.exists():
                return False
            with sqlite3.connect(f"file:{log}?mode=ro", uri=True) as events:
                count, = events.execute("SELECT count(*) FROM events WHERE "
                                        "kind = 'tree_record'").fetchone()
            return count > 1
        wait_until("trees are on record",
                   lambda: process.poll() is not None or iterations())
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        brewery("resume", "killed", "--runs-dir", self.runs, "--quiet")
        self.assertEqual(self.trees("killed"), self.trees())

    def test_what_a_foreign_log_says_does_not_steer_the_terminal(self):
        tree = self.trees("r", "0", "--strategy", "mcts")[0]
        # Of the same length, so that the rest of a record stays as it is.
        harm = {said.encode(): b"\x1b\n".ljust(len(said), b"!")
                for said in (tree["title"], tree["versions"][0]["document"])}

        def change(kind, payload):
            if kind not in ("concept_record", "tree_record"):
                return payload
            payload = unzipped(payload)
            for said, instead in harm.items():
                payload = payload.replace(said, instead)
            return payload
        rewritten(self.runs / "r", self.runs / "foreign", change)
        for words in ((), ("0",)):
            said = brewery("tree", "foreign", *words, "--runs-dir",
                           self.runs).stdout
            self.assertNotIn("\x1b", said)
            self.assertIn("  !", said)
            same = brewery("tree", "r", *words, "--runs-dir", self.runs).stdout
            self.assertEqual(said.count("\n"), same.count("\n"))

    def test_what_is_not_there_is_one_line(self):
        for words, says in (
                (("r", "99"), "run r has no tree of concept 99;"),
                (("r", "--strategy", "mtcs"),
                 "run r has no tree of the search mtcs;"),
                (("rr",), "did you mean r?")):
            err = brewery("tree", *words, "--runs-dir", self.runs,
                          code=1).stderr
            self.assertIn(says, err)
            self.assertEqual(err.count("\n"), 1)

    def test_a_concept_is_named_by_its_number(self):
        for word in ("abc", "-1", "0.5"):
            err = brewery("tree", "r", word, "--runs-dir", self.runs,
                          code=2).stderr
            self.assertIn(f"'{word}' is not the number of a concept", err)
            self.assertEqual(err.count("\n"), 1)

    def test_of_a_search_that_is_misspelt_the_near_one_is_named(self):
        for words in ((), ("99",)):
            err = brewery("tree", "r", *words, "--strategy", "mtcs",
                          "--runs-dir", self.runs, code=1).stderr
            self.assertIn('of the search mtcs; did you mean "mcts"?', err)
            self.assertNotIn("99", err)


if __name__ == "__main__":
    unittest.main()
