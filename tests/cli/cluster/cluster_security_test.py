#!/usr/bin/env python3
"""Who may connect to a cluster, and how keys change while it runs.

  cluster_security_test.py PATH_OF_BREWERY [unittest arguments]
"""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case, brewery
from support.cluster import SLOW_TOY
from support.program import wait_until


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
        self.assertIn("may not send orders", order.stderr)
        plain = brewery("status", "--connect", c.address, "--timeout", "2")
        self.assertEqual(plain.returncode, 1)
        self.assertIn("no coordinator answered", plain.stderr)
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
            c.workers[name].process.wait(timeout=60)
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

    def test_a_revoked_key_can_lose_its_open_sessions(self):
        k = self.keys(("a", "worker"), ("b", "worker"), ("alice", "operator"))
        c = self.cluster(workers=1, coordinator_words=("--keys", k),
                         worker_words=self.words(k, "a"),
                         operator_words=self.words(k, "alice"))
        c.worker_words = self.words(k, "b")
        c.start_worker("w1")
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs on both", lambda: c.status()["workers"] == 2
                   and c.results("a")[0] > 20)
        brewery("keys", "revoke", "a", "--keys", k)
        done = brewery("keys", "revoke", "b", "--now", "--keys", k,
                       "--connect", c.address, *self.words(k, "alice"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "b is revoked\n2 sessions ended\n")
        # Who could not reach the coordinator gives the order again.
        done = brewery("keys", "revoke", "b", "--now", "--keys", k,
                       "--connect", c.address, *self.words(k, "alice"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout,
                         "b is revoked already\n0 sessions ended\n")
        for name in ("w0", "w1"):
            self.assertEqual(c.workers[name].process.wait(timeout=60), 2)
            self.assertIn("its key is revoked", c.workers[name].said())
        brewery("keys", "new", "c", "--keys", k)
        c.worker_words = self.words(k, "c")
        c.start_worker("w2")
        c.wait_for("a")
        self.check(c, "a")

    def test_a_key_that_is_revoked_elsewhere_is_said_to_be_allowed(self):
        k = self.keys(("a", "worker"), ("alice", "operator"))
        c = self.cluster(workers=1, coordinator_words=("--keys", k),
                         worker_words=self.words(k, "a"),
                         operator_words=self.words(k, "alice"))
        copy = k.with_name("copy-of-keys")
        shutil.copytree(k, copy)
        done = brewery("keys", "revoke", "a", "--now", "--keys", copy,
                       "--connect", c.address, *self.words(k, "alice"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the coordinator still allows the key of a: it does not "
                      f"read {copy}", done.stderr)
        self.assertTrue(c.workers["w0"].alive())
        done = brewery("keys", "revoke", "a", "--now", "--keys", k,
                       "--connect", c.address, *self.words(k, "alice"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(c.workers["w0"].process.wait(timeout=60), 2)

    def test_a_broken_key_file_keeps_no_revoked_session_open(self):
        k = self.keys(("a", "worker"), ("b", "worker"), ("gone", "worker"),
                      ("other", "worker"), ("alice", "operator"))
        c = self.cluster(workers=1, coordinator_words=("--keys", k),
                         worker_words=self.words(k, "a"),
                         operator_words=self.words(k, "alice"))
        c.worker_words = self.words(k, "b")
        c.start_worker("w1")
        wait_until("both join", lambda: c.status()["workers"] == 2)

        def revoke(name):
            return brewery("keys", "revoke", name, "--now", "--keys", k,
                           "--connect", c.address, *self.words(k, "alice"))
        (k / "allowed" / "other.pub").write_text("worker\n")
        done = revoke("a")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "a is revoked\n1 session ended\n")
        self.assertEqual(c.workers["w0"].process.wait(timeout=60), 2)
        self.assertIn("its key is revoked", c.workers["w0"].said())
        # Whether b is revoked cannot be known now.
        (k / "allowed" / "b.pub").write_text("worker\n")
        done = revoke("gone")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("not confirmed: 0 sessions ended, but of 1 session it "
                      "cannot be said", done.stderr)
        self.assertIn(".pub", done.stderr)
        self.assertTrue(c.workers["w1"].alive(), c.workers["w1"].said())

    def test_a_list_of_keys_that_is_gone_ends_no_worker(self):
        k = self.keys(("w", "worker"), ("alice", "operator"))
        c = self.cluster(workers=2, coordinator_words=("--keys", k),
                         worker_words=self.words(k, "w"),
                         operator_words=self.words(k, "alice"))
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        (k / "allowed").rename(k / "aside")
        c.coordinator.kill()
        c.start_coordinator()  # with no list at all
        c.start_worker("w2")   # one that was never welcome
        wait_until("it says why nobody can connect", lambda: c.coordinator
                   .said().count("nobody new can connect: cannot read") > 0)
        # Half a list: those who were welcome wait.
        (k / "allowed").mkdir()
        (k / "allowed" / "alice.pub").write_text(
            (k / "alice.pub").read_text())
        wait_until("keys are refused", lambda: "refused key"
                   in c.coordinator.said())
        for name in ("w0", "w1"):
            self.assertTrue(c.workers[name].alive(), c.workers[name].said())
        (k / "allowed" / "w.pub").write_text((k / "w.pub").read_text())
        c.wait_for("a")
        self.check(c, "a")
        for name in ("w0", "w1"):
            self.assertTrue(c.workers[name].alive(), c.workers[name].said())

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

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to be another user")
    def test_keys_of_a_mounted_secret_are_read_through_its_group(self):
        """As a pod with fsGroup sees them: root's, and of its own group."""
        k = self.keys(("w", "worker"))
        for file in (self.root, k):
            os.chmod(file, 0o755)
        for file in (k / "w.key", k / "coordinator.key"):
            os.chown(file, 0, 10001)
        for mode, kept in ((0o440, True), (0o640, True), (0o644, False)):
            os.chmod(k / "w.key", mode)
            done = subprocess.run(
                [BREWERY, "status", "--connect", "tcp://127.0.0.1:9",
                 "--timeout", "1", *map(str, self.words(k, "w"))],
                text=True, capture_output=True, user=10001, group=10001,
                extra_groups=[])
            self.assertEqual(done.returncode, 1)
            self.assertIn("no coordinator answered" if kept else
                          "a Kubernetes Secret needs defaultMode: 0400",
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


if __name__ == "__main__":
    unittest.main(verbosity=1)
