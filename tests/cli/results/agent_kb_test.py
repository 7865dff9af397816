#!/usr/bin/env python3
"""Agent KB as the learner of a run: what it leaves, and that a killed run ends
like an undisturbed one.

  agent_kb_test.py PATH_OF_BREWERY [unittest arguments]

BREWERY_KILLS sets the number of seeded kills (default 3). Runs that are killed
have 1, 2 and 8 threads and 2 worker processes in turn.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.page_server import ask, page_of
from support.program import TOY, CommandCase, files_below, main

WIDTHS = ("run.threads=1", "run.threads=2", "run.threads=8", "run.workers=2")
AGENT_KB = TOY.replace("[search]", """[agent_kb]
rounds = 1
compare = ["planning", "retry"]
[search]
learner = "agent_kb"
""")


class AgentKb(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "agent_kb.toml").write_text(AGENT_KB)

    def play(self, run, *words):
        said = self.ok("run", "agent_kb.toml", "--id", run, "--json", *words)
        return json.loads(said.splitlines()[-1])

    def rows(self, run, kind):
        log = self.at / "runs" / run / "events.db"
        with sqlite3.connect(f"file:{log}?mode=ro", uri=True) as database:
            return database.execute(
                "SELECT key, payload FROM events WHERE kind = ? ORDER BY key",
                (kind,)).fetchall()

    def test_a_run_has_arms_with_their_costs_and_documents(self):
        said = self.play("first")
        arms = {arm["name"]: arm for arm in said["arms"]}
        self.assertEqual(list(arms), ["no KB", "learned, agent_kb",
                                      "agent_kb, planning", "agent_kb, retry"])
        learned = arms["learned, agent_kb"]
        self.assertGreater(learned["success"],
                           arms["agent_kb, retry"]["success"] + 0.2)
        tasks = learned["tasks"]
        self.assertEqual(learned["counts"]["attempts"], 4 * tasks)
        self.assertEqual(arms["agent_kb, planning"]["counts"]["attempts"],
                         2 * tasks)
        self.assertEqual([key for key, _ in self.rows("first",
                                                      "memory_record")],
                         ["agent_kb/barrier 0", "agent_kb/barrier 1"])
        documents = files_below(self.at / "runs/first/kb")
        experiences = [text for name, text in documents.items()
                       if name.endswith(".md") and b"## Steps" in text]
        self.assertTrue(experiences)
        # The stored result is the same, and so is the report's table.
        again = json.loads(
            self.ok("resume", "first", "--json").splitlines()[-1])
        self.assertEqual(again["arms"], said["arms"])
        report = (self.at / "runs/first/report.md").read_text()
        self.assertIn("learned, agent_kb", report)

    def test_an_attempt_has_its_trial_of_the_arm_on_page_and_command_line(self):
        self.play("first")
        with page_of(self.program, self.at / "runs") as page:
            rollouts = json.loads(ask(
                page, "/api/runs/first/rollouts?limit=1000"
                      "&arm=learned,%20agent_kb")[2])["items"]
        trials = {}
        for one in rollouts:
            trials.setdefault(one["task"], set()).add(one["trial"])
        for task, some in trials.items():
            self.assertEqual(some, set(range(len(some))), task)
        for one in rollouts[:4]:
            for words in ([one["id"][:12]],
                          [one["task"], "--trial", str(one["trial"] + 1)]):
                shown = json.loads(self.ok("rollout", "show", "first", *words,
                                           "--json"))["rollout"]
                self.assertEqual((shown["id"], shown["trial"]),
                                 (one["id"], one["trial"]))

    def test_it_has_no_trees_and_no_figures_of_them(self):
        self.play("first")
        self.assertEqual(self.ok("tree", "first"),
                         "Agent KB searches no tree; `brewery kb list first` "
                         "shows its documents\n")
        done = self.brewery("tree", "first", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("searches no tree", done.stderr)
        rows = self.ok("kb", "list", "first").splitlines()
        self.assertRegex(rows[1], r"^\d\d( +-){6} +\S")

    def left_by(self, run):
        """Records of the memory and of arms, documents, and the report without
        what it took."""
        texts = {name: text.replace(run.encode(), b"RUN") for name, text
                 in files_below(self.at / "runs" / run / "kb").items()
                 if name.endswith(".md")}
        report = (self.at / "runs" / run / "report.md").read_text()
        return (self.rows(run, "memory_record"),
                self.rows(run, "evaluation_record"), texts,
                [line for line in report.splitlines() if "agent_kb" in line])

    def test_a_run_killed_at_any_moment_ends_like_an_undisturbed_one(self):
        began = time.monotonic()
        self.play("whole")
        seconds = time.monotonic() - began
        whole = self.left_by("whole")
        draw = random.Random(14)
        kills = int(os.environ.get("BREWERY_KILLS", "3"))
        done = played = 0
        # Every width has its turn, however few kills meet a run.
        while done < kills or played < len(WIDTHS):
            run, width = f"killed-{played}", WIDTHS[played % len(WIDTHS)]
            played += 1
            process = self.start("run", "agent_kb.toml", "--id", run,
                                 "--quiet", "--set", width)
            for _ in range(3):
                try:
                    process.wait(timeout=draw.uniform(0.02, seconds))
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    done += 1
                process.communicate()
                if (self.at / "runs" / run / "events.db").exists():
                    process = self.start("resume", run)
                else:
                    shutil.rmtree(self.at / "runs" / run, ignore_errors=True)
                    process = self.start("run", "agent_kb.toml", "--id", run,
                                         "--quiet", "--set", width)
            _, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, err)
            self.assertEqual(self.left_by(run), whole, width)
            shutil.rmtree(self.at / "runs" / run)

    def test_a_memory_begins_with_documents_of_any_run(self):
        self.ok("run", "toy.toml", "--id", "brew", "--quiet",
                "--set", "search.strategies=[\"mcts\"]")
        self.play("first")
        for source in ("brew", "first"):
            self.play(f"from-{source}", "--set", "agent_kb.rounds=0",
                      "--set", f"agent_kb.start_from=runs/{source}/kb")
            titles = self.ok("kb", "list", f"from-{source}")
            for line in self.ok("kb", "list", source).splitlines()[2:4]:
                self.assertIn(line.split("  ")[-1].strip(), titles)

    def test_an_oracle_is_named_in_every_table(self):
        said = self.play("told", "--set", "search.learner=agent_kb_oracle")
        self.assertEqual([arm["name"] for arm in said["arms"]][1:],
                         ["learned, agent_kb_oracle",
                          "agent_kb_oracle, planning",
                          "agent_kb_oracle, retry"])

    def test_what_does_not_fit_is_refused_before_a_run(self):
        for option, part in (("eval.leave_one_out=true", "left out"),
                             ("search.learner=mcts", "agent_kb_oracle")):
            done = self.brewery("run", "agent_kb.toml", "--set", option)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    main()
