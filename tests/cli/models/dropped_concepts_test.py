#!/usr/bin/env python3
"""A concept whose first document nobody can write drops out, and the search
goes on with the others: also after a kill, until an order lets it in. The model
is a script (model_script.py).

  dropped_concepts_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import re
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.cluster import Cluster
from support.model_case import CONFIG, SAYS_NO, ModelCase, documents, kind_of
from support.model_script import KEY, document
from support.program import main, wait_until


class Case(ModelCase):
    def setUp(self):
        super().setUp()
        self.model.change = self.write_and_refuse()
        self.whole = self.result_of("run", "c.toml", "--id", "whole")
        self.titles = self.titles_of("whole")
        self.assertGreater(len(self.titles), 1)
        self.lost = self.titles[0]

    def titles_of(self, run):
        return sorted(re.search("^# (.*)$", path.read_text(), re.M)[1]
                      for path in (self.at / "runs" / run / "kb").rglob("*.md"))

    def write_and_refuse(self, *titles, before=lambda asked: None):
        """Documents depend on no seed, so what is asked anew says the same;
        those of these titles are refused."""
        def change(asked, reply):
            before(asked)
            if kind_of(asked) == "document":
                lost = any(f"\n{title}\n" in asked["messages"][1]["content"]
                           for title in titles)
                reply["choices"][0]["message"]["content"] = (
                    SAYS_NO if lost else document({**asked, "seed": 0}))
            return reply
        return change

    def assert_dropped(self, result):
        self.assertEqual([one["title"] for one in result["dropped_concepts"]],
                         [self.lost])

    def test_what_is_left_is_searched_and_the_end_says_so(self):
        self.model.change = self.write_and_refuse(self.lost)
        done = self.brewery("run", "c.toml", "--id", "first")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = f'the concept "{self.lost}" dropped out without a first document'
        self.assertIn(line, done.stdout)
        self.assertIn(line, (self.at / "runs/first/report.md").read_text())
        self.assertIn("concept_dropped run=first", done.stderr)
        self.assertNotIn(self.lost, self.titles_of("first"))
        # Every task is still evaluated.
        [measured] = [arm for arm in self.result_of("resume", "first")["arms"]
                      if arm["name"].startswith("learned")]
        [expected] = [arm for arm in self.whole["arms"]
                      if arm["name"].startswith("learned")]
        self.assertEqual(measured["tasks"], expected["tasks"])

    def begin(self, before):
        """A run that is killed when the test is ready for it."""
        self.model.change = self.write_and_refuse(self.lost, before=before)
        return self.start("run", "c.toml", "--id", "cut", "--quiet")

    def kill_and_resume(self, process, go_on):
        process.send_signal(signal.SIGKILL)
        process.communicate()
        go_on.set()
        # It could be written now. But a run without a kill would not ask.
        self.model.change = self.write_and_refuse()
        self.assert_dropped(self.result_of("resume", "cut"))
        asked = self.model.count()
        self.assert_dropped(self.result_of("resume", "cut"))
        self.assertEqual(self.model.count(), asked)
        self.model.change = self.write_and_refuse(self.lost)
        self.result_of("run", "c.toml", "--id", "calm")
        self.assertEqual(documents(self.at / "runs/cut"),
                         documents(self.at / "runs/calm"))

    def test_killed_as_the_search_begins_it_goes_on_without_the_concept(self):
        out, go_on = threading.Event(), threading.Event()
        dropped = threading.Event()
        self.addCleanup(go_on.set)

        def hold(asked):
            # The initial rollouts are over.
            if dropped.is_set() and kind_of(asked) == "act":
                out.set()
                go_on.wait(60)
            if kind_of(asked) == "document" and SAYS_NO in json.dumps(asked):
                dropped.set()

        process = self.begin(hold)
        self.assertTrue(out.wait(120))
        self.kill_and_resume(process, go_on)

    def test_killed_before_that_is_decided_it_goes_on_alike(self):
        out, go_on = threading.Event(), threading.Event()
        self.addCleanup(go_on.set)

        def hold(asked):
            if (kind_of(asked) == "document" and f"\n{self.titles[1]}\n"
                    in asked["messages"][1]["content"]):
                out.set()
                go_on.wait(60)

        process = self.begin(hold)
        self.assertTrue(out.wait(120))
        wait_until("it is given up", lambda: "integrator" in self.brewery(
            "quarantine", "list", "cut", "--local").stdout, 60)
        self.kill_and_resume(process, go_on)

    def test_an_order_lets_the_concept_in_and_decides_all_anew(self):
        self.model.change = self.write_and_refuse(self.lost)
        self.result_of("run", "c.toml", "--id", "first")
        self.model.change = self.write_and_refuse()
        # Plain, a finished run stays as it is.
        self.assert_dropped(self.result_of("resume", "first"))
        self.assertIn("1 job will run again", self.ok(
            "quarantine", "retry", "first", "--local"))
        got = self.result_of("resume", "first")
        self.assertNotIn("dropped_concepts", got)
        self.assertNotIn("dropped out",
                         (self.at / "runs/first/report.md").read_text())
        self.assertEqual(documents(self.at / "runs/first"),
                         documents(self.at / "runs/whole"))

    def test_without_any_concept_the_run_says_so_and_can_go_on(self):
        self.model.change = self.write_and_refuse(*self.titles)
        done = self.brewery("run", "c.toml", "--id", "first", "--quiet")
        self.assertEqual(done.returncode, 1)
        [line] = [one for one in done.stderr.splitlines()
                  if one.startswith("brewery: ")]
        self.assertIn("no first document could be written, for "
                      f"{len(self.titles)} concepts", line)
        self.assertIn("brewery resume", line)
        # The same once more, and nothing but the documents is asked for.
        asked = self.model.count()
        done = self.brewery("resume", "first", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.model.count(), asked + 2 * len(self.titles))
        self.model.change = self.write_and_refuse()
        self.assertNotIn("dropped_concepts", self.result_of("resume", "first"))
        self.assertEqual(documents(self.at / "runs/first"),
                         documents(self.at / "runs/whole"))

    def test_a_coordinator_killed_before_the_decision_drops_it_as_well(self):
        os.environ["SCRIPT_KEY"] = KEY
        out, go_on = threading.Event(), threading.Event()

        def hold(asked):
            if (kind_of(asked) == "document" and not out.is_set()
                    and f"\n{self.titles[1]}\n"
                    in asked["messages"][1]["content"]):
                out.set()
                go_on.wait(120)

        self.model.change = self.write_and_refuse(self.lost, before=hold)
        cluster = Cluster(os.path.abspath(self.program), self.at / "c",
                          f"ipc://{self.at}/socket",
                          coordinator_words=("--models",
                                             self.at / "models.toml"))
        self.addCleanup(cluster.stop)
        self.addCleanup(go_on.set)
        cluster.start_coordinator()
        for worker in ("w0", "w1", "w2"):
            cluster.start_worker(worker, 2)
        cluster.submit(CONFIG, "far")
        self.assertTrue(out.wait(120))
        wait_until("it is given up",
                   lambda: "far" in cluster.order("quarantine", "list").stdout,
                   120)
        cluster.coordinator.kill()
        # It could be written now. But it was given up.
        self.model.change = self.write_and_refuse()
        go_on.set()
        cluster.start_coordinator()
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertIn(f'the concept "{self.lost}" dropped out',
                      (cluster.root / "runs/far/report.md").read_text())
        cluster.order("quarantine", "retry", "far")
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertEqual(documents(cluster.root / "runs/far"),
                         documents(self.at / "runs/whole"))


if __name__ == "__main__":
    main()
