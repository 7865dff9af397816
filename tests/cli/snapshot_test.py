#!/usr/bin/env python3
"""Searches that are continued from their snapshots, and without them.

  snapshot_test.py PATH_OF_BREWERY [unittest arguments]

The rule: a snapshot saves time and nothing else. With it, without it, and with
a damaged one, `brewery resume` ends with the same documents, byte for byte.
"""

import json
import random
import re
import shutil
import sqlite3
import sys
import time
import unittest
from pathlib import Path

import durability_test as runs
from durability_test import Case, finished
from support.program import LOCK, CommandCase, files_below

PYTHON = Path(__file__).resolve().parents[2] / "envs" / "python"


class Snapshots(Case):
    def folders(self, name):
        return sorted((self.directory(name) / "snapshots").iterdir())

    def unfinished(self, name):
        """A copy of the finished run that has all results and no report."""
        shutil.copytree(self.directory("reference"), self.directory(name))
        shutil.rmtree(self.directory(name) / "kb")
        shutil.rmtree(self.directory(name) / "strategies", ignore_errors=True)
        (self.directory(name) / "report.md").unlink()
        config = self.directory(name) / "config.toml"
        text, count = re.subn('log_level = "[a-z]+"', 'log_level = "info"',
                              config.read_text())
        self.assertEqual(count, 1)
        config.write_text(text)

    def resumed(self, name):
        code, _, err = finished("resume", self.directory(name))
        self.assertEqual(code, 0, err)
        self.assert_same_results(name)
        return err

    def test_each_search_has_one_and_is_continued_from_it(self):
        self.unfinished("continued")
        self.assertGreater(len(self.folders("continued")), 0)
        err = self.resumed("continued")
        self.assertEqual(err.count("snapshot_used"),
                         len(self.folders("continued")), err)

    def test_without_snapshots_the_log_gives_the_same(self):
        self.unfinished("without")
        shutil.rmtree(self.directory("without") / "snapshots")
        self.assertNotIn("snapshot_u", self.resumed("without"))
        # Now there are new ones.
        self.assertGreater(len(self.folders("without")), 0)

    def test_a_search_that_lost_its_own_begins_from_the_first_ones(self):
        self.unfinished("lost")
        other = self.directory("lost") / "snapshots" / "greedy"
        shutil.rmtree(other)
        err = self.resumed("lost")
        self.assertIn("search_begins_alike run=run strategy=greedy as=mcts",
                      err)
        # Its new one is as good as any.
        self.assertTrue(other.exists())
        for gone in ("kb", "strategies"):
            shutil.rmtree(self.directory("lost") / gone)
        (self.directory("lost") / "report.md").unlink()
        self.assertEqual(self.resumed("lost").count("snapshot_used"),
                         len(self.folders("lost")))

    def changed(self, name, statement):
        self.unfinished(name)
        for folder in self.folders(name):
            database = sqlite3.connect(folder / "events.db")
            for trigger, in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            database.execute(statement)
            database.commit()
            database.close()
        return self.resumed(name)

    def rows(self, name):
        """What decisions the log has, in order, and each with its content. Of
        trees, which do not wait for each other, in order of their names."""
        database = sqlite3.connect(self.directory(name) / "events.db")
        rows = database.execute(
            "SELECT kind, key, payload FROM events WHERE kind NOT IN "
            "('job_result', 'run_record', 'purpose_record', 'spend_record') "
            "ORDER BY seq").fetchall()
        trees = [row for row in rows if row[0] == "tree_record"]
        return [row for row in rows if row not in trees] + sorted(trees)

    def jobs(self, name):
        database = sqlite3.connect(self.directory(name) / "events.db")
        found = database.execute("SELECT key FROM events WHERE kind = "
                                 "'job_result'").fetchall()
        self.assertEqual(len(found), len(set(found)))
        return set(found)

    def test_searches_side_by_side_decide_what_each_does_alone(self):
        code, _, err = self.start("beside", "--set",
                                  "run.log_level=info").wait_for()
        self.assertEqual(code, 0, err)
        for other in ("greedy", "iterative"):
            self.assertIn("search_begins_alike run=run "
                          f"strategy={other} as=mcts", err)
        self.assert_same_results("beside")
        jobs = set()
        for other in ("mcts", "greedy", "iterative"):
            code, _, err = self.start(
                other, "--set", f'search.strategies=["{other}"]').wait_for()
            self.assertEqual(code, 0, err)
            where = "" if other == "mcts" else f"strategies/{other}/kb/"
            kb = files_below(self.directory(other) / "kb")
            for file in kb:
                if file.endswith(".md"):
                    self.assertEqual(kb[file], self.reference[where + file])
            together, alone = (
                [row for row in self.rows(name) if row[1].startswith(other)]
                for name in ("beside", other))
            self.assertGreater(len(together), 3)
            self.assertEqual(together, alone)
            jobs |= self.jobs(other)
        self.assertEqual(self.jobs("beside"), jobs)

    def test_a_damaged_one_is_said_and_not_used(self):
        for name, statement in {
                "row": "UPDATE events SET payload = x'00' WHERE seq = 2",
                "cut": "DELETE FROM events WHERE seq > 3",
                "gap": "DELETE FROM events WHERE seq = 2",
                "mark": "DELETE FROM events WHERE kind = 'search_mark'",
                "log": "UPDATE meta SET value = '999' WHERE key = 'schema'",
        }.items():
            with self.subTest(name):
                err = self.changed(name, statement)
                self.assertEqual(err.count("snapshot_unusable"),
                                 len(self.folders(name)), err)

    def test_bytes_changed_anywhere_change_no_result(self):
        draw = random.Random(5)
        for number in range(12):
            name = f"bytes-{number}"
            self.unfinished(name)
            for folder in self.folders(name):
                file = folder / "events.db"
                content = bytearray(file.read_bytes())
                for _ in range(40):
                    content[draw.randrange(len(content))] ^= draw.randrange(
                        1, 256)
                file.write_bytes(content)
            self.resumed(name)
            shutil.rmtree(self.root / name)

    def test_one_of_another_run_is_not_used(self):
        code, _, err = self.start("other", "--set", "run.seed=8").wait_for()
        self.assertEqual(code, 0, err)
        self.unfinished("taken")
        shutil.rmtree(self.directory("taken") / "snapshots")
        shutil.copytree(self.directory("other") / "snapshots",
                        self.directory("taken") / "snapshots")
        self.assertIn("snapshot_unusable", self.resumed("taken"))

    def test_a_run_that_is_killed_after_a_gather_goes_on_from_it(self):
        for number in range(3):
            name = f"gather-{number}"
            process = self.start(
                name, "--set", "run.log_level=info",  # and slow to be killed:
                "--set", "environment.simulated_latency_ms=1").process
            # That of the second search: the first has its first gather.
            saved = self.directory(name) / "snapshots" / "greedy"
            while process.poll() is None and not saved.exists():
                time.sleep(0.001)  # only how soon it is killed depends on it
            process.kill()
            process.communicate()
            self.assertIn("snapshot_used", self.resumed(name))


class ReducedGrades(CommandCase):
    """A program that grades without parts and breaks now and then."""

    def setUp(self):
        super().setUp()
        text = (PYTHON / "examples" / "lock.py").read_text()
        whole = text.index("    def grade(")
        text = (text[:whole] + "    def grade(self):\n        return Grade("
                "1.0 if _opens(self._lock) else 0.0)\n\n\n"
                + text[text.index("if __name__"):])
        text = text.replace(
            "    def reset(self, task):\n",
            "    def reset(self, task):\n        if task.endswith('3'):\n"
            "            raise RuntimeError('no licence found')\n")
        (self.at / "lock.py").write_text(text)
        (self.at / "lock.toml").write_text(
            LOCK.format(program=self.at / "lock.py"))
        self.ok("run", "lock.toml", "--id", "r", "--quiet", "--set",
                "cluster.max_failures=1")

    def told(self, name, *lost):
        """What a resume says of a copy whose report is lost."""
        runs = self.at / name
        shutil.copytree(self.at / "runs", runs)
        shutil.rmtree(runs / "r" / "kb")
        for one in ("report.md", *lost):
            path = runs / "r" / one
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        out = self.ok("resume", runs / "r", "--json", "--set",
                      "cluster.max_failures=1")
        told = json.loads(out.splitlines()[-1])
        return ({key: told[key] for key in ("failed_jobs", "rollouts", "arms")},
                (runs / "r/kb/manifest.json").read_text())

    def test_grades_and_failures_are_those_of_the_log(self):
        continued, replayed = self.told("a"), self.told("b", "snapshots")
        self.assertEqual(continued, replayed)
        self.assertGreater(continued[0]["failed_jobs"], 0)
        self.assertIn('"reward": 0', continued[1])


if __name__ == "__main__":
    CommandCase.program = runs.BREWERY = sys.argv.pop(1)
    unittest.main(verbosity=2)
