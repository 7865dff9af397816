#!/usr/bin/env python3
"""Faults of a cluster's machines: full disks, damaged logs, descriptors that
run out, directories that somebody deletes.

  cluster_faults_test.py PATH_OF_BREWERY [unittest arguments]
"""

import os
import re
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case, brewery
from support.cluster import SLOW_TOY, Cluster
from support.program import free_port, wait_until

TOY = SLOW_TOY.format(latency=0)


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}",
                                timeout=60) as reply:
        return reply.read().decode()


def metric(port, name):
    return float(re.search(rf"^{name} (\S+)$", get(port, "/metrics"),
                           re.M)[1])


def damage_result(run, part=0.5):
    """Changes a byte of the result in the middle of a run's log."""
    file = run / "events.db"
    with sqlite3.connect(file) as log:
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows = log.execute("SELECT seq, payload FROM events WHERE kind = "
                           "'job_result' ORDER BY seq").fetchall()
    seq, payload = rows[int(len(rows) * part)]
    data = bytearray(file.read_bytes())
    # What a page holds of it in one piece.
    at = data.index(bytes(payload[:40]))
    data[at + 20] ^= 0xFF
    file.write_bytes(data)
    return seq


class FullDisk(Case):
    """A coordinator whose runs are on a small disk of their own."""

    def small_disk(self, inodes=0):
        folder = self.root / (self.id().split(".")[-1] + "-disk")
        folder.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o",
                               f"size=64m,nr_inodes={inodes}", "tmpfs",
                               folder], capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            self.skipTest("no disk can be mounted here: " + made.stderr)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        return folder

    def fill(self, disk, free_kb=0):
        (disk / "fill").unlink(missing_ok=True)
        free = os.statvfs(disk)
        size = free.f_bavail * free.f_bsize - free_kb * 1024
        (disk / "fill").write_bytes(bytes(max(size, 0)))

    def on(self, disk, *coordinator_words):
        made = Cluster(BREWERY, self.root / self.id().split(".")[-1],
                       f"tcp://127.0.0.1:{free_port()}",
                       coordinator_words=coordinator_words)
        (made.root / "runs").symlink_to(disk)
        self.addCleanup(made.stop)
        return made

    def test_a_disk_that_is_full_at_the_start_is_waited_for(self):
        disk = self.small_disk()
        c = self.on(disk)
        c.start_coordinator()
        c.start_worker("w0")
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        c.coordinator.kill()
        self.fill(disk)
        c.begin_coordinator()
        wait_until("it waits", lambda: "waiting for disk space"
                   in c.coordinator.said())
        self.assertTrue(c.coordinator.alive())
        self.assertEqual(c.coordinator.end(), 0)  # and can be ended
        c.begin_coordinator()
        wait_until("it waits again", lambda: c.coordinator.said().count(
            "waiting for disk space") > 1)
        (disk / "fill").unlink()
        c.wait_for("a")
        self.check(c, "a")

    def test_a_start_that_waits_for_disk_space_is_alive_and_says_so(self):
        disk, port = self.small_disk(), free_port()
        c = self.on(disk, "--metrics-listen", f"127.0.0.1:{port}")
        c.start_coordinator()
        c.coordinator.kill()
        self.fill(disk)
        c.begin_coordinator()

        def ready():
            try:
                return 200, get(port, "/readyz")
            except urllib.error.HTTPError as refused:
                return refused.code, refused.read().decode()
            except OSError:  # nobody listens yet, or for a moment
                return None
        wait_until("it says so",
                   lambda: ready() == (503, "waiting for disk space\n"))
        self.assertEqual(get(port, "/healthz"), "ok\n")
        self.assertEqual(metric(port, "brewery_journal_stuck"), 1)
        (disk / "fill").unlink()
        wait_until("it is ready", lambda: ready() == (200, "ready\n"))
        self.assertEqual(metric(port, "brewery_journal_stuck"), 0)

    def test_a_disk_without_room_for_documents_is_waited_for(self):
        # The log needs no new file, what is published does.
        disk = self.small_disk(inodes=60)
        c = self.on(disk)
        c.start_coordinator()
        c.submit(SLOW_TOY.format(latency=1), "a")
        wait_until("it began", lambda: (disk / "a" / "events.db").exists())
        (disk / "fill").mkdir()
        with self.assertRaises(OSError):
            for number in range(100):
                (disk / "fill" / str(number)).touch()
        c.start_worker("w0", 8)
        wait_until("it waits", lambda: "waiting for disk space"
                   in c.coordinator.said(), 120)
        self.assertEqual(c.state_of("a"), "running")
        shutil.rmtree(disk / "fill")
        c.wait_for("a")
        self.check(c, "a")

    def test_a_submission_counts_or_leaves_nothing_behind(self):
        disk = self.small_disk()
        c = self.on(disk)
        c.start_coordinator()
        taken = []
        for free in (0, 8, 16, 28, 40, 52, 64, 72, 80, 88, 100):
            self.fill(disk, free)
            run = f"r{free}"
            file = c.root / "config.toml"
            file.write_text(TOY)
            done = c.order("submit", file, "--id", run, check=False)
            if done.returncode == 0:
                taken.append(run)
            else:
                self.assertFalse((disk / run).exists(), run)
        self.assertTrue(taken)
        for run in taken:
            self.assertEqual(c.state_of(run), "running")
        (disk / "fill").unlink()
        c.start_worker("w0", 8)
        for run in taken:
            c.wait_for(run)
            self.check(c, run)


class Damage(Case):
    def test_a_run_that_cannot_be_read_is_shown_and_can_be_salvaged(self):
        port = free_port()
        c = self.cluster(workers=1, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"))
        self.assertEqual(metric(port, "brewery_runs_unreadable"), 0)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 40)
        c.coordinator.kill()
        run = c.root / "runs" / "a"
        seq = damage_result(run)
        c.start_coordinator()
        # Any other run goes on.
        c.submit(TOY, "b")
        wait_until("it is shown", lambda: c.state_of("a") == "unreadable")
        self.assertIn(f"row {seq}: its checksum does not match",
                      c.order("status").stdout)
        self.assertEqual(metric(port, "brewery_runs_unreadable"), 1)
        wait_until("it is counted", lambda: metric(
            port, 'brewery_runs{state="unreadable"}') == 1)
        said = get(port, "/readyz")
        self.assertTrue(said.startswith("ready\nrun a cannot be read: "), said)
        c.wait_for("b")
        self.check(c, "b")
        salvaged = brewery("log", "salvage", "a", "--runs-dir",
                           c.root / "runs")
        self.assertEqual(salvaged.returncode, 0, salvaged.stderr)
        self.assertIn("one job to redo", salvaged.stdout)
        c.order("submit", "--resume", "a")
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(metric(port, "brewery_runs_unreadable"), 0)

    def test_a_worker_without_a_place_for_its_spool_names_the_option(self):
        done = brewery("worker", "--env", "toy", env={
            "HOME": "/proc", "XDG_STATE_HOME": ""})  # nobody can write there
        self.assertEqual(done.returncode, 1)
        last = done.stderr.splitlines()[-1]
        self.assertTrue(last.startswith("brewery: cannot create directory "
                                        "/proc/"), last)
        self.assertIn("--spool", last)

    def test_runs_that_are_moved_away_are_waited_for(self):
        c = self.cluster(workers=1)
        runs, away = c.root / "runs", c.root / "away"
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 5)
        runs.rename(away)
        wait_until("it is said", lambda: "journal_stuck run=a "
                   in c.coordinator.said())
        self.assertIn("runs/a is not where it was", c.coordinator.said())
        wait_until("jobs wait for that", lambda: any(
            "cannot be written" in why for why in c.status()["waiting"]))
        self.assertFalse((runs / "a" / "report.md").exists())
        shutil.rmtree(runs, ignore_errors=True)
        away.rename(runs)
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(c.coordinator.said().count("journal_stuck"), 1)

    def test_a_spool_that_is_deleted_is_made_again(self):
        c = self.cluster(workers=1, slots=4)
        c.submit(SLOW_TOY.format(latency=20), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 5)
        spool = c.root / "spool"
        # The worker writes there meanwhile.
        wait_until("it is deleted", lambda: shutil.rmtree(
            spool, ignore_errors=True) or not spool.exists())
        c.coordinator.kill()
        wait_until("results wait on disk", lambda: list(
            spool.glob("*/result-*")))
        c.start_coordinator()
        c.wait_for("a")
        self.check(c, "a")


class Callers:
    """They connect, say nothing, and come again when they are hung up on."""

    def __init__(self, address, count):
        host, port = address.removeprefix("tcp://").rsplit(":", 1)
        self.where, self.count, self.streams = (host, int(port)), count, []

    def call(self):
        for stream in select.select(self.streams, [], [], 0)[0]:
            self.streams.remove(stream)
            stream.close()
        while len(self.streams) < self.count:
            stream = socket.socket()
            stream.setblocking(False)
            stream.connect_ex(self.where)
            self.streams.append(stream)
        return True

    def leave(self):
        while self.streams:
            self.streams.pop().close()


class Exhaustion(Case):
    def test_descriptors_that_run_out_cost_no_processor_and_are_logged(self):
        few = ("sh", "-c", 'ulimit -n 80; exec "$@"', "sh")
        c = self.cluster(workers=1, lease_ms=None, where=lambda role: (
            few if role == "coordinator" else ()))
        c.submit(SLOW_TOY.format(latency=2), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 5)
        callers = Callers(c.address, 200)
        self.addCleanup(callers.leave)
        wait_until("it is logged", lambda: callers.call()
                   and "no descriptors left" in c.coordinator.said())
        # They come again and again, which is nothing to those who are here.
        done = c.results("a")[0]
        wait_until("the run goes on", lambda: callers.call()
                   and c.results("a")[0] > done + 20)
        self.assertEqual(c.coordinator.said().count("worker w0 joined"), 1)
        callers.leave()
        c.start_worker("w1")  # somebody new is let in again
        wait_until("it joins", lambda: "worker w1 " in c.coordinator.said())
        c.wait_for("a")
        self.check(c, "a")
        self.assertLess(c.coordinator.said().count("no descriptors left"), 5)

    def test_the_limit_of_descriptors_is_raised(self):
        c = self.cluster(workers=0, where=lambda role: (
            "sh", "-c", 'ulimit -S -n 256; exec "$@"', "sh"))
        limits = Path(f"/proc/{c.coordinator.process.pid}/limits").read_text()
        soft, hard = re.search(r"Max open files +(\d+) +(\d+)",
                               limits).groups()
        self.assertEqual(soft, hard)

    def test_peers_that_talk_garbage_are_counted(self):
        port = free_port()
        c = self.cluster(workers=0, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"))
        before = metric(port, "brewery_peers_refused_total")
        host, at = c.address.removeprefix("tcp://").rsplit(":", 1)
        for _ in range(10):
            with socket.create_connection((host, int(at)), 5) as stream:
                stream.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00GET / HTTP"
                               + bytes(400))
        wait_until("they are counted", lambda: metric(
            port, "brewery_peers_refused_total") >= before + 10)


class Reload(Case):
    def test_sighup_reads_keys_and_the_log_level_again(self):
        k = self.root / "reload-keys"
        for name, role in (("coordinator", "coordinator"), ("w", "worker"),
                           ("v", "worker"), ("alice", "operator")):
            made = brewery("keys", "new", name, "--role", role, "--keys", k)
            self.assertEqual(made.returncode, 0, made.stderr)

        def words(name):
            return ("--key", k / f"{name}.key", "--server-key",
                    k / "coordinator.pub")
        c = self.cluster(workers=1, coordinator_words=("--keys", k),
                         worker_words=words("w"), operator_words=words("alice"))
        wait_until("it joins", lambda: c.status()["workers"] == 1)
        brewery("keys", "revoke", "w", "--keys", k)
        (c.root / "runs" / ".coordinator" / "log_level").write_text("debug\n")
        c.coordinator.send(signal.SIGHUP)
        self.assertEqual(c.workers["w0"].process.wait(timeout=60), 2)
        self.assertIn("sessions ended: 1", c.coordinator.said())
        c.worker_words = words("v")
        c.start_worker("w1")
        c.submit(TOY, "a")
        c.wait_for("a")
        self.check(c, "a")
        self.assertIn("[debug] lease_granted", c.coordinator.said())


if __name__ == "__main__":
    unittest.main(verbosity=1)
