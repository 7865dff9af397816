#!/usr/bin/env python3
"""Spreadsheets played by one worker and graded by another, with the real
services.

  grader_test.py PATH_OF_BREWERY [unittest arguments]

Exit status 77, with what is missing, where a service does not work.
"""

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.cluster import Process, result_keys
from support.program import CommandCase, main, wait_until
from support.spreadsheets import TASKS, below, services_lacking


ENVIRONMENT = """
[environment]
kind = "spreadsheet"
data = "{tasks}"
eval_split = "eval"
max_test_tasks = 8
[environment.spreadsheet]
train_tasks = 5
eval_tasks = 2
metric = "hard"
"""
RUN = ENVIRONMENT + """
[agent]
kind = "scripted"
script = "{tasks}/cells"
[search]
strategies = []
[eval]
test_trials = 1
"""
PLAYS = ("--roles", "rollout,integrate,embed,memory", "--slots", "3")
GRADES = ("--roles", "grade")


class Apart(CommandCase):
    def setUp(self):
        super().setUp()
        # Kernels have users of their own, who pass through here.
        self.at.chmod(0o711)
        self.processes = []
        self.addCleanup(self.stop)
        self.address = f"ipc://{self.at}/socket"
        self.inputs = self.at / "inputs"
        shutil.copytree(TASKS, self.inputs)
        for golden in self.inputs.rglob("*_answer.xlsx"):
            golden.unlink()
        (self.at / "a.toml").write_text(RUN.format(tasks=TASKS))

    def stop(self):
        for process in reversed(self.processes):
            process.kill()

    def process(self, name, *words):
        temporary = self.at / f"{name}.tmp"
        temporary.mkdir(mode=0o711, exist_ok=True)
        process = Process(self.program, words, self.at / f"{name}.log",
                          env={"TMPDIR": str(temporary)})
        self.processes.append(process)
        return process

    def coordinator(self):
        process = self.process(
            "coordinator", "coordinator", "--runs-dir", self.at / "runs",
            "--listen", self.address, "--env", f"spreadsheet={TASKS}",
            "--set", "cluster.lease_ms=2000")
        wait_until("the coordinator listens",
                   lambda: "listening on" in process.said())
        return process

    def worker(self, name, data, *words):
        offer = self.at / f"{name}.toml"
        offer.write_text(ENVIRONMENT.format(tasks=data))
        process = self.process(
            name, "worker", "--connect", self.address, "--env",
            f"spreadsheet={offer}", "--name", name, "--no-spool", "--grace",
            "1", *words)
        wait_until(f"worker {name} has its data",
                   lambda: "connects to" in process.said()
                   or not process.alive())
        return process

    def order(self, *words):
        return self.ok(*words, "--connect", self.address)

    def finished(self, run):
        return (self.at / "runs" / run / "report.md").exists()

    def in_log(self, run):
        return len(result_keys(self.at / "runs" / run))

    def test_grades_come_from_another_worker_whoever_is_killed(self):
        coordinator = self.coordinator()
        player = self.worker("player", self.inputs, *PLAYS)
        self.order("submit", self.at / "a.toml", "--id", "apart")
        wait_until("a rollout waits for its grade", lambda: "grade jobs wait"
                   in self.order("status", "--json"), limit=120, every=0.2)
        self.assertEqual(self.in_log("apart"), 0)
        # Who hands out jobs keeps no office and no kernels for them.
        self.assertEqual(below(coordinator.process.pid), {})
        grader = self.worker("grader", TASKS, *GRADES)
        wait_until("there are grades", lambda: self.in_log("apart") > 3,
                   limit=120)
        # Each side has what it is for, and nothing else.
        plays, grades = (" ".join(below(one.process.pid).values())
                         for one in (player, grader))
        self.assertIn("kernel_host.py", plays)
        self.assertNotIn("grade_server.py", plays)
        self.assertIn("grade_server.py", grades)
        self.assertNotIn("kernel_host.py", grades)
        grader.kill()
        self.worker("second", TASKS, *GRADES)
        before = self.in_log("apart")
        wait_until("grades go on", lambda: self.in_log("apart") > before + 3,
                   limit=120)
        coordinator.kill()
        self.coordinator()
        wait_until("the run is finished", lambda: self.finished("apart"),
                   limit=240, every=0.1)
        keys = result_keys(self.at / "runs" / "apart")
        self.assertEqual(len(keys), len(set(keys)))
        self.check_like_a_run_in_one_process()

    def check_like_a_run_in_one_process(self):
        out = self.ok("run", "a.toml", "--id", "whole", "--json")
        for arm in json.loads(out.splitlines()[-1])["arms"]:
            self.assertEqual((arm["success"], arm["ungraded"]), (1, 0), arm)
        reports = [self.scores(run) for run in ("apart", "whole")]
        self.assertEqual(*reports)

    def scores(self, run):
        """The lines of a report that hold scores of the sealed split."""
        text = (self.at / "runs" / run / "report.md").read_text()
        lines = [line for line in text.splitlines()
                 if line.startswith("no KB ")]
        self.assertGreater(len(lines), 1, text)
        return lines

    def test_a_worker_that_may_grade_needs_the_goldens(self):
        self.coordinator()
        worker = self.worker("both", self.inputs)
        worker.process.wait(timeout=60)
        self.assertEqual(worker.process.returncode, 2, worker.said())
        self.assertIn("a worker that only plays takes --roles "
                      "rollout,integrate,embed,memory", worker.said())

    def test_a_grader_with_other_goldens_is_not_asked(self):
        other = self.at / "other"
        shutil.copytree(TASKS, other)
        golden = next(iter(sorted(other.rglob("1_*_answer.xlsx"))))
        golden.write_bytes(next(iter(sorted(
            other.rglob("1_*_input.xlsx")))).read_bytes())
        self.coordinator()
        self.worker("player", self.inputs, *PLAYS)
        self.worker("other", other, *GRADES)
        self.order("submit", self.at / "a.toml", "--id", "a")
        wait_until("grades wait for who has the goldens",
                   lambda: "no worker offers spreadsheet goldens with the data "
                   "of this run; with other data: 1"
                   in self.order("status", "--json"), limit=120, every=0.2)
        self.assertEqual(self.in_log("a"), 0)


if __name__ == "__main__":
    main(services_lacking)
