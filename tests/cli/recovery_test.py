#!/usr/bin/env python3
"""Runs that are looked at, extended, or repaired after they ended: what
`resume`, `runs` and `export` say and write then.

  recovery_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

from support.program import (DESK, TOY, CommandCase, clean_environment,
                             files_below, main, write_rusty_lock)

SOURCE = Path(__file__).resolve().parents[2]
TWO_STRATEGIES = DESK.replace(
    "[eval]", 'strategies = ["mcts", "greedy"]\n[eval]')
NOBODY = 65534


class Case(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)

    def fails(self, part, *words):
        done = self.brewery(*words)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout, "")
        last = done.stderr.splitlines()[-1]
        self.assertIn(part, last)
        return last

    def result(self, text):
        return json.loads(text.splitlines()[-1])

    def kept_files(self):
        """Without those that SQLite makes for readers."""
        return {name: text for name, text
                in files_below(self.at / "runs").items()
                if not name.endswith(("-shm", "-wal"))}

    def overview(self, run):
        done = self.brewery("runs", "--json")
        lines = map(json.loads, done.stdout.splitlines())
        return next(line for line in lines if line["id"] == run)


class FinishedRuns(Case):
    def desk(self):
        shutil.copytree(SOURCE / "examples/telecom", self.at / "desk")
        (self.at / "desk.toml").write_text(TWO_STRATEGIES)

    def test_a_resume_prints_the_stored_result_and_needs_no_data(self):
        self.desk()
        text = self.ok("run", "desk.toml", "--id", "first", "--quiet")
        shutil.rmtree(self.at / "desk")
        before = self.kept_files()
        self.assertEqual(self.ok("resume", "first"), text)
        self.assertEqual(self.ok("resume", "runs/first/").splitlines()[:5],
                         text.splitlines()[:5])
        self.assertEqual(self.kept_files(), before)

    def test_the_stored_result_is_the_same_as_json(self):
        said = self.result(self.ok("run", "toy.toml", "--id", "first",
                                   "--json"))
        again = self.result(self.ok("resume", "first", "--json"))
        self.assertEqual(again, said)

    def test_lost_files_of_a_finished_run_are_made_again(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        documents = self.documents("first")
        shutil.rmtree(self.at / "runs/first/kb")
        self.ok("resume", "first")
        self.assertEqual(self.documents("first"), documents)

    def test_an_extended_run_ends_as_a_longer_one_would_have(self):
        self.ok("run", "toy.toml", "--id", "long", "--quiet")
        long = self.result(self.ok("resume", "long", "--json"))
        short = self.result(self.ok("run", "toy.toml", "--id", "short",
                                    "--json", "--set", "search.iterations=2"))
        self.assertEqual(self.overview("short")["iteration"], 2)
        extended = self.result(self.ok("resume", "short", "--json",
                                       "--iterations", 4))
        self.assertEqual(self.documents("short"), self.documents("long"))
        self.assertEqual(extended["arms"], long["arms"])
        # The times of both sessions.
        self.assertGreater(extended["seconds"], short["seconds"])
        self.assertEqual(self.overview("short")["iteration"], 4)
        self.assertEqual(len(self.overview("short")["evaluations"]), 3)
        # It stays so.
        self.assertEqual(self.result(self.ok("resume", "short", "--json"))
                         ["arms"], long["arms"])
        self.fails("has 4 iterations already; give more", "resume", "short",
                   "--iterations", 3)

    def test_a_run_is_not_extended_with_other_data_than_it_began_with(self):
        self.desk()
        self.ok("run", "desk.toml", "--id", "first", "--quiet")
        tasks = self.at / "desk/tasks.json"
        text, before = tasks.read_text(), self.kept_files()
        tasks.write_text(text + "\n")
        self.fails("the run began with other data", "resume", "first",
                   "--iterations", 2)
        self.assertEqual(self.kept_files(), before)
        self.assertEqual(self.overview("first")["state"], "finished")
        tasks.write_text(text)
        self.ok("resume", "first", "--iterations", 2)
        self.assertEqual(self.overview("first")["iteration"], 2)

    def test_a_run_whose_metrics_cannot_be_served_is_not_changed(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        before = self.kept_files()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.fails(f"port {port}: Address already in use", "resume",
                       "first", "--iterations", 5, "--set",
                       f"run.metrics_listen=127.0.0.1:{port}")
        self.assertEqual(self.kept_files(), before)

    def test_an_estimate_takes_the_path_of_a_run(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        self.assertIn("no recording of model calls",
                      self.fails("first", "estimate", "toy.toml", "--like",
                                 "runs/first"))

    def test_an_export_is_of_the_published_arm_and_overwrites_nothing(self):
        self.desk()
        self.ok("run", "desk.toml", "--id", "first", "--quiet")
        words = ["export", "--tau2", "first", "-o", "out.json"]
        self.assertIn('"learned, mcts"', self.ok(*words))
        (self.at / "out.json").write_text("mine")
        self.fails("out.json exists already", *words)
        self.assertEqual((self.at / "out.json").read_text(), "mine")
        self.ok(*words, "--force")
        self.assertNotEqual((self.at / "out.json").read_text(), "mine")


class FailedRuns(Case):
    def setUp(self):
        super().setUp()
        write_rusty_lock(self.at)

    def break_every_third_task(self, first):
        """From 0: those to train; 1: to evaluate the search; 2: to test."""
        (self.at / "broken").write_text(
            " ".join(f"lock-{number:02}" for number in range(first, 23, 3)))

    def run_and_mend(self):
        """What it came to, and what a resume says then."""
        was = self.result(self.ok("run", "lock.toml", "--id", "night",
                                  "--json"))
        (self.at / "broken").unlink()
        done = self.brewery("resume", "night", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return was, self.result(done.stdout), done.stderr

    def test_a_resume_gets_the_scores_that_an_environment_cost(self):
        whole = self.result(self.ok("run", "lock.toml", "--id", "whole",
                                    "--json"))
        self.break_every_third_task(2)
        was, got, said = self.run_and_mend()
        self.assertEqual([arm["ungraded_share"] for arm in was["arms"]],
                         [1, 1])
        self.assertEqual(got["arms"], whole["arms"])
        self.assertEqual((got["failed_jobs"], got["rollouts"]),
                         (0, whole["rollouts"]))
        self.assertEqual(said, f"trying {was['failed_jobs']} jobs again that "
                               "the environment, a model or the machine "
                               "failed\n")
        self.assertEqual(self.documents("night"), self.documents("whole"))
        before = self.kept_files()
        done = self.brewery("resume", "night", "--json")
        self.assertEqual((self.result(done.stdout), done.stderr), (got, ""))
        self.assertEqual(self.kept_files(), before)

    def test_only_on_demand_a_search_is_decided_again(self):
        self.ok("run", "lock.toml", "--id", "whole", "--quiet")
        (self.at / "broken").write_text("lock-00 lock-03 lock-06")
        was, got, said = self.run_and_mend()
        self.assertGreater(was["failed_jobs"], 0)
        self.assertEqual((got, said), (was, ""))
        self.ok("resume", "night", "--retry-failed")
        self.assertEqual(self.documents("night"), self.documents("whole"))

    def test_what_an_environment_broke_is_tried_again_once_it_is_mended(self):
        self.ok("run", "lock.toml", "--id", "whole", "--quiet")
        (self.at / "broken").write_text("")
        said = self.fails("the environment broke in all", "run", "lock.toml",
                          "--id", "night", "--quiet")
        self.assertIn("the lock is rusty", said)
        self.assertRegex(said, r"then try its \d+ failed jobs again with "
                               r"`brewery resume \S*night`")
        about = self.overview("night")
        self.assertEqual(about["state"], "failed")
        self.assertIn("the lock is rusty", about["reason"])
        self.assertIn("night failed: ", self.ok("runs"))
        (self.at / "broken").unlink()
        failed = self.ok("quarantine", "list", "night", "--local")
        waiting = self.at / "runs" / "waiting"  # it was only submitted
        waiting.mkdir()
        shutil.copy(self.at / "runs/night/config.toml", waiting)
        every = self.ok("quarantine", "list", "--local")
        (waiting / "events.db").write_text("no log")
        others = self.brewery("quarantine", "list", "--local")
        self.assertNotEqual(others.returncode, 0)
        self.assertIn("waiting/events.db", others.stderr)
        self.assertEqual(others.stdout, every)
        shutil.rmtree(waiting)
        self.assertTrue(set(failed.split()) <= set(every.split()), every)
        self.assertIn("the lock is rusty", failed)
        done = self.brewery("resume", "night")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^trying \d+ jobs again that the "
                                      r"environment, a model or the machine")
        self.assertEqual(self.documents("night"), self.documents("whole"))
        self.assertEqual(self.overview("night")["state"], "finished")
        self.fails("run night has no failed job", "resume", "night",
                   "--retry-failed")

    def test_a_failed_job_is_not_tried_again_with_another_environment(self):
        (self.at / "broken").write_text("")
        self.fails("the environment broke", "run", "lock.toml", "--id", "night",
                   "--quiet")
        (self.at / "broken").unlink()
        lock = self.at / "lock.py"
        lock.write_text(lock.read_text().replace('version = "1"',
                                                 'version = "2"'))
        before = self.kept_files()
        for words in ((), ("--retry-failed",)):
            self.fails("the run began with other data", "resume", "night",
                       *words)
            self.assertEqual(self.kept_files(), before)


class UnbegunRuns(Case):
    """What a run leaves that is killed before it has a log."""

    def setUp(self):
        super().setUp()
        folder = self.at / "runs" / "k"
        (folder / "kb").mkdir(parents=True)
        (folder / "config.toml").write_text(TOY)
        for name in ("lock", "events.db.new", "events.db.new-journal"):
            (folder / name).touch()

    def test_a_run_that_has_not_begun_is_begun_under_its_id(self):
        self.ok("run", "toy.toml", "--id", "k", "--quiet")
        self.assertEqual(self.overview("k")["state"], "finished")
        self.fails("exists already", "run", "toy.toml", "--id", "k")

    def test_a_run_that_has_not_begun_is_listed_and_not_resumed(self):
        self.assertRegex(self.ok("runs"),
                         r"(?m)^k interrupted: it has not begun$")
        self.fails("begin it with `brewery run CONFIG --id k`", "resume", "k")


class Listing(Case):
    def runs(self, *words, user=None):
        return self.as_user(user, "runs", *words)

    def as_user(self, user, *words):
        return subprocess.run(
            [self.program, *words], cwd=self.at, text=True,
            env=clean_environment(), capture_output=True, timeout=60,
            user=user, group=user, extra_groups=[] if user else None)

    def other(self):
        """The id of a user with fewer rights; None if this one has few."""
        return NOBODY if os.geteuid() == 0 else None

    def forbid(self, mode):
        """Lets others only do this with the run's directory and files."""
        self.at.chmod(0o755)
        folder = self.at / "runs/first"
        for path in [folder, *folder.rglob("*")]:
            path.chmod(mode | (0o111 if path.is_dir() and mode else 0))
        self.addCleanup(folder.chmod, 0o755)

    def test_the_table_has_start_time_seed_cost_and_score(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        lines = self.ok("runs").splitlines()
        self.assertEqual(lines[0].split(), ["run", "state", "iteration",
                                            "started", "took", "seed", "cost",
                                            "score"])
        self.assertRegex(lines[1], r"^first +finished +4/4 +\d{4}-\d\d-\d\d "
                                   r"\d\d:\d\d +\d+ s +7 +- +\d+\.\d %$")

    def test_a_run_of_somebody_else_is_read(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        self.forbid(0o444)
        before = files_below(self.at / "runs")
        done = self.runs("--json", user=self.other())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["state"], "finished")
        self.assertEqual(files_below(self.at / "runs"), before)

    def test_a_run_that_nobody_may_read_is_listed_and_said(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        self.forbid(0)
        done = self.runs(user=self.other())
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^first +unreadable ")
        self.assertIn("Permission denied", done.stderr)

    def test_documents_that_nobody_may_read_are_not_said_to_be_missing(self):
        self.ok("run", "toy.toml", "--id", "first", "--quiet")
        self.forbid(0)
        for words in (("list", "first"), ("list", "./runs/first"),
                      ("diff", "first", "first")):
            done = self.as_user(self.other(), "kb", *words)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stderr, r"runs/first: Permission denied\n$")


if __name__ == "__main__":
    main()
