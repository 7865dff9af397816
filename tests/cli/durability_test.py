#!/usr/bin/env python3
"""Runs of the built `brewery` that are killed, stopped, starved and damaged.

  durability_test.py PATH_OF_BREWERY [unittest arguments]

The rule throughout: whatever happens to the process, `brewery resume` ends with
the documents and the manifest of an undisturbed run, byte for byte. After kills the
log has the same trees too, version by version.
BREWERY_KILLS sets the number of seeded kills (default 50).
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from support.program import (TOY, ScratchCase, clean_environment, files_below,
                             shared, wait_until)

BREWERY = ""


def command(*words):
    return subprocess.Popen([BREWERY, *map(str, words)],
                            env=clean_environment(), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(*words, limit=120):
    process = command(*words)
    out, err = process.communicate(timeout=limit)
    return process.returncode, out, err


class Case(ScratchCase):
    # Three searches side by side.
    toy = TOY.replace('"greedy"]', '"greedy", "iterative"]')

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        began = time.monotonic()
        code, out, err = cls.start("reference").wait_for()
        assert code == 0, err
        cls.seconds = time.monotonic() - began
        cls.reference = cls.results("reference")

    class Started:
        def __init__(self, process):
            self.process = process

        def wait_for(self):
            out, err = self.process.communicate(timeout=120)
            return self.process.returncode, out, err

    @classmethod
    def directory(cls, name):
        return cls.root / name / "run"

    @classmethod
    def start(cls, name, *options):
        """All runs have the id "run", each below a root of its own."""
        return cls.Started(command(
            "run", cls.config, "--id", "run", "--quiet",
            "--set", f"run.runs_dir={cls.root / name}", *options))

    @classmethod
    def results(cls, name):
        return {**files_below(cls.directory(name) / "kb"),
                **{"strategies/" + k: v for k, v in
                   files_below(cls.directory(name) / "strategies").items()}}

    @classmethod
    def trees(cls, name):
        """Of each search and concept; side by side, searches begin in any order."""
        code, out, err = finished("tree", cls.directory(name), "--json")
        assert code == 0, err
        trees = [json.loads(line) for line in out.splitlines()]
        assert all(tree["whole"] for tree in trees), out
        return {(tree["strategy"], tree["concept"]): tree for tree in trees}

    def assert_same_results(self, name):
        self.assertEqual(self.results(name).keys(), self.reference.keys())
        for file, content in self.results(name).items():
            self.assertEqual(content, self.reference[file], file)


class KilledRuns(Case):
    def test_a_kill_at_any_moment_changes_no_byte(self):
        draw = random.Random(20)
        kills = int(os.environ.get("BREWERY_KILLS", shared(50)))
        trees = self.trees("reference")
        self.assertEqual(len(trees), 9)
        done, round_number = 0, 0
        while done < kills:
            round_number += 1
            name = f"killed-{round_number}"
            process = self.start(name).process
            # Some runs are killed several times, while resuming too.
            for _ in range(draw.randint(1, 4)):
                try:
                    process.wait(timeout=draw.uniform(0.02, self.seconds))
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    done += 1
                process.communicate()
                if not (self.directory(name) / "events.db").exists():
                    # Killed before the run existed: begin again.
                    shutil.rmtree(self.root / name, ignore_errors=True)
                    process = self.start(name).process
                else:
                    process = command("resume", self.directory(name))
            code, _, err = self.Started(process).wait_for()
            if code != 0:
                code, _, err = finished("resume", self.directory(name))
            self.assertEqual(code, 0, err)
            self.assert_same_results(name)
            self.assertEqual(self.trees(name), trees)
            shutil.rmtree(self.root / name)
        print(f"{done} kills in {round_number} runs", file=sys.stderr)


class QuorumRuns(Case):
    """Who is late is a matter of timing, so there is no reference: what is on
    record is what every later resume must end with."""

    OPTIONS = ("--set", "search.gather_quorum=0.3")

    def test_a_resume_ends_with_what_the_log_says(self):
        draw = random.Random(21)
        for number in range(6):
            name = f"quorum-{number}"
            process = self.start(name, *self.OPTIONS).process
            for _ in range(number % 3):  # killed before it is done, or not
                try:
                    process.wait(timeout=draw.uniform(0.3, 0.8) * self.seconds)
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                if not (self.directory(name) / "events.db").exists():
                    shutil.rmtree(self.root / name, ignore_errors=True)
                    process = self.start(name, *self.OPTIONS).process
                else:
                    process = command("resume", self.directory(name))
            process.communicate(timeout=120)
            code, out, err = finished("resume", self.directory(name))
            self.assertEqual(code, 0, err)
            self.assertIn("does not reproduce this run", out)
            results = self.results(name)
            manifest = json.loads(results["manifest.json"])
            self.assertEqual(manifest["gather_quorum"], 0.3)
            self.assertGreater(manifest["late_reports"], 0)
            # Now from the log alone.
            shutil.rmtree(self.directory(name) / "kb")
            shutil.rmtree(self.directory(name) / "strategies")
            (self.directory(name) / "report.md").unlink()
            code, _, err = finished("resume", self.directory(name))
            self.assertEqual(code, 0, err)
            self.assertEqual(self.results(name), results)


class OtherTroubles(Case):
    def test_threads_change_no_byte(self):
        for threads in (1, 2, 5):
            name = f"threads-{threads}"
            code, _, err = self.start(
                name, "--set", f"run.threads={threads}").wait_for()
            self.assertEqual(code, 0, err)
            self.assert_same_results(name)

    def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(self):
        process = self.start("stopped").process
        wait_until("it has begun",
                   (self.directory("stopped") / "events.db").exists)
        time.sleep(self.seconds / 2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the run was over before it could be stopped")
        self.assertEqual(process.returncode, 130)
        self.assertIn("brewery resume", err)
        code, _, err = finished("resume", self.directory("stopped"))
        self.assertEqual(code, 0, err)
        self.assert_same_results("stopped")

    def test_a_finished_run_is_only_reported_again(self):
        before = files_below(self.directory("reference") / "kb")
        code, out, err = finished("resume", self.directory("reference"))
        self.assertEqual(code, 0, err)
        self.assertIn("learned, mcts", out)
        self.assertEqual(files_below(self.directory("reference") / "kb"), before)

    def test_an_existing_run_directory_is_refused(self):
        code, _, err = self.start("reference").wait_for()
        self.assertEqual(code, 1)
        self.assertEqual(err.count("\n"), 1)
        self.assertIn("exists", err)

    def test_a_run_in_use_is_refused(self):
        process = self.start("busy").process
        lock = self.directory("busy") / "lock"
        while not (lock.exists() and lock.read_text()):
            if process.poll() is not None:
                self.fail(process.communicate()[1])
        code, _, err = finished("resume", self.directory("busy"))
        if process.poll() is None:
            self.assertEqual(code, 1)
            self.assertIn(str(process.pid), err)
        self.assertEqual(process.wait(timeout=60), 0)
        process.communicate()

    def damaged(self, name, statement):
        shutil.copytree(self.directory("reference"), self.directory(name))
        database = sqlite3.connect(self.directory(name) / "events.db")
        for trigger, in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute(statement)
        database.commit()
        database.close()
        return finished("resume", self.directory(name))

    def test_a_corrupt_log_is_named_and_not_used(self):
        code, _, err = self.damaged(
            "corrupt", "UPDATE events SET payload = x'00' WHERE seq = 9")
        self.assertEqual(code, 1)
        self.assertIn("events.db", err)

    def test_a_log_of_a_newer_version_is_refused(self):
        code, _, err = self.damaged(
            "newer", "UPDATE meta SET value = '999' WHERE key LIKE '%schema%'")
        self.assertEqual(code, 1)
        self.assertIn("999", err)

    def run_within(self, limit, name):
        # A file size limit is the full disk that needs no privilege.
        import resource
        return subprocess.run(
            [BREWERY, "run", str(self.config), "--id", "run", "--quiet",
             "--set", f"run.runs_dir={self.root / name}"],
            env=clean_environment(), text=True, capture_output=True,
            timeout=60,
            preexec_fn=lambda: (
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))

    def test_a_start_on_a_full_disk_leaves_the_id_free(self):
        # The first does not hold the configuration, the second not the log.
        for limit in (100, 16_000):
            process = self.run_within(limit, "start")
            self.assertEqual(process.returncode, 1, process.stderr)
            self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
            self.assertEqual(list((self.root / "start").iterdir()), [])
        code, _, err = self.start("start").wait_for()
        self.assertEqual(code, 0, err)

    def test_a_full_disk_loses_nothing_acknowledged(self):
        process = self.run_within(300_000, "full")
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn("brewery resume", process.stderr)
        code, _, err = finished("resume", self.directory("full"))
        self.assertEqual(code, 0, err)
        self.assert_same_results("full")

    def test_a_configuration_changed_after_the_start_is_refused(self):
        shutil.copytree(self.directory("reference"), self.directory("changed"))
        config = self.directory("changed") / "config.toml"
        config.write_text(config.read_text().replace("seed = 7", "seed = 8"))
        code, _, err = finished("resume", self.directory("changed"))
        self.assertEqual(code, 1)
        self.assertIn("the log contradicts", err)


if __name__ == "__main__":
    BREWERY = sys.argv.pop(1)
    unittest.main(verbosity=2)
