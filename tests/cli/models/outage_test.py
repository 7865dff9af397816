#!/usr/bin/env python3
"""A model server that goes down in the middle of a run: the run stops like at
its budget, and goes on when the server answers again. The model is a script
(model_script.py).

  outage_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.cluster import Cluster
from support.model_case import CONFIG, documents
from support.model_script import CATALOG, KEY, ModelScript
from support.program import CommandCase, main, wait_until

LIMITS = "max_retries = {retries}\ninitial_concurrency = 4\n[model.small]"


def status(number, message):
    return number, {"error": {"message": message}}


def one_poisonous_call():
    """Nobody answers the first call of an agent, however often it comes."""
    poison = []

    def fault(asked):
        if not poison and asked.get("tools"):
            poison.append(asked)
        return status(500, "this one only") if asked in poison else None

    return fault


class Case(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "c.toml").write_text(CONFIG)
        self.model = ModelScript()
        self.model.__enter__()
        self.addCleanup(self.model.__exit__)
        self.write_catalog(retries=1)

    def write_catalog(self, retries):
        (self.at / "models.toml").write_text(
            CATALOG.format(url=self.model.url).replace(
                "[model.small]", LIMITS.format(retries=retries)))

    def environment(self):
        return super().environment() | {"SCRIPT_KEY": KEY}

    def stops(self, *words):
        """The last line of a run that stops; it can go on."""
        done = self.brewery(*words)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        line = done.stderr.strip().splitlines()[-1]
        self.assertIn("nothing that was paid is lost", line)
        self.assertIn("go on with `brewery resume", line)
        return line

    def overview(self, run):
        lines = map(json.loads, self.ok("runs", "--json").splitlines())
        return next(line for line in lines if line["id"] == run)

    def whole_run(self):
        out = self.ok("run", "c.toml", "--id", "whole", "--json")
        return self.model.count(), json.loads(out.splitlines()[-1])

    def result_of(self, *words):
        return json.loads(self.ok(*words, "--json").splitlines()[-1])

    def assert_complete(self, run, result, whole):
        """All that an undisturbed run has, each answer paid once."""
        self.assertEqual(documents(self.at / "runs" / run),
                         documents(self.at / "runs/whole"))
        self.assertEqual(result["arms"], whole["arms"])
        self.assertEqual((result["failed_jobs"], result["rollouts"]),
                         (0, whole["rollouts"]))

    def fail_after(self, count, fault):
        until = self.model.count() + count
        self.model.fault = lambda asked: (
            fault if len(self.model.requests) >= until else None)

    def test_an_outage_stops_a_run_and_a_plain_resume_completes_it(self):
        calls, whole = self.whole_run()
        down = status(503, "no machine is free")
        for share in (0, 0.2, 0.5, 0.95):
            with self.subTest(share=share):
                run = f"at-{share}"
                before = self.model.count()
                self.fail_after(int(calls * share), down)
                line = self.stops("run", "c.toml", "--id", run, "--quiet")
                self.assertIn(
                    f"model server 'script' ({self.model.url}) failed 2 "
                    "attempts: HTTP 503: no machine is free; spent", line)
                self.assertIn("when it answers again, go on with `brewery "
                              "resume ", line)
                self.assertTrue(line.endswith(f"/runs/{run}`"), line)
                shown = self.overview(run)
                self.assertEqual(shown["state"], "interrupted")
                self.assertIn("no machine is free", shown["reason"])
                self.assertEqual(0, json.loads(
                    (self.at / "runs" / run / "status.json").read_text())
                    ["failed_jobs"])
                self.stops("resume", run)  # it is still down
                self.model.fault = lambda asked: None
                self.assert_complete(run, self.result_of("resume", run), whole)
                self.assertEqual(self.model.count(), before + calls)

    def test_ctrl_c_does_not_wait_for_a_server_that_asks_for_a_pause(self):
        self.write_catalog(retries=20)
        slow = (*status(429, "slow down"), {"Retry-After": "300"})
        for words in ((), ("--workers", "2")):
            with self.subTest(words=words):
                told = []
                self.model.fault = lambda asked: told.append(asked) or slow
                process = self.start("run", "c.toml", "--id",
                                     f"cut-{len(words)}", "--quiet", *words)
                wait_until("the server is asked", lambda: told)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=120)
                self.assertEqual(process.returncode, 130)

    def test_every_fault_of_a_server_stops_and_is_named_with_a_next_step(self):
        calls, whole = self.whole_run()
        for number, part in [
                (429, "HTTP 429: told so"), (500, "HTTP 500: told so"),
                (502, "HTTP 502: told so"), (401, "check the API key"),
                (403, "check the API key"), (402, "no credit left"),
                (404, "check base_url and the model's name")]:
            with self.subTest(status=number):
                run = f"with-{number}"
                self.fail_after(calls // 2, status(number, "told so"))
                self.assertIn(part, self.stops("run", "c.toml", "--id", run,
                                               "--quiet"))
                self.model.fault = lambda asked: None
                self.assert_complete(run, self.result_of("resume", run), whole)

    def test_a_server_that_is_gone_stops_the_run(self):
        self.whole_run()
        other = ModelScript()
        other.__enter__()
        url, self.model.url = self.model.url, other.url
        self.write_catalog(retries=1)
        self.model.url = url
        other.down_after = 20
        process = self.start("run", "c.toml", "--id", "cut", "--quiet")
        wait_until("20 calls", lambda: other.is_down)
        other.__exit__()
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, said)
        self.assertIn(f"({other.url}) failed 2 attempts: ", said)
        self.write_catalog(retries=1)
        self.ok("resume", "cut")
        self.assertEqual(documents(self.at / "runs/cut"),
                         documents(self.at / "runs/whole"))

    def test_an_outage_within_the_retries_changes_nothing(self):
        _, whole = self.whole_run()
        self.write_catalog(retries=8)
        left, tried = [25], Counter()

        def short(asked):
            call = json.dumps(asked, sort_keys=True)
            if left[0] == 0 or tried[call] == 5:
                return None
            left[0] -= 1
            tried[call] += 1
            return 503, {"error": {"message": "later"}}, {"Retry-After": "0"}

        self.model.fault = short
        got = self.result_of("run", "c.toml", "--id", "shaken")
        self.assertEqual(left, [0])
        self.assert_complete("shaken", got, whole)

    def fail_while_others_are_answered(self):
        """Four are on their way at most: of five one has arrived."""
        before = []

        def others():
            before.append(self.model.count())
            if len(before) > 1:
                wait_until("others are answered", lambda:
                           self.model.count() >= before[0] + 5, limit=120)

        self.model.before_fault = others

    def test_a_call_that_alone_fails_costs_its_job_and_no_more(self):
        self.model.fault = one_poisonous_call()
        self.fail_while_others_are_answered()
        got = self.result_of("run", "c.toml", "--id", "first")
        self.assertEqual(got["failed_jobs"], 1)
        self.assertIn("this one only", self.ok("resume", "first"))
        self.model.fault = lambda asked: None
        self.assertEqual(self.result_of("resume", "first", "--retry-failed")
                         ["failed_jobs"], 0)

    def test_a_call_that_nobody_answers_stops_no_run_forever(self):
        self.model.fault = one_poisonous_call()
        self.stops("run", "c.toml", "--id", "first", "--quiet", "--set",
                   "run.threads=1")
        self.stops("resume", "first", "--set", "run.threads=1")
        got = self.result_of("resume", "first", "--set", "run.threads=1")
        self.assertEqual(got["failed_jobs"], 1)

    def cluster(self):
        os.environ["SCRIPT_KEY"] = KEY
        out = Cluster(os.path.abspath(self.program), self.at / "c",
                      f"ipc://{self.at}/cluster", coordinator_words=(
                          "--models", self.at / "models.toml"))
        self.addCleanup(out.stop)
        out.start_coordinator()
        out.start_worker("w0", 4)
        return out

    def test_a_cluster_goes_on_with_a_larger_budget(self):
        calls, _ = self.whole_run()
        cluster = self.cluster()
        before = self.model.count()
        cluster.submit(CONFIG + "[budget]\nmax_calls = 30\n", "poor")
        wait_until("it stops",
                   lambda: cluster.state_of("poor") == "interrupted")
        self.assertIn("`brewery submit --resume poor --set "
                      "budget.max_calls=AMOUNT` continues it",
                      " ".join(cluster.order("status").stdout.split()))
        said = cluster.order("submit", "--resume", "poor", "--set",
                             f"budget.max_calls={calls}").stdout
        self.assertEqual(said, "run poor continues\n"
                         f"budget.max_calls: 30 -> {calls}\n")
        wait_until("it ends", lambda: cluster.state_of("poor") == "finished")
        self.assertEqual(self.model.count(), before + calls)
        self.assertEqual(documents(self.at / "c/runs/poor"),
                         documents(self.at / "runs/whole"))

    def test_a_cluster_stops_the_run_and_says_how_to_go_on(self):
        calls, _ = self.whole_run()
        cluster = self.cluster()
        before = self.model.count()
        self.fail_after(calls // 2, status(503, "no machine is free"))
        cluster.submit(CONFIG, "far")
        wait_until("it stops",
                   lambda: cluster.state_of("far") == "interrupted")
        shown = cluster.order("status").stdout
        self.assertIn(f"far: model server 'script' ({self.model.url}) failed 2 "
                      "attempts: HTTP 503", " ".join(shown.split()))
        self.assertIn("`brewery submit --resume far`", " ".join(shown.split()))
        self.assertEqual(cluster.order("quarantine", "list").stdout,
                         "no job has failed\n")
        self.model.fault = lambda asked: None
        cluster.order("submit", "--resume", "far")
        wait_until("it ends", lambda: cluster.state_of("far") == "finished")
        self.assertEqual(
            {name: text for name, text in documents(
                self.at / "c/runs/far").items()},
            documents(self.at / "runs/whole"))
        self.assertEqual(self.model.count(), before + calls)
        noted = json.loads((self.at / "c/runs/far/status.json").read_text())
        far, = cluster.status()["runs"]
        self.assertGreater(far["cost_usd"], 0)
        self.assertEqual(far["cost_usd"], noted["cost_usd"])
        self.assertRegex(cluster.order("status").stdout,
                         r"rollouts +cost\n(.*\n)*far +finished .* \$\d")


if __name__ == "__main__":
    main()
