#!/usr/bin/env python3
"""Clusters of the built `brewery`: real processes on loopback.

  cluster_test.py PATH_OF_BREWERY [unittest arguments]

The rule throughout: whatever dies, a run ends with the documents of an
undisturbed one, and its log has one result for each job.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from cluster_support import (SLOW_TOY, Cluster, Process, files_below,
                             wait_until)
from support import clean_environment

BREWERY = ""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def brewery(*words, limit=60, env=None):
    return subprocess.run([BREWERY, *map(str, words)], text=True,
                          env={**clean_environment(), **(env or {})},
                          capture_output=True, timeout=limit)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.root = Path(cls.scratch.name)
        cls.config = cls.root / "toy.toml"
        cls.config.write_text(SLOW_TOY.format(latency=0))
        done = brewery("run", cls.config, "--id", "reference", "--quiet",
                       "--set", f"run.runs_dir={cls.root / 'runs'}")
        assert done.returncode == 0, done.stderr
        cls.reference = {
            name: text.replace(b'"run": "reference"', b"") for name, text in
            files_below(cls.root / "runs" / "reference" / "kb").items()}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def cluster(self, workers=2, slots=2, **options):
        address = f"tcp://127.0.0.1:{free_port()}"
        made = Cluster(BREWERY, self.root / self.id().split(".")[-1], address,
                       **options)
        self.addCleanup(made.stop)
        made.start_coordinator()
        for i in range(workers):
            made.start_worker(f"w{i}", slots)
        return made

    def check(self, cluster, run):
        """Nothing lost, nothing twice, the same knowledge."""
        rows, jobs = cluster.results(run)
        self.assertEqual(rows, jobs)
        self.assertEqual(cluster.documents(run), self.reference)


class Runs(Case):
    def test_a_submitted_run_ends_like_one_in_a_single_process(self):
        c = self.cluster()
        done = c.submit(SLOW_TOY.format(latency=0), "a")
        self.assertIn("run a in ", done.stdout)
        c.wait_for("a")
        self.check(c, "a")
        wait_until("status says so", lambda: c.state_of("a") == "finished")
        workers = json.loads(c.order("workers", "--json").stdout)
        self.assertEqual({w["name"] for w in workers}, {"w0", "w1"})
        self.assertGreater(min(w["done"] for w in workers), 0)

    def test_two_runs_share_the_workers_and_both_come_out_right(self):
        c = self.cluster()
        c.submit(SLOW_TOY.format(latency=1), "a", "--weight", "3")
        c.submit(SLOW_TOY.format(latency=1), "b", "--priority", "-1")
        c.wait_for("a")
        c.wait_for("b")
        self.check(c, "a")
        self.check(c, "b")

    def test_worker_processes_of_a_run_give_the_same_documents(self):
        done = brewery("run", self.config, "--id", "children", "--quiet",
                       "--set", f"run.runs_dir={self.root / 'runs'}", "--set",
                       "run.workers=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = files_below(self.root / "runs" / "children" / "kb")
        self.assertEqual(
            {n: t.replace(b'"run": "children"', b"")
             for n, t in files.items()}, self.reference)

    def test_dead_workers_of_a_run_are_replaced(self):
        process = Process(BREWERY, [
            "run", self.config, "--id", "orphans", "--quiet", "--workers", "2",
            "--set", f"run.runs_dir={self.root / 'runs'}", "--set",
            "environment.simulated_latency_ms=2"], self.root / "orphans.log")
        self.addCleanup(process.kill)
        killed = 0
        while process.alive() and killed < 4:
            time.sleep(0.4)
            children = subprocess.run(
                ["pgrep", "-P", str(process.process.pid)], text=True,
                capture_output=True).stdout.split()
            if children:
                os.kill(int(children[0]), signal.SIGKILL)
                killed += 1
        self.assertEqual(process.process.wait(timeout=60), 0, process.said())
        self.assertGreater(killed, 1)
        files = files_below(self.root / "runs" / "orphans" / "kb")
        self.assertEqual({n: t.replace(b'"run": "orphans"', b"")
                          for n, t in files.items()}, self.reference)

    def test_a_cancelled_run_can_be_resumed(self):
        c = self.cluster()
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        self.assertIn("cancelled", c.order("cancel", "a").stdout)
        self.assertEqual(c.state_of("a"), "cancelled")
        again = c.order("cancel", "a", check=False)
        self.assertEqual(again.returncode, 1)
        self.assertIn("run a is cancelled already", again.stderr)
        c.order("submit", "--resume", "a")
        c.wait_for("a")
        self.check(c, "a")


class Deaths(Case):
    def test_killed_workers_lose_nothing(self):
        c = self.cluster(workers=4)
        c.submit(SLOW_TOY.format(latency=4), "a")
        for i in range(8):
            time.sleep(0.3)
            c.workers[f"w{i % 4}"].kill()
            c.start_worker(f"w{i % 4}")
        c.wait_for("a")
        self.check(c, "a")

    def test_a_killed_coordinator_goes_on_and_adopts_what_runs(self):
        c = self.cluster(workers=3)
        c.submit(SLOW_TOY.format(latency=4), "a")
        for _ in range(4):
            time.sleep(0.6)
            c.coordinator.kill()
            time.sleep(0.2)
            c.start_coordinator()
        c.wait_for("a")
        self.check(c, "a")
        self.assertRegex(c.coordinator.said(), r"[1-9] of [1-9] jobs in hand "
                         "adopted")

    def test_an_order_taken_just_before_a_kill_is_carried_out(self):
        c = self.cluster(workers=1)
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.wait_for("a")
        c.coordinator.kill()
        # All that is there of a run until its log is made.
        runs = c.root / "runs"
        (runs / "b" / "kb").mkdir(parents=True)
        for name in ("config.toml", "submission.json"):
            shutil.copy(runs / "a" / name, runs / "b" / name)
        c.start_coordinator()
        c.wait_for("b")
        self.check(c, "b")

    def test_a_paused_worker_loses_its_jobs_once_and_comes_back(self):
        c = self.cluster(workers=2, lease_ms=1200)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        c.workers["w0"].send(signal.SIGSTOP)
        wait_until("its leases expire",
                   lambda: c.status()["leases_expired"] > 0, every=0.2)
        c.workers["w0"].send(signal.SIGCONT)
        wait_until("it is back", lambda: c.status()["workers"] == 2,
                   every=0.2)
        c.wait_for("a")
        self.check(c, "a")

    def test_results_wait_in_the_spool_for_the_next_worker(self):
        c = self.cluster(workers=1, slots=4)
        c.submit(SLOW_TOY.format(latency=30), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 4)
        c.coordinator.kill()
        spool = self.root / "test_results_wait_in_the_spool_for_the_next_worker"
        wait_until("results are spooled", lambda: len(
            list((spool / "spool").glob("*/result-*"))) > 0)
        c.workers["w0"].kill()
        before = c.results("a")[0]
        c.start_worker("w0", 4)
        wait_until("the new worker has them", lambda: (
            "results of earlier workers" in c.workers["w0"].said()))
        c.start_coordinator()
        wait_until("they count", lambda: c.results("a")[0] > before)
        wait_until("the spool is empty", lambda: not list(
            (spool / "spool").glob("*/result-*")))
        self.assertRegex(c.coordinator.said(), r"[1-9] of [1-9] jobs in hand")

    def test_sigterm_finishes_or_hands_back_and_a_second_ends_at_once(self):
        c = self.cluster(workers=2)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        self.assertEqual(c.workers["w0"].end(), 0)
        wait_until("it has left", lambda: c.status()["workers"] == 1)
        self.assertIn("left: told to stop", c.coordinator.said())
        c.start_worker("w2")
        c.submit(SLOW_TOY.format(latency=2000), "slow", "--priority", "9")
        wait_until("slow jobs run", lambda: c.status()["jobs"]["running"] > 2)
        c.workers["w2"].send(signal.SIGTERM)
        time.sleep(0.5)
        began = time.monotonic()
        c.workers["w2"].send(signal.SIGTERM)
        self.assertEqual(c.workers["w2"].process.wait(timeout=5), 130)
        self.assertLess(time.monotonic() - began, 2)
        c.order("cancel", "slow")
        c.wait_for("a")
        self.check(c, "a")

    def test_a_drained_worker_finishes_and_leaves(self):
        c = self.cluster(workers=2)
        c.submit(SLOW_TOY.format(latency=2), "a")
        wait_until("both are there", lambda: c.status()["workers"] == 2,
                   every=0.2)
        self.assertIn("1 workers finish", c.order("drain", "w0").stdout)
        self.assertEqual(c.workers["w0"].process.wait(timeout=20), 0)
        none = c.order("drain", "w9", check=False)
        self.assertEqual(none.returncode, 1)
        self.assertIn('no worker "w9" is connected; did you mean w1?',
                      none.stderr)
        c.wait_for("a")
        self.check(c, "a")

    def test_a_coordinator_that_cannot_write_waits_and_can_be_ended(self):
        # Its files cannot grow beyond 500 KB: like a full disk, without one.
        small = ("sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"",
                 "sh")
        c = self.cluster(where=lambda role: (
            small if role == "coordinator" else ()))
        c.submit(SLOW_TOY.format(latency=1), "a")
        wait_until("nothing can be written", lambda: (
            "journal_stuck" in c.coordinator.said()))
        wait_until("jobs wait for that", lambda: any(
            "cannot be written" in why for why in c.status()["waiting"]))
        self.assertEqual(c.state_of("a"), "running")
        self.assertEqual(c.coordinator.end(10), 0)
        c.where = lambda role: ()
        c.start_coordinator()
        c.wait_for("a")
        self.check(c, "a")

    def test_a_second_coordinator_on_the_runs_is_refused(self):
        c = self.cluster(workers=0)
        other = brewery("coordinator", "--runs-dir", c.root / "runs",
                        "--listen", "tcp://127.0.0.1:*")
        self.assertEqual(other.returncode, 1)
        self.assertRegex(other.stderr, r"is in use by process \d+ on ")

    def test_jobs_that_fail_everywhere_are_quarantined_and_retried(self):
        # Every job takes longer than it may, so all of them fail.
        c = self.cluster(workers=3, slots=8, coordinator_words=(
            "--set", "cluster.job_limit_s=1"))
        wait_until("all are there", lambda: c.status()["workers"] == 3,
                   every=0.2)
        c.submit(SLOW_TOY.format(latency=700)
                 + "max_calls = 3\n".join(["[agent]\n", ""]), "a",
                 "--set", "environment.max_train_tasks=2")
        wait_until("the run ends, and says why", lambda: (
            c.state_of("a") == "failed"), 60, 0.3)
        error = c.status()["runs"][0]["error"]
        self.assertIn("quarantined", error)
        self.assertIn("it ran longer than 1 s", error)
        given_up = c.order("quarantine", "list").stdout
        self.assertIn("3 failures", given_up)
        self.assertRegex(c.order("quarantine", "retry", "a").stdout,
                         r"\d+ jobs are tried again")
        self.assertEqual(c.state_of("a"), "running")


class Security(Case):
    def keys(self, *names):
        folder = self.root / (self.id().split(".")[-1] + "-keys")
        made = brewery("keys", "new", "coordinator", "--role", "coordinator",
                       "--keys", folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        for name, role in names:
            made = brewery("keys", "new", name, "--role", role, "--keys",
                           folder)
            self.assertEqual(made.returncode, 0, made.stderr)
        return folder

    def words(self, folder, name):
        return ("--key", folder / f"{name}.key", "--server-key",
                folder / "coordinator.pub")

    def test_an_encrypted_cluster_lets_in_whom_it_knows_only(self):
        k = self.keys(("w", "worker"), ("alice", "operator"))
        c = self.cluster(workers=2, coordinator_words=("--keys", k),
                         worker_words=self.words(k, "w"),
                         operator_words=self.words(k, "alice"))
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.wait_for("a")
        self.check(c, "a")
        # A worker's key gives no orders; no key, or an unknown one, nothing.
        order = brewery("status", "--connect", c.address,
                        *self.words(k, "w"))
        self.assertEqual(order.returncode, 1)
        self.assertIn("may not give orders", order.stderr)
        plain = brewery("status", "--connect", c.address, "--timeout", "2")
        self.assertEqual(plain.returncode, 1)
        self.assertIn("no coordinator is reached", plain.stderr)
        stranger = self.root / "stranger"
        brewery("keys", "new", "eve", "--keys", stranger)
        eve = brewery("worker", "--connect", c.address, "--env", "toy",
                      "--no-spool", "--key", stranger / "eve.key",
                      "--server-key", k / "coordinator.pub")
        self.assertEqual(eve.returncode, 2)
        self.assertIn("does not allow this worker's key", eve.stderr)

    def test_keys_change_while_a_run_goes_on(self):
        k = self.keys(("old", "worker"), ("alice", "operator"))
        c = self.cluster(workers=2, coordinator_words=("--keys", k),
                         worker_words=self.words(k, "old"),
                         operator_words=self.words(k, "alice"))
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        # A worker's key: a new worker first, then the old one goes.
        brewery("keys", "new", "new", "--keys", k)
        c.worker_words = self.words(k, "new")
        c.start_worker("w2")
        wait_until("it joins", lambda: c.status()["workers"] == 3)
        c.order("drain", "w0")
        c.order("drain", "w1")
        for name in ("w0", "w1"):
            c.workers[name].process.wait(timeout=20)
        self.assertEqual(brewery("keys", "revoke", "old", "--keys",
                                 k).returncode, 0)
        c.worker_words = self.words(k, "old")
        c.start_worker("w3")
        wait_until("the revoked key is refused",
                   lambda: not c.workers["w3"].alive())
        self.assertIn("refused key", c.coordinator.said())
        # The coordinator's own: workers read both, it restarts with the new.
        brewery("keys", "new", "next", "--role", "coordinator", "--keys", k)
        both = (k / "coordinator.pub")
        both.write_text(both.read_text() + (k / "next.pub").read_text())
        c.coordinator.kill()
        c.coordinator_words = ("--keys", k, "--key-name", "next")
        # The operator's commands try one key only.
        c.operator_words = ("--key", k / "alice.key", "--server-key",
                            k / "next.pub")
        c.start_coordinator()
        c.wait_for("a")
        self.check(c, "a")

    def test_plaintext_stays_on_this_machine(self):
        done = brewery("coordinator", "--runs-dir", self.root / "plain",
                       "--listen", "tcp://0.0.0.0:0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("refusing to listen on tcp://0.0.0.0:0 without "
                      "encryption", done.stderr)
        self.assertIn("--insecure-plaintext-anywhere", done.stderr)

    def test_a_key_that_others_can_read_is_refused(self):
        k = self.keys(("w", "worker"))
        self.assertEqual(os.stat(k / "w.key").st_mode & 0o777, 0o600)
        os.chmod(k / "w.key", 0o644)
        done = brewery("worker", "--env", "toy", "--no-spool",
                       *self.words(k, "w"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("can be read by others (mode 644)", done.stderr)
        self.assertNotIn((k / "w.key").read_text().split("secret ")[1][:39],
                         done.stderr)

    def test_keys_are_listed_and_revoked_by_name(self):
        k = self.keys(("w", "worker"))
        listed = brewery("keys", "list", "--keys", k).stdout
        self.assertRegex(listed, r"w +worker +allowed +\S{40}")
        twice = brewery("keys", "new", "w", "--keys", k)
        self.assertEqual(twice.returncode, 1)
        self.assertIn("exists", twice.stderr)
        wrong = brewery("keys", "revoke", "x", "--keys", k)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("no key 'x' is allowed", wrong.stderr)
        brewery("keys", "revoke", "w", "--keys", k)
        self.assertIn("revoked", brewery("keys", "list", "--keys", k).stdout)


class Hostile(Case):
    def test_random_bytes_on_the_live_port_do_no_harm(self):
        c = self.cluster()
        c.submit(SLOW_TOY.format(latency=2), "a")
        host, port = "127.0.0.1", int(c.address.rsplit(":", 1)[1])
        # The ZMTP greeting makes the rest look like frames to ZeroMQ.
        greeting = (b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16)
                    + bytes(32))
        ready = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"[:27]
        for i in range(60):
            with socket.socket() as s:
                s.settimeout(2)
                s.connect((host, port))
                try:
                    if i % 3 == 0:
                        s.sendall(os.urandom(2000))
                    elif i % 3 == 1:  # a frame that claims 1 GB
                        s.sendall(greeting + ready + b"\x02"
                                  + (1 << 30).to_bytes(8, "big") + b"BW\x01")
                    else:
                        s.sendall(greeting + ready + b"\x00\x40"
                                  + b"BW\x01\x00" + os.urandom(60))
                except OSError:
                    pass  # hung up on, as it should be
        c.wait_for("a")
        self.check(c, "a")
        self.assertTrue(c.coordinator.alive())


class Operation(Case):
    def get(self, port, path):
        try:
            with urllib.request.urlopen(
                    f"http://127.0.0.1:{port}{path}", timeout=5) as reply:
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
        self.assertIn("brewery_lease_expirations_total 0", text)
        wait_until("the worker is ready", lambda: self.get(
            worker_port, "/readyz") == (200, "ready\n"))
        c.coordinator.kill()
        wait_until("the worker says that nobody is there", lambda: self.get(
            worker_port, "/readyz")[0] == 503, 20)
        self.assertEqual(self.get(worker_port, "/healthz")[0], 200)

    def test_status_says_why_jobs_wait(self):
        c = self.cluster(workers=0)
        c.submit(SLOW_TOY.format(latency=0), "a")
        wait_until("jobs wait", lambda: (
            "rollout jobs wait: no worker is connected"
            in c.order("status").stdout))
        wait_until("the log says so", lambda: (
            "no worker is connected" in c.coordinator.said()))
        c.start_worker("w0")
        c.wait_for("a")

    def test_bad_input_gets_one_line(self):
        c = self.cluster(workers=0)
        cases = [
            (("submit", self.root / "gone.toml"), 1, "gone.toml"),
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
            (("worker", "--env", "tau2-telecom"), 2, "say where its data is"),
            (("worker",), 2, "needs an environment"),
            (("worker", "--env", "toy", "--connect", "x:1"), 2,
             "'x:1' is no address"),
            (("worker", "--env", "toy", "--key", "k"), 2, "belong together"),
            (("status", "--connect", "tcp://127.0.0.1:9", "--timeout", "1"), 1,
             "no coordinator is reached"),
            (("coordinator", "--listen", "tcp://nowhere"), 2, "no address"),
        ]
        for words, code, part in alone:
            done = brewery(*words)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(part, done.stderr.splitlines()[-1])

    def test_a_submitted_run_that_exists_is_refused(self):
        c = self.cluster(workers=0)
        c.submit(SLOW_TOY.format(latency=0), "a")
        done = c.order("submit", self.config, "--id", "a", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("exists already", done.stderr)

    def test_the_simulator_runs_a_seed(self):
        done = brewery("sim", "--seed", "3", "--trace")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 seeds, no violation", done.stdout)
        done = brewery("sim", "--seeds", "20", "--json")
        self.assertEqual(json.loads(done.stdout)["seeds"], 20)


if __name__ == "__main__":
    BREWERY = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
