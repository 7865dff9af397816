#!/usr/bin/env python3
"""Runs of the built `brewery` that reuse rollouts.

  reuse_test.py PATH_OF_BREWERY [unittest arguments]

The rule throughout: documents, manifests and scores are those of a run that
plays every rollout, byte for byte. BREWERY_TEST_DATA names a folder with a
checkout of tau2-bench; without it the official tasks are left out.
"""

import json
import os
import random
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.program import SOURCE, ScratchCase, clean_environment, files_below

BREWERY = ""
REUSE = ("--set", "economy.reuse=run")


def command(*words):
    return subprocess.Popen([BREWERY, *map(str, words)],
                            env=clean_environment(), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Case(ScratchCase):
    def finished(self, *words, limit=300):
        process = command(*words)
        out, err = process.communicate(timeout=limit)
        self.assertEqual(process.returncode, 0, err)
        return out

    def start(self, name, *options, config=None):
        return command("run", config or self.config, "--id", "run", "--json",
                       "--set", f"run.runs_dir={self.root / name}", *options)

    def run_to_end(self, name, *options, config=None):
        """Its results, and what its last line says."""
        out, err = self.start(name, *options,
                              config=config).communicate(timeout=300)
        lines = [line for line in out.splitlines() if '"result"' in line]
        self.assertEqual(len(lines), 1, err)
        return self.results(name), json.loads(lines[0])

    def directory(self, name):
        return self.root / name / "run"

    def results(self, name):
        return {**files_below(self.directory(name) / "kb"),
                **{"strategies/" + k: v for k, v in
                   files_below(self.directory(name) / "strategies").items()}}

    def assert_same(self, got, expected):
        self.assertEqual(got.keys(), expected.keys())
        for file, content in got.items():
            self.assertEqual(content, expected[file], file)

    def killed(self, *options, runs, seed):
        """Runs that are killed and go on up to three times: the name and the
        last line of each."""
        draw = random.Random(seed)
        for number in range(runs):
            name = f"killed-{seed}-{number}"
            process = self.start(name, *options)
            for _ in range(draw.randint(1, 3)):
                try:
                    process.wait(timeout=draw.uniform(0.1, 1.5))
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                known = (self.directory(name) / "events.db").exists()
                process = (command("resume", self.directory(name), "--json")
                           if known else self.start(name + "b", *options))
                name += "" if known else "b"
            out, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, err)
            yield name, json.loads(out.splitlines()[-1])


class ReusedRollouts(Case):
    def test_it_changes_no_byte_of_what_is_learned(self):
        expected, plain = self.run_to_end("plain")
        self.assertNotIn("reuse", plain)
        for options in ((), ("--set", "run.threads=1"),
                        ("--set", "run.workers=2")):
            name = "reused" + "".join(options[1:])
            got, saved = self.run_to_end(name, *REUSE, *options)
            self.assert_same(got, expected)
            self.assertEqual(saved["arms"], plain["arms"])
            self.assertEqual(saved["rollouts"], plain["rollouts"])
            self.assertGreater(saved["reuse"]["reused"],
                               0.2 * saved["rollouts"])
            self.assertEqual(saved["reuse"]["wrong"], 0)

    def test_all_that_could_be_reused_is_audited_and_equal(self):
        expected, _ = self.run_to_end("not-audited", *REUSE)
        got, audited = self.run_to_end("audited", *REUSE,
                                       "--set", "economy.audit_reuse=1")
        self.assert_same(got, expected)
        self.assertEqual(audited["reuse"]["reused"], 0)
        self.assertGreater(audited["reuse"]["checked"], 0)
        self.assertEqual(audited["reuse"]["wrong"], 0)

    def test_the_report_and_a_finished_run_say_what_was_reused(self):
        _, saved = self.run_to_end("told", *REUSE,
                                   "--set", "economy.audit_reuse=0.2")
        reuse = saved["reuse"]
        said = (f"{reuse['reused']} of {saved['rollouts']} rollouts (",
                f"{reuse['checked']} played all the same, of which none "
                "differs")
        again = self.finished("resume", self.directory("told"))
        report = (self.directory("told") / "report.md").read_text()
        for text in said:
            self.assertIn(text, again)
            self.assertIn(text, report)
        for text in (again, report):
            self.assertIn(" of a worker, as those that were played took", text)
        # What cannot be reused with another retrieval can be asked for with it.
        for words in (("kb", "search", self.directory("told"),
                       "the light and the fan", "--kind", "hybrid"),
                      ("eval", self.directory("told"), "--trials", 1,
                       "--set", "retrieval.kind=hybrid", "--quiet")):
            self.finished(*words)

    def test_killed_runs_end_with_the_same_bytes(self):
        expected, plain = self.run_to_end("undisturbed")
        for name, last in self.killed(*REUSE, runs=8, seed=27):
            self.assert_same(self.results(name), expected)
            self.assertEqual(last["arms"], plain["arms"])


class OtherTasks(Case):
    SMALL = ("--set", "search.iterations=1", "--set", "search.initial_trials=8",
             "--set", "eval.test_trials=1",
             "--set", "environment.max_test_tasks=10")

    def compare(self, what, config, *options, least):
        expected, plain = self.run_to_end(f"plain-{what}", *options,
                                          config=config)
        got, saved = self.run_to_end(f"reused-{what}", *options, *REUSE,
                                     "--set", "economy.audit_reuse=0.1",
                                     config=config)
        self.assert_same(got, expected)
        self.assertEqual(saved["arms"], plain["arms"])
        self.assertGreater(saved["reuse"]["reused"], least * saved["rollouts"])
        self.assertGreater(saved["reuse"]["checked"], 0)
        self.assertEqual(saved["reuse"]["wrong"], 0)

    def test_the_telecom_example(self):
        self.compare("example", SOURCE / "config/telecom-example.toml",
                     *self.SMALL, least=0.1)

    @unittest.skipUnless(os.environ.get("BREWERY_TEST_DATA"), "no data")
    def test_official_tasks(self):
        data = Path(os.environ["BREWERY_TEST_DATA"]) / "tau2-bench"
        self.compare("official", SOURCE / "config/tau2-telecom.toml",
                     *self.SMALL, "--set", f"environment.data={data}",
                     least=0.05)


class Refused(Case):
    def refusal(self, *options):
        process = command("run", self.config, *options)
        _, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        return err

    def test_what_does_not_repeat_itself_is_refused(self):
        err = self.refusal(*REUSE, "--set", "agent.kind=llm",
                           "--set", "agent.model=some")
        self.assertIn("a model that draws does not repeat itself", err)
        err = self.refusal(*REUSE, "--set", "environment.kind=external")
        self.assertIn("a program of others", err)

    def test_nothing_is_audited_where_nothing_is_reused(self):
        err = self.refusal("--set", "economy.audit_reuse=0.1")
        self.assertIn("nothing is reused", err)


if __name__ == "__main__":
    BREWERY = sys.argv.pop(1)
    unittest.main()
