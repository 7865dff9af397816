#!/usr/bin/env python3
"""Runs of the built `brewery` that reuse rollouts of other runs.

  reuse_from_test.py PATH_OF_BREWERY [unittest arguments]

The rule throughout: documents, manifests and scores are those of a run that
plays every rollout, byte for byte, and a run's folder needs no other one to be
read.
"""

import contextlib
import json
import random
import signal
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.log_reader import events
from support.program import ScratchCase, clean_environment, files_below

BREWERY = ""
WIDE = ("--set", "search.max_width=5")
SWEEP = """base = "{base}"
seeds = [7, 8]
at_once = 1
[set]
search.iterations = 3
{more}
[grid]
search.max_width = [1, 3]
"""


def command(*words):
    return subprocess.Popen([BREWERY, *map(str, words)],
                            env=clean_environment(), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Case(ScratchCase):
    def ended(self, *words):
        process = command(*words)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        return out

    def words(self, name, *options):
        return ("run", self.config, "--id", name, "--json", "--set",
                f"run.runs_dir={self.root / 'runs'}", *options)

    def play(self, name, *options):
        """What the last line of a run says."""
        return json.loads(self.ended(*self.words(name, *options))
                          .splitlines()[-1])

    def run_of(self, name):
        return self.root / "runs" / name

    def has_results(self, name):
        with contextlib.closing(
                sqlite3.connect(self.run_of(name) / "events.db")) as log:
            try:
                return log.execute("SELECT count(*) FROM events WHERE kind = "
                                   "'job_result'").fetchone()[0] > 0
            except sqlite3.OperationalError:  # killed before it had tables
                return False

    def results(self, run):
        """Without the run's name, which is in manifests."""
        return {(part, file): text.replace(f'"run": "{run.name}"'.encode(), b"")
                for part in ("kb", "strategies")
                for file, text in files_below(run / part).items()}


class OtherRuns(Case):
    def setUp(self):
        if not hasattr(type(self), "plain"):
            self.play("first", "--set", "economy.reuse=run")
            type(self).plain = self.play("plain", *WIDE)

    def reused(self, name, *options):
        said = self.play(name, *WIDE, "--set", "economy.reuse=run", *options)
        self.assertEqual(self.results(self.run_of(name)),
                         self.results(self.run_of("plain")))
        self.assertEqual(said["arms"], self.plain["arms"])
        self.assertEqual(said["rollouts"], self.plain["rollouts"])
        self.assertEqual(said["reuse"]["wrong"], 0)
        return said["reuse"]

    def test_it_changes_no_byte_and_saves_more(self):
        own = self.reused("own")
        self.assertEqual(own["elsewhere"], 0)
        both = self.reused("both", "--set", "economy.reuse_from=first")
        self.assertGreater(both["elsewhere"], 0)
        self.assertGreater(both["reused"], own["reused"])
        # A chain: what stands in one run stands in the next.
        chain = self.reused("chain", "--set",
                            f"economy.reuse_from={self.run_of('both')}")
        self.assertGreaterEqual(chain["reused"], both["reused"])
        # All is there without the other runs, and is told.
        self.run_of("first").rename(self.root / "moved")
        again = self.ended("resume", self.run_of("both"))
        (self.root / "moved").rename(self.run_of("first"))
        text = f"({both['elsewhere']} of them in other runs)"
        self.assertIn(text, again)
        self.assertIn(text, (self.run_of("both") / "report.md").read_text())

    def test_of_an_equal_run_no_document_is_measured_again(self):
        self.play("equal", "--set", "economy.reuse=run", "--set",
                  "economy.reuse_from=first")
        run = self.run_of("equal")
        made = {job: answer["rollout"][0]
                for _, job, answer in events(run, "job_result")
                if answer.get("rollout")}
        arms = [one for _, _, record in events(run, "purpose_record")
                for one in record["purposes"]
                if one["what"] == "arm" and one["name"].startswith("learned")]
        self.assertEqual(len(arms), 2)
        for arm in arms:
            self.assertEqual([job for job in arm["jobs"]
                              if not made[job].get("reused_from")], [])

    def test_all_that_could_be_reused_is_audited_and_equal(self):
        audited = self.reused("audited", "--set", "economy.reuse_from=first",
                              "--set", "economy.audit_reuse=1")
        self.assertEqual(audited["reused"], 0)
        self.assertGreater(audited["checked"], 0)

    def test_killed_runs_end_with_the_same_bytes(self):
        draw = random.Random(47)
        for number in range(3):
            name = f"killed-{number}"
            process = command(
                "run", self.config, "--id", name, *WIDE, "--quiet", "--set",
                f"run.runs_dir={self.root / 'runs'}", "--set",
                "economy.reuse=run", "--set", "economy.reuse_from=first")
            try:
                process.wait(timeout=draw.uniform(0.1, 1.2))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.communicate()
            if not (self.run_of(name) / "events.db").exists():
                continue
            # The other run, by then: of a run that goes on.
            is_gone = number % 2 == 1 and self.has_results(name)
            if is_gone:
                self.run_of("first").rename(self.root / "moved")
            self.ended("resume", self.run_of(name), "--quiet")
            if is_gone:
                (self.root / "moved").rename(self.run_of("first"))
            self.assertEqual(self.results(self.run_of(name)),
                             self.results(self.run_of("plain")))

    def test_what_does_not_fit_is_refused_in_one_line(self):
        reuse = ("--set", "economy.reuse=run", "--set",
                 "economy.reuse_from=first")
        for options, why in (
                (("--set", "run.seed=8"), "its run.seed is 7"),
                (("--set", "retrieval.top_k=2"), "depend on"),
                (("--set", "economy.reuse_from=nowhere"), "nowhere"),
                (("--set", "economy.reuse=off"), "nothing is reused")):
            process = command(*self.words("refused", *reuse, *options))
            _, err = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0)
            lines = [line for line in err.splitlines() if line]
            self.assertEqual(len(lines), 1, err)
            self.assertIn(why, lines[0])
            self.assertFalse(self.run_of("refused").exists())


class Sweeps(Case):
    def setUp(self):
        if not (self.root / "plain").exists():
            self.finished(self.sweep("plain", ""))

    def sweep(self, name, more, *options):
        file = self.root / f"{name}.toml"
        file.write_text(SWEEP.format(base=self.config, more=more),
                        encoding="utf-8")
        return command("sweep", file, "--out", self.root / name, "--json",
                       *options)

    def finished(self, process):
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        return out

    def documents(self, name):
        return {run.name: self.results(run)
                for run in (self.root / name).iterdir() if run.is_dir()}

    def reused(self, name):
        """Rollouts of a sweep's runs that stand on others, and of these those
        that another run has played."""
        known = [json.loads(self.ended("resume", run, "--json")
                            .splitlines()[-1])["reuse"]
                 for run in sorted((self.root / name).iterdir())
                 if run.is_dir()]
        return (sum(one["reused"] for one in known),
                sum(one["elsewhere"] for one in known))

    def test_points_reuse_what_others_of_their_seed_have_played(self):
        self.finished(self.sweep("own", 'economy.reuse = "run"'))
        self.finished(self.sweep("all", 'economy.reuse = "sweep"'))
        self.assertEqual(self.documents("own"), self.documents("plain"))
        self.assertEqual(self.documents("all"), self.documents("plain"))
        own, others = self.reused("own")
        self.assertEqual(others, 0)
        both, others = self.reused("all")
        self.assertGreater(others, 0)
        self.assertGreater(both, own)

    def test_an_earlier_run_that_does_not_fit_is_refused_before_any_begins(self):
        # The first seed's fits, the second one's does not.
        process = self.sweep(
            "refused", 'economy.reuse = "run"\neconomy.reuse_from = '
            f'["{next((self.root / "plain").glob("*-s7"))}"]')
        _, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("its run.seed is 7, that of this run is 8", err)
        self.assertEqual(list((self.root / "refused").glob("*-s*")), [])

    def test_a_killed_sweep_ends_with_the_same_bytes(self):
        draw = random.Random(3)
        for number in range(2):
            process = self.sweep("killed", 'economy.reuse = "sweep"',
                                 *(["--resume"] if number else []))
            try:
                process.wait(timeout=draw.uniform(0.5, 2.5))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.communicate()
        self.finished(self.sweep("killed", 'economy.reuse = "sweep"',
                                 "--resume"))
        self.assertEqual(self.documents("killed"), self.documents("plain"))


if __name__ == "__main__":
    BREWERY = sys.argv.pop(1)
    unittest.main()
