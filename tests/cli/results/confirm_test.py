#!/usr/bin/env python3
"""Runs of the built `brewery` that confirm their best versions and score them
again beside new neighbours.

  confirm_test.py PATH_OF_BREWERY [unittest arguments]

Killed and resumed, with other numbers of threads and with reuse of rollouts
they end with the same bytes.
"""

import json
import shutil
import sqlite3
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import reuse_test
from reuse_test import REUSE, Case, command

OPTIONS = ("--set", "economy.confirm=2", "--set", "economy.rescore=true")


# A race that is soon lost, among many.
RACING = ("--set", "economy.racing=0.5", "--set", "economy.wave=2", "--set",
          "search.candidates=6", "--set", "search.max_width=6")


class ConfirmedVersions(Case):
    def decisions(self, name):
        database = sqlite3.connect(self.directory(name) / "events.db")
        return database.execute(
            "SELECT kind, key, payload FROM events WHERE kind = "
            "'gather_record' ORDER BY key").fetchall()

    def test_the_report_has_both_numbers(self):
        _, last = self.run_to_end("told", *OPTIONS)
        self.assertGreater(last["scoring"]["confirmed"], 0)
        self.assertGreater(last["scoring"]["rescored"], 0)
        report = (self.directory("told") / "report.md").read_text()
        self.assertRegex(report, r"found 0\.\d+, confirmed [01]\.\d+")
        again = self.finished("resume", self.directory("told"))
        said = ", ".join(f"{last['scoring'][what]} {what}" for what in
                         ("asked", "pruned", "resumed", "raced",
                          "rescored", "confirmed") if what in last["scoring"])
        self.assertIn(f"scoring rollouts that score versions: {said} ",
                      " ".join(again.split()))

    def test_confirmation_is_on_unless_it_is_off(self):
        expected, last = self.run_to_end("plain")
        self.assertGreater(last["scoring"]["confirmed"], 0)
        self.assertNotIn("rescored", last["scoring"])
        got, last = self.run_to_end("one", "--set", "economy.confirm=1")
        self.assert_same(got, expected)
        _, last = self.run_to_end("off", "--set", "economy.confirm=0",
                                  "--set", "economy.rescore=false")
        self.assertNotIn("confirmed", last["scoring"])
        self.assertNotIn("rescored", last["scoring"])

    def test_threads_processes_bounds_and_reuse_change_nothing(self):
        expected, plain = self.run_to_end("whole", *OPTIONS)
        for number, more in enumerate((
                ("--set", "run.threads=1"), ("--set", "run.workers=2"),
                ("--set", "economy.bounds=false"), REUSE)):
            name = f"other-{number}"
            got, last = self.run_to_end(name, *OPTIONS, *more)
            self.assert_same(got, expected)
            self.assertEqual(last["arms"], plain["arms"])
            if more == REUSE:
                self.assertGreater(last["reuse"]["reused"], 0)

    def test_a_race_ends_alike_with_threads_processes_reuse_and_kills(self):
        expected, plain = self.run_to_end("raced", *RACING)
        self.assertGreater(plain["scoring"]["raced"], 0)
        lost = [version for line in self.finished(
                    "tree", self.directory("raced"), "--json").splitlines()
                for version in json.loads(line)["versions"]
                if "raced" in version]
        self.assertEqual({one["raced"] for one in lost}, {0.5})
        self.assertEqual({one["note"] for one in lost}, {"raced away"})
        self.assertIn("left out of candidates that lost a race",
                      (self.directory("raced") / "report.md").read_text())
        for number, more in enumerate((
                ("--set", "run.threads=1"), ("--set", "run.workers=2"),
                REUSE)):
            got, last = self.run_to_end(f"raced-{number}", *RACING, *more)
            self.assert_same(got, expected)
            self.assertEqual(last["arms"], plain["arms"])
        for name, last in self.killed(*RACING, runs=3, seed=31):
            self.assert_same(self.results(name), expected)
            self.assertEqual(self.decisions(name), self.decisions("raced"))

    def test_killed_runs_end_with_the_same_bytes(self):
        expected, plain = self.run_to_end("undisturbed", *OPTIONS)
        for name, last in self.killed(*OPTIONS, runs=6, seed=29):
            self.assert_same(self.results(name), expected)
            self.assertEqual(self.decisions(name),
                             self.decisions("undisturbed"))
            self.assertEqual(last["arms"], plain["arms"])

    def test_a_snapshot_continues_where_the_search_was(self):
        expected, _ = self.run_to_end("saved", *OPTIONS,
                                      "--set", "run.log_level=info")
        for file in ("kb", "strategies"):
            shutil.rmtree(self.directory("saved") / file, ignore_errors=True)
        (self.directory("saved") / "report.md").unlink()
        process = command("resume", self.directory("saved"))
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("snapshot_used", err)
        self.assert_same(self.results("saved"), expected)


if __name__ == "__main__":
    reuse_test.BREWERY = sys.argv.pop(1)
    unittest.main()
