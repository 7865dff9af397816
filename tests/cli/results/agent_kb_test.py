#!/usr/bin/env python3
"""Agent KB as the learner of a run: what it leaves, and that a killed run ends
like an undisturbed one.

  agent_kb_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.program import TOY, CommandCase, files_below, main, wait_until

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

    def test_a_killed_run_ends_like_an_undisturbed_one(self):
        self.play("whole")
        for run, results in (("early", 40), ("late", 350)):
            process = self.start("run", "agent_kb.toml", "--id", run,
                                 "--quiet")
            wait_until(f"{results} results", lambda: process.poll() is not None
                       or (self.at / "runs" / run / "events.db").exists()
                       and len(self.rows(run, "job_result")) >= results)
            process.kill()
            process.communicate()
            self.ok("resume", run)
            for kind in ("memory_record", "evaluation_record"):
                self.assertEqual(self.rows(run, kind),
                                 self.rows("whole", kind), run)
            mine = files_below(self.at / "runs" / run / "kb")
            others = files_below(self.at / "runs/whole/kb")
            self.assertEqual(mine.keys(), others.keys())
            for name in mine:
                if name.endswith(".md"):
                    self.assertEqual(mine[name].replace(run.encode(), b"whole"),
                                     others[name], name)

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
