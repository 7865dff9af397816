#!/usr/bin/env python3
"""A memory in a child process as an arm of a run: what it is told and asked, and
what becomes of one that is late, talks nonsense or is another.

  memory_port_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.log_reader import unpacked, unzipped
from support.program import TOY, CommandCase, main, wait_until

# Finds the texts that share most words with the query.
CHILD = """
import json, os, sys, time
mode, seen = sys.argv[1], open(sys.argv[2], "a")
texts = []
for line in sys.stdin:
    asked = json.loads(line)
    seen.write(json.dumps({**asked, "pid": os.getpid(),
                           "has": sorted(os.environ)}) + "\\n")
    seen.flush()
    op, out = asked["op"], {}
    if op == "hello":
        begun = open(sys.argv[2]).read().count('"hello"')
        newer = mode == "newer" or mode == "upgraded" and begun == 2
        out = {"name": "wordy", "version": "2" if newer else "1"}
    elif op == "ingest":
        texts += asked["texts"]
    elif op == "search":
        if mode == "late":
            time.sleep(600)
        if mode == "nonsense":
            print("no JSON", flush=True)
            continue
        if mode == "broken":
            print(json.dumps({"id": asked["id"], "error": {
                "message": "the graph is locked"}}), flush=True)
            continue
        words = set(asked["query"].split())
        texts.sort(key=lambda one: (-len(words & set(one.split())), one))
        out = {"texts": texts[:asked["limit"]]}
    print(json.dumps({"id": asked["id"], "result": out}), flush=True)
"""


class MemoryPort(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "child.py").write_text(CHILD)

    def options(self, mode, *more):
        settings = ["search.strategies=[]", 'eval.baselines=["memory-port"]',
                    f'memory_port.command=["python3", "child.py", "{mode}", '
                    '"seen"]', 'memory_port.package="wordy 1"', *more]
        return [word for one in settings for word in ("--set", one)]

    def run_with(self, mode, *more):
        return self.brewery("run", "toy.toml", "--id", mode, "--json",
                            *self.options(mode, *more),
                            variables={"SECRET": "s3cr3t", "SHOWN": "yes"})

    def requests(self):
        return [json.loads(line) for line in
                (self.at / "seen").read_text().splitlines()]

    def gone(self, pid):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    def test_a_memory_is_told_all_and_asked_once_about_each_task(self):
        done = self.run_with("good", 'memory_port.pass_env=["SHOWN"]',
                             "memory_port.hits=4")
        self.assertEqual(done.returncode, 0, done.stderr)
        arms = {arm["name"]: arm for arm in
                json.loads(done.stdout.splitlines()[-1])["arms"]}
        name = "memory-port (wordy 1)"
        self.assertGreater(arms[name]["success"], arms["no KB"]["success"])
        asked = self.requests()
        # The first hello is before the run is written.
        self.assertEqual([one["op"] for one in asked[:3]],
                         ["hello", "hello", "ingest"])
        self.assertEqual(asked[-1]["op"], "close")
        # What it may ask of models is not counted, and not said to be nothing.
        report = (self.at / "runs/good/report.md").read_text()
        self.assertIn(f'| not counted | what the package of "{name}"', report)
        self.assertNotIn("No language model took part", report)
        searches = [one for one in asked if one["op"] == "search"]
        self.assertEqual(len(searches),
                         len({one["query"] for one in searches}))
        self.assertIn("SHOWN", asked[0]["has"])
        self.assertNotIn("SECRET", asked[0]["has"])
        self.assertTrue(self.gone(asked[0]["pid"]))
        # What it answered is on record: it is not asked again.
        with sqlite3.connect(self.at / "runs/good/events.db") as log:
            payload, = log.execute("select payload from events where kind = "
                                   "'memory_recall'").fetchone()
            arm, = log.execute("select payload from events where kind = "
                               "'evaluation_record' and key = ?",
                               (name,)).fetchone()
        hits = {one["text"] for one in unpacked(unzipped(payload))["texts"]
                if one["name"] == "hit"}
        self.assertTrue(hits)
        (self.at / "seen").unlink()
        again = self.ok("resume", "good", "--json")
        self.assertEqual({one["name"]: one for one in json.loads(
            again.splitlines()[-1])["arms"]}, arms)
        self.assertFalse((self.at / "seen").exists())
        task = unpacked(unzipped(arm))["tasks"][0]
        shown = json.loads(self.ok("rollout", "show", "good", task, "--arm",
                                   name, "--json"))
        self.assertTrue(shown["rollout"]["retrievals"])

    def test_what_is_wrong_with_a_memory_is_one_line_and_no_process_stays(self):
        for mode, words in (
                ("late", "search: no answer within 300 ms; it was killed"),
                ("nonsense", "its output is not a reply"),
                ("broken", "the graph is locked"),
                ("newer", 'it is "wordy 2", not "wordy 1"')):
            began = time.monotonic()
            limit_ms = 300 if mode == "late" else 60_000
            done = self.run_with(mode,
                                 f"memory_port.search_timeout_ms={limit_ms}")
            self.assertNotEqual(done.returncode, 0, mode)
            self.assertIn(words, done.stderr)
            self.assertIn("memory_port", done.stderr)
            self.assertLess(time.monotonic() - began, 300, mode)
            self.assertTrue(self.gone(self.requests()[-1]["pid"]), mode)

    def test_another_package_is_refused_before_a_run_is_written(self):
        done = self.run_with("newer")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("set it to what it says", done.stderr)
        self.assertFalse((self.at / "runs/newer").exists())

    def test_a_package_that_changes_under_a_run_is_refused_with_a_way_on(self):
        done = self.run_with("upgraded")  # the second start is of version 2
        self.assertNotEqual(done.returncode, 0, done.stderr)
        self.assertIn("start that package again and resume", done.stderr)
        self.ok("resume", "upgraded")

    def test_a_deep_check_starts_a_memory_and_asks_who_it_is(self):
        for mode, code in (("good", 0), ("newer", 2)):
            done = self.brewery("config", "check", "toy.toml", "--deep",
                                *self.options(mode))
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(code != 0, 'it is "wordy 2"' in done.stderr)
            self.assertEqual(self.requests()[-1]["op"], "hello")
            self.assertTrue(self.gone(self.requests()[-1]["pid"]))

    def test_ctrl_c_ends_a_memory_that_thinks(self):
        begun = self.start("run", "toy.toml", "--id", "late",
                           *self.options("late"))
        self.addCleanup(begun.kill)
        seen = self.at / "seen"
        wait_until("a search", lambda: seen.exists()
                   and '"op": "search"' in seen.read_text())
        begun.send_signal(signal.SIGINT)
        # Less than the ten minutes that the search takes.
        _, said = begun.communicate(timeout=300)
        self.assertEqual(begun.returncode, 130, said)
        self.assertIn("brewery resume", said)
        self.assertTrue(self.gone(self.requests()[-1]["pid"]))


if __name__ == "__main__":
    main()
