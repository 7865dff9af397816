#!/usr/bin/env python3
"""Memories beside BREW's as arms of a run: what they write, that a kill changes
nothing, and what becomes of replies that are no use.

  comparators_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.log_reader import unpacked, unzipped
from support.model_case import CONFIG, SAYS_NO, ModelCase
from support.program import TOY, CommandCase, main

ARMS = ("a-mem-mechanism", "cognee-mechanism")
LISTED = 'eval.baselines=["a-mem-mechanism", "cognee-mechanism"]'
ONLY_ARMS = ("--set", "search.strategies=[]", "--set", LISTED)


def memories(run):
    """By comparator, the hashes of its documents, from the log."""
    with sqlite3.connect(run / "events.db") as log:
        rows = log.execute("select payload from events where kind = "
                           "'memory_record'").fetchall()
    records = [unpacked(unzipped(payload)) for payload, in rows]
    return {record["learner"]: record["entries"] for record in records}


class Procedural(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)

    def learn(self, name, *options):
        return self.start("run", "toy.toml", "--id", name, *ONLY_ARMS, *options)

    def finished(self, name, *options):
        process = self.learn(name, "--json", *options)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        return {arm["name"]: arm for arm in
                json.loads(out.splitlines()[-1])["arms"]}

    def test_memories_help_and_their_attempts_are_shown(self):
        arms = self.finished("one")
        for name in ARMS:
            self.assertGreater(arms[name]["success"], arms["no KB"]["success"])
            self.assertGreater(len(memories(self.at / "runs/one")[name]), 3)
            self.assertIn("\n" + name + " ",
                          (self.at / "runs/one/report.md").read_text())
        for name in ARMS:
            made = json.loads(self.ok("rollout", "show", "one",
                                      self.some_task(), "--arm", name,
                                      "--json"))
            self.assertTrue(made["rollout"]["retrievals"], name)
            known = set(memories(self.at / "runs/one")[name])
            for query in made["rollout"]["retrievals"]:
                self.assertLessEqual(set(query["documents"]), known)

    def some_task(self):
        with sqlite3.connect(self.at / "runs/one/events.db") as log:
            payload, = log.execute("select payload from events where kind = "
                                   "'evaluation_record' limit 1").fetchone()
        return unpacked(unzipped(payload))["tasks"][0]

    def test_a_kill_changes_no_memory_and_no_score(self):
        began = time.monotonic()
        whole = self.finished("whole", "--set", "run.threads=1")
        seconds = time.monotonic() - began
        draw = random.Random(43)
        for name, width in (("two", "run.threads=2"),
                            ("workers", "run.workers=2")):
            process = self.learn(name, "--set", width)
            for _ in range(3):
                try:
                    process.wait(timeout=draw.uniform(0.3, 1) * seconds)
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                process.communicate()
                if not (self.at / "runs" / name / "events.db").exists():
                    process = self.learn(name, "--set", width)
                else:
                    process = self.start("resume", name)
            _, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, err)
            self.assertEqual(memories(self.at / "runs" / name),
                             memories(self.at / "runs/whole"))
            shown = json.loads(
                self.ok("resume", name, "--json").splitlines()[-1])
            self.assertEqual({arm["name"]: arm for arm in shown["arms"]}, whole)


class OnAModel(ModelCase):
    config = CONFIG + '[memory]\nkind = "llm"\nmodel = "large"\n'

    def asked(self):
        return [request for request in self.model.requests
                if request.get("response_format", {}).get(
                    "json_schema", {}).get("name") == "memory"]

    def test_notes_and_triplets_are_a_models_and_nonsense_leaves_them_out(self):
        trials = ("--set", "search.initial_trials=2")
        made = self.result_of("run", "c.toml", "--id", "one", *ONLY_ARMS,
                              *trials)
        self.assertEqual([arm["name"] for arm in made["arms"]], ["no KB", *ARMS])
        # Two attempts at each of four tasks: a note and triplets of each, and
        # links of all notes but the first.
        self.assertEqual(len(self.asked()), 8 + 8 + 7)
        kept = memories(self.at / "runs/one")
        self.assertTrue(all(kept[name] for name in ARMS), kept)
        self.model.change = self.nonsense
        self.model.requests.clear()
        made = self.result_of("run", "c.toml", "--id", "two", *ONLY_ARMS,
                              *trials)
        self.assertEqual(memories(self.at / "runs/two"),
                         {name: [] for name in ARMS})
        refused = [note for note in made["replies"] if note["role"] == "memory"]
        self.assertTrue(refused, made["replies"])
        arms = {arm["name"]: arm["success"] for arm in made["arms"]}
        self.assertEqual(arms[ARMS[0]], arms["no KB"])

    @staticmethod
    def nonsense(asked, answer):
        name = asked.get("response_format", {}).get(
            "json_schema", {}).get("name")
        if name == "memory":
            answer["choices"][0]["message"]["content"] = (
                SAYS_NO if len(json.dumps(asked)) % 2
                else '{"summary": "' + "x" * 100_000 + '"}')
        return answer


if __name__ == "__main__":
    main()
