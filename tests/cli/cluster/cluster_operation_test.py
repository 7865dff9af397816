#!/usr/bin/env python3
"""What an operator of a cluster sees, and what wrong orders are answered.

  cluster_operation_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import Case, brewery
from support.cluster import SLOW_TOY
from support.program import free_port, wait_until


class Operation(Case):
    def get(self, port, path):
        try:
            with urllib.request.urlopen(
                    f"http://127.0.0.1:{port}{path}", timeout=60) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def test_health_and_metrics_are_served(self):
        port, worker_port = free_port(), free_port()
        c = self.cluster(workers=1, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"), worker_words=(
            "--metrics-listen", f"127.0.0.1:{worker_port}"))
        self.assertEqual(self.get(port, "/healthz"), (200, "ok\n"))
        self.assertEqual(self.get(port, "/readyz"), (200, "ready\n"))
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.wait_for("a")
        wait_until("the gauges follow", lambda: (
            'brewery_workers{state="idle"} 2'
            in self.get(port, "/metrics")[1]))
        text = self.get(port, "/metrics")[1]
        self.assertRegex(text, r"brewery_rollouts_total\{outcome=\"graded\"\} "
                         r"[1-9]")
        self.assertRegex(text, r"\nbrewery_lease_expirations_total \d")
        wait_until("the worker is ready", lambda: self.get(
            worker_port, "/readyz") == (200, "ready\n"))
        c.coordinator.kill()
        wait_until("the worker says that nobody is there", lambda: self.get(
            worker_port, "/readyz")[0] == 503)
        self.assertEqual(self.get(worker_port, "/healthz")[0], 200)

    def test_status_says_why_jobs_wait(self):
        c = self.cluster(workers=0)
        c.submit(SLOW_TOY.format(latency=0), "a")
        wait_until("jobs wait", lambda: (
            "rollout jobs wait"
            in c.order("status").stdout))
        wait_until("the log says so", lambda: (
            "no worker is connected" in c.coordinator.said()))
        c.start_worker("w0")
        c.wait_for("a")

    def test_bad_input_gets_one_line(self):
        c = self.cluster(workers=0)
        cases = [
            (("submit", self.root / "gone.toml"), 2, "gone.toml"),
            (("cancel", "nobody"), 1, 'no run "nobody"'),
            (("quarantine", "retry", "nobody"), 1, 'no run "nobody"'),
            (("submit", "--resume", "nobody"), 1, "no run 'nobody'"),
        ]
        for words, code, part in cases:
            done = c.order(*words, check=False)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        alone = [
            (("worker", "--env", "mars"), 2, "unknown environment 'mars'"),
            (("worker", "--env", "tau2-telecom"), 2, "the data directory is missing"),
            (("worker",), 2, "needs an environment"),
            (("worker", "--env", "toy", "--connect", "x:1"), 2,
             "'x:1' is not an address"),
            (("worker", "--env", "toy", "--key", "k"), 2, "must be given together"),
            (("status", "--connect", "tcp://127.0.0.1:9", "--timeout", "1"), 1,
             "no coordinator answered"),
            (("coordinator", "--listen", "tcp://nowhere"), 2, "not an address"),
        ]
        for words, code, part in alone:
            done = brewery(*words)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(part, done.stderr.splitlines()[-1])

    def test_a_refused_order_has_the_code_of_its_error(self):
        c = self.cluster(workers=0)
        done = c.order("cancel", "nobody", "--json", check=False)
        self.assertEqual(json.loads(done.stdout)["code"], "not found")
        file = self.root / "program.toml"
        file.write_text('[environment]\nkind = "external"\n'
                        'command = "lamp"\n')
        done = c.order("submit", file, "--json", check=False)
        self.assertEqual(done.returncode, 2, done.stderr)  # as of `run`
        self.assertEqual(json.loads(done.stdout)["code"], "invalid argument")

    def test_a_submitted_run_that_exists_is_refused(self):
        c = self.cluster(workers=0)
        c.submit(SLOW_TOY.format(latency=0), "a")
        done = c.order("submit", self.config, "--id", "a", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("exists already", done.stderr)

    def test_the_simulator_runs_a_seed(self):
        done = brewery("sim", "--seed", "3", "--trace")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 seed, no violation", done.stdout)
        done = brewery("sim", "--seeds", "20", "--json")
        self.assertEqual(json.loads(done.stdout)["seeds"], 20)

    def test_the_simulator_says_what_bends_first(self):
        size = ["sim", "--workers", "20", "--slots", "5", "--job-s", "1",
                "--seconds", "5", "--result-kb", "1"]
        done = brewery(*size)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("20 workers of 5 slots: 100 slots", done.stdout)
        self.assertRegex(done.stdout, r"bends first\. One core and 4 GB carry")
        done = brewery(*size, "--json")
        made = json.loads(done.stdout)
        self.assertEqual(made["slots"], 100)
        self.assertEqual(set(made["shares"]),
                         {"messages", "job table", "log", "search", "memory",
                          "barrier"})
        for option, value in (("--seconds", "0"), ("--seconds", "nan"),
                              ("--job-s", "0"), ("--memory-gb", "0"),
                              ("--result-kb", "1e9"), ("--seeds", "3")):
            done = brewery("sim", "--workers", "2", option, value)
            self.assertEqual(done.returncode, 2, option)
            self.assertIn(option, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        done = brewery("sim", "--job-s", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("only with --workers or --slots", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
