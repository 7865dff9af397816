#!/usr/bin/env python3
"""A reply that a role refused is not final: the next attempt of its job asks
anew, and for nothing that was accepted. The model is a script
(model_script.py) that answers garbage to chosen requests.

  refused_replies_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import re
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.cluster import Cluster
from support.model_case import CONFIG, SAYS_NO, ModelCase, documents, kind_of
from support.model_script import KEY
from support.program import main, wait_until

class Garbage:
    """Answers the first `times` requests about one piece of work with words
    that nobody asked for. The piece is the first of its kind that comes."""

    def __init__(self, kind, times, on_request=lambda number: None):
        self.kind, self.times, self.on_request = kind, times, on_request
        self.lock = threading.Lock()
        self.piece, self.asked = None, 0

    def __call__(self, asked, reply):
        if kind_of(asked) != self.kind:
            return reply
        with self.lock:
            self.piece = self.piece or asked["messages"][:2]
            if asked["messages"][:2] != self.piece:
                return reply
            self.asked += 1
            number = self.asked
        self.on_request(number)
        if number <= self.times:
            reply["choices"][0]["message"]["content"] = SAYS_NO
        return reply


class Case(ModelCase):
    def assert_nothing_is_asked_twice(self, but=0):
        asked = [json.dumps(one, sort_keys=True)
                 for one in self.model.requests]
        self.assertLessEqual(len(asked) - len(set(asked)), but)

    def assert_replay_is_alike(self, run):
        asked = self.model.count()
        self.ok("run", "c.toml", "--id", "replayed", "--quiet", "--replay",
                run)
        self.assertEqual(self.model.count(), asked)
        self.assertEqual(documents(self.at / "runs/replayed"),
                         documents(self.at / "runs" / run))

    # -- one process: an order makes the next attempt --

    def test_an_order_lets_a_first_document_be_asked_for_anew(self):
        self.model.change = garbage = Garbage("document", 2)
        got = self.result_of("run", "c.toml", "--id", "first")
        self.assertEqual((got["failed_jobs"], garbage.asked), (1, 2))
        got = self.result_of("resume", "first", "--retry-failed")
        self.assertEqual((got["failed_jobs"], garbage.asked), (0, 3))
        self.assertNotIn("dropped_concepts", got)
        self.assert_nothing_is_asked_twice()
        self.assert_replay_is_alike("first")

    def test_vectors_that_were_refused_are_asked_for_anew(self):
        def shorten(asked):
            if kind_of(asked) != "embedding":
                return None
            return 200, {"model": asked["model"], "data": [
                {"index": i, "embedding": [0.0] * 32}
                for i in range(len(asked["input"]))],
                "usage": {"prompt_tokens": 1, "total_tokens": 1}}

        self.model.fault = shorten
        self.assertIn("cannot be brought to 1",
                      self.fails("run", "c.toml", "--id", "first", "--quiet"))
        self.model.fault = lambda asked: None
        got = self.result_of("resume", "first")
        self.assertEqual(got["failed_jobs"], 0)
        self.assert_nothing_is_asked_twice()
        self.assert_replay_is_alike("first")

    def refuse_all_reviews(self):
        def change(asked, reply):
            if kind_of(asked) == "review":
                reply["choices"][0]["message"]["content"] = SAYS_NO
            return reply
        self.model.change = change

    def test_insights_that_were_all_refused_are_asked_for_anew(self):
        self.refuse_all_reviews()
        line = self.fails("run", "c.toml", "--id", "first", "--quiet")
        self.assertIn("the reflector had no usable reply on 4", line)
        self.assertIn("brewery resume", line)
        listed = self.ok("quarantine", "list", "first", "--local")
        self.assertEqual(listed.count("reflector"), 4, listed)
        played = self.model.count()
        # As bad as before: each review is asked for once more, with its
        # repair turn, and nothing else.
        self.fails("resume", "first", "--quiet")
        self.assertEqual(self.model.count(), played + 2 * 4)
        self.model.change = None
        got = self.result_of("resume", "first")
        self.assertEqual(got["failed_jobs"], 0)
        self.assert_nothing_is_asked_twice()
        self.assert_replay_is_alike("first")

    def test_one_review_that_was_refused_is_asked_for_by_its_job(self):
        self.model.change = garbage = Garbage("review", 2)
        done = self.brewery("run", "c.toml", "--id", "first", "--quiet")
        self.assertEqual((done.returncode, garbage.asked), (0, 2), done.stderr)
        self.assertIn("no job has failed",
                      self.ok("quarantine", "list", "first", "--local"))
        job = re.search("reply_trouble run=first job=([0-9a-f]+) reflector",
                        done.stderr)[1]
        self.ok("quarantine", "retry", "first", job, "--local")
        got = self.result_of("resume", "first")
        self.assertEqual((got["failed_jobs"], garbage.asked), (0, 3))
        self.assertNotIn("replies", got)
        self.assert_nothing_is_asked_twice()

    # -- a cluster: a failed attempt is followed by another --

    def cluster(self, name, workers=("w0", "w1")):
        os.environ["SCRIPT_KEY"] = KEY
        made = Cluster(os.path.abspath(self.program), self.at / name,
                       f"ipc://{self.at}/{name}-socket",
                       coordinator_words=("--models",
                                          self.at / "models.toml"))
        self.addCleanup(made.stop)
        made.start_coordinator()
        for worker in workers:
            made.start_worker(worker, 2)
        return made

    def finish(self, cluster):
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertEqual(cluster.order("quarantine", "list").stdout,
                         "no job has failed\n")
        return documents(cluster.root / "runs/far")

    def test_the_next_attempt_on_a_cluster_asks_anew(self):
        self.model.change = garbage = Garbage("document", 2)
        cluster = self.cluster("calm")
        cluster.submit(CONFIG, "far")
        self.finish(cluster)
        self.assertEqual(garbage.asked, 3)
        self.assert_nothing_is_asked_twice()

    def test_a_job_that_is_refused_each_time_is_given_up_as_before(self):
        self.model.change = garbage = Garbage("document", 1000)
        cluster = self.cluster("hopeless")
        cluster.start_worker("w2", 2)
        cluster.submit(CONFIG, "far")
        wait_until("it ends", lambda: cluster.state_of("far") == "finished",
                   120)
        self.assertIn("3 failures", " ".join(
            cluster.order("quarantine", "list").stdout.split()))
        # Three attempts, each with its repair turn.
        self.assertEqual(garbage.asked, 6)

    def test_a_coordinator_that_is_killed_in_between_changes_nothing(self):
        # With another worker the job might be given to it before the one that
        # has it is back. Then two ask, and the script, which counts, answers
        # one of them otherwise.
        self.model.change = first = Garbage("document", 2)
        calm = self.cluster("calm", ["w0"])
        calm.submit(CONFIG, "far")
        expected = self.finish(calm)
        whole = self.model.count()
        calm.stop()
        for moment in (2, 3):
            # A model call that is out when it is killed is made again: also
            # those that others had out.
            self.model.requests.clear()
            out, go_on = threading.Event(), threading.Event()

            def hold(number, moment=moment, out=out, go_on=go_on):
                if number == moment:
                    out.set()
                    go_on.wait(60)

            self.model.change = garbage = Garbage("document", 2, hold)
            garbage.piece = first.piece
            cluster = self.cluster(f"killed-{moment}", ["w0"])
            cluster.submit(CONFIG, "far")
            self.assertTrue(out.wait(120))
            cluster.coordinator.kill()
            go_on.set()
            garbage.times += moment == 2  # of which one was lost
            cluster.start_coordinator()
            self.assertEqual(self.finish(cluster), expected)
            self.assertEqual(garbage.asked, 4)
            self.assertLessEqual(self.model.count(), whole + 4)
            cluster.stop()


if __name__ == "__main__":
    main()
