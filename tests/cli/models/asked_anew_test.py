#!/usr/bin/env python3
"""Replies that a role cannot use: a retry asks for them anew, and for nothing
else. Limits of replies change on a resume. The model is a script
(model_script.py).

  asked_anew_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.cluster import Cluster
from support.model_case import CONFIG, ModelCase, documents, kind_of
from support.model_script import KEY
from support.program import main, wait_until


def empty_reply(asked, finish="stop"):
    return 200, {"model": asked["model"], "usage": {
        "prompt_tokens": 9, "completion_tokens": 1}, "choices": [
            {"index": 0, "finish_reason": finish,
             "message": {"role": "assistant", "content": ""}}]}


class Case(ModelCase):
    def spoil_one_document(self, answer):
        """The integrator of one concept gets this for its first document, and
        for the call that says what is wrong with it; returns what it got."""
        first, given = [], []

        def fault(asked):
            if kind_of(asked) != "document":
                return None
            if not first:
                first.append(asked["messages"][:2])
            if (asked["messages"][:2] != first[0]
                    or len(asked["messages"]) > 3):
                return None
            given.append(asked)
            return answer(asked)

        self.model.fault = fault
        return given

    def assert_nothing_is_paid_twice(self):
        asked = [json.dumps(one, sort_keys=True)
                 for one in self.model.requests]
        self.assertEqual(len(asked), len(set(asked)))

    def test_a_retry_asks_anew_for_what_could_not_be_used_and_no_more(self):
        given = self.spoil_one_document(empty_reply)
        got = self.result_of("run", "c.toml", "--id", "first")
        failed, spoilt = got["failed_jobs"], len(given)
        self.assertGreaterEqual(failed, 1)
        self.assertEqual(spoilt, 2 * failed)  # with a repair turn
        self.assertIn("the reply could not be used", " ".join(self.ok(
            "quarantine", "list", "first", "--local").split()))
        # It is as bad as before: asked once more, and given up again.
        got = self.result_of("resume", "first", "--retry-failed")
        self.assertEqual((got["failed_jobs"], len(given)),
                         (failed, 2 * spoilt))
        self.model.fault = lambda asked: None
        before = self.model.count()
        self.ok("quarantine", "retry", "first", "--local")
        got = self.result_of("resume", "first")
        self.assertEqual(got["failed_jobs"], 0)
        self.assertGreater(self.model.count(), before)
        self.assert_nothing_is_paid_twice()
        # What came instead is on record.
        asked = self.model.count()
        self.ok("run", "c.toml", "--id", "again", "--quiet", "--replay",
                "first")
        self.assertEqual(documents(self.at / "runs/again"),
                         documents(self.at / "runs/first"))
        self.assertEqual(self.model.count(), asked)

    def test_a_run_goes_on_with_a_larger_limit_and_says_so(self):
        self.model.fault = lambda asked: (
            empty_reply(asked, "length")
            if asked.get("tools") and asked["max_tokens"] < 4000 else None)
        done = self.brewery("run", "c.toml", "--id", "night", "--quiet",
                            "--set", "agent.max_tokens=40")
        self.assertNotEqual(done.returncode, 0)
        done = self.brewery("resume", "night", "--retry-failed", "--set",
                            "agent.max_tokens=4000", "--set",
                            "reflector.max_tokens=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("agent.max_tokens: 40 -> 4000", done.stderr.splitlines())
        self.assertNotIn("reflector", done.stderr)
        self.assertNotIn("model_limit_changed", done.stderr)
        self.assertIn("success", done.stdout)
        self.assertNotIn("failed ", done.stdout)
        self.assert_nothing_is_paid_twice()

    def test_other_retries_in_the_catalog_are_named_by_a_resume(self):
        self.brewery("run", "c.toml", "--id", "part", "--quiet", "--set",
                     "budget.max_calls=20")
        catalog = self.at / "models.toml"
        catalog.write_text(catalog.read_text().replace(
            "[model.small]", "max_retries = 2\n[model.small]"))
        done = self.brewery("resume", "part", "--set", "budget.max_calls=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("server.script.max_retries: 8 -> 2", done.stderr)
        self.assertIn("budget.max_calls: 20 -> 0", done.stderr.splitlines())

    def test_a_larger_limit_buys_no_answered_call_again(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        calls = self.model.count()
        self.brewery("run", "c.toml", "--id", "part", "--quiet", "--set",
                     f"budget.max_calls={calls // 2}")
        self.ok("resume", "part", "--set", "budget.max_calls=0", "--set",
                "agent.max_tokens=4000", "--set", "judge.max_tokens=4000")
        self.assertEqual(self.model.count(), 2 * calls)
        self.assertEqual(documents(self.at / "runs/part"),
                         documents(self.at / "runs/whole"))

    def far(self):
        """A coordinator's run."""
        os.environ["SCRIPT_KEY"] = KEY
        cluster = Cluster(os.path.abspath(self.program), self.at / "c",
                          f"ipc://{self.at}/cluster", coordinator_words=(
                              "--models", self.at / "models.toml"))
        self.addCleanup(cluster.stop)
        cluster.start_coordinator()
        cluster.start_worker("w0", 4)
        cluster.submit(CONFIG, "far")
        return cluster

    def test_a_retry_on_a_coordinator_does_not_wait_for_slow_calls(self):
        given = self.spoil_one_document(empty_reply)
        spoilt = self.model.fault

        def slow_once_it_is_spoilt(asked):
            if len(given) > 1 and not self.model.idle.is_set():
                self.model.latency_s = 600  # or until it is idle
            return spoilt(asked)

        self.model.fault = slow_once_it_is_spoilt
        cluster = self.far()
        wait_until("a job is given up", lambda: "far" in cluster.order(
            "quarantine", "list").stdout, 120)
        refused = cluster.order("quarantine", "retry", "far", check=False)
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn("run far stops first, and still has calls of models "
                      "under way", refused.stderr)
        self.assertEqual(refused.stderr.count("\n"), 1)
        self.assertEqual(cluster.state_of("far"), "stopping")
        self.model.fault = lambda asked: None
        self.model.latency_s = 0
        self.model.idle.set()
        wait_until("it has stopped",
                   lambda: cluster.state_of("far") == "cancelled")
        cluster.order("quarantine", "retry", "far")
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertEqual(cluster.order("quarantine", "list").stdout,
                         "no job has failed\n")

    def test_a_coordinator_retries_only_with_what_the_run_began_with(self):
        self.spoil_one_document(empty_reply)
        catalog = self.at / "models.toml"
        cluster = self.far()
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertIn("far", cluster.order("quarantine", "list").stdout)
        text = catalog.read_text()
        catalog.write_text(text.replace("[model.small]",
                                        '[model.small]\nname = "another"'))
        refused = cluster.order("quarantine", "retry", "far", check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("the run began with other data, models or rules",
                      refused.stderr)
        self.assertEqual(cluster.state_of("far"), "finished")
        catalog.write_text(text)
        self.model.fault = lambda asked: None
        cluster.order("quarantine", "retry", "far")
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertEqual(cluster.order("quarantine", "list").stdout,
                         "no job has failed\n")
        self.assert_nothing_is_paid_twice()


if __name__ == "__main__":
    main()
