#!/usr/bin/env python3
"""Workers on a real Slurm: one node, with a configuration, a key and ports of
its own in a scratch directory. Prints why and exits 77 where there is none.

  slurm_test.py PATH_OF_BREWERY [unittest arguments]
"""

import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
LACKING = [name for name in ("munged", "slurmctld", "slurmd", "sbatch")
           if not shutil.which(name, path=PATHS)]
if LACKING:
    print(f"skipped: no {', '.join(LACKING)} (apt-get install slurm-wlm munge)")
    sys.exit(77)

CLI = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CLI), str(CLI / "cluster")]
from cluster_case import BREWERY
from engine_case import EngineCase
from support.cluster import SLOW_TOY
from support.program import clean_environment, free_port, wait_until

CONFIGURATION = """
ClusterName=brewery-test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={root}/munge.sock
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """munged, slurmctld and slurmd, in the foreground and ours."""

    def __init__(self):
        # Short: the path of munge's socket has at most 107 bytes.
        self.root = Path(tempfile.mkdtemp(prefix="brewery-slurm-"))
        self.processes = []
        for name in ("state", "spool"):
            (self.root / name).mkdir()
        (self.root / "munge.key").write_bytes(os.urandom(1024))
        (self.root / "munge.key").chmod(0o600)
        self.root.chmod(0o755)  # munged refuses a directory nobody can enter
        self.file = self.root / "slurm.conf"
        self.file.write_text(CONFIGURATION.format(
            root=self.root, user=getpass.getuser(),
            host=socket.gethostname().split(".")[0],
            controller_port=free_port(), node_port=free_port()))

    def start(self):
        self.run("munged", "--foreground", "--force",
                 f"--socket={self.root}/munge.sock",
                 f"--key-file={self.root}/munge.key",
                 f"--pid-file={self.root}/munged.pid",
                 f"--log-file={self.root}/munged.log",
                 f"--seed-file={self.root}/seed")
        wait_until("munge listens", (self.root / "munge.sock").exists)
        self.run("slurmctld", "-D", "-f", self.file)
        self.run("slurmd", "-D", "-f", self.file)
        wait_until("the node is idle: " + self.said(), lambda: self.say(
            "sinfo", "--noheader", "--format=%T", check=False).strip()
            == "idle", every=0.2)

    def environment(self):
        return {**clean_environment(), "SLURM_CONF": str(self.file),
                "PATH": PATHS}

    def run(self, *words):
        with open(self.root / f"{words[0]}.out", "w") as log:
            self.processes.append(subprocess.Popen(
                list(map(str, words)), env=self.environment(), stdout=log,
                stderr=log, stdin=subprocess.DEVNULL))

    def said(self):
        return "".join(path.read_text()[-2000:]
                       for path in self.root.glob("*.out"))

    def say(self, *words, check=True):
        done = subprocess.run(list(words), env=self.environment(), text=True,
                              capture_output=True, timeout=60)
        if check and done.returncode:
            raise AssertionError(f"{words}: {done.stderr}")
        return done.stdout

    def tasks(self):
        """Names of tasks and their states, of the array `workers`."""
        lines = self.say("squeue", "--noheader", "--array", "--name=workers",
                         "--format=%F_%K %T")
        return dict(line.split() for line in lines.splitlines())

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.root, ignore_errors=True)


class OnSlurm(EngineCase):
    engine = ["--on", "slurm"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.slurm = Slurm()
        cls.addClassCleanup(cls.slurm.stop)
        cls.slurm.start()

    def setUp(self):
        super().setUp()
        self.variables |= {"SLURM_CONF": str(self.slurm.file)}

    def end_arrays(self):
        super().end_arrays()
        wait_until("no task is left", lambda: not self.slurm.tasks(),
                   every=0.2)

    def with_workers(self, count, *words):
        c = self.cluster(workers=0)
        said = json.loads(self.up(
            c, "--workers", count, *words,
            worker=["--env", "toy", "--spool", c.root / "spool", "--grace",
                    "5"]))
        self.assertEqual(said["started"], count)
        return c

    def test_a_run_on_eight_workers_with_two_scancels_ends_right(self):
        c = self.with_workers(8)
        self.wait_connected(c, 8)
        c.submit(SLOW_TOY.format(latency=10), "a")
        tasks = sorted(self.slurm.tasks())
        self.assertEqual(len(tasks), 8)
        for task in (tasks[2], tasks[5]):
            before = c.results("a")[0]
            wait_until("the run goes on",
                       lambda: c.results("a")[0] > before + 20)
            self.assertNotEqual(c.state_of("a"), "finished")
            self.slurm.say("scancel", task)
            wait_until("it is gone", lambda: task not in self.slurm.tasks())
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(self.shown(c), {
            "event": "cluster", "name": "workers", "engine": "slurm",
            "running": 6, "waiting": 0, "connected": 6})
        # SIGTERM came to them: they left, and said so.
        for worker in ("workers-2", "workers-5"):
            self.assertIn("has left", self.log_of(c, worker))
        self.assertIn("2 workers ended without `cluster`; why is in "
                      f"{c.root}/workers-2.log",
                      self.ok("cluster", "status", "--connect", c.address))
        # Given again, it starts what is missing, with the same options.
        again = json.loads(self.up(c, "--workers", 8, engine=[]))
        self.assertEqual((again["there"], again["started"]), (6, 2))
        self.wait_connected(c, 8)
        fewer = json.loads(self.up(c, "--workers", 3, engine=[]))
        self.assertEqual((fewer["there"], fewer["ended"]), (8, 5))
        self.wait_connected(c, 3)
        self.assertEqual(json.loads(self.ok("cluster", "down", "--json"))[
            "ended"], 3)
        wait_until("no task is left", lambda: not self.slurm.tasks(),
                   every=0.2)
        self.assertIn("no array", self.ok("cluster", "status"))

    def test_a_worker_that_is_requeued_comes_back(self):
        """As after a preemption, or when its node fails."""
        c = self.with_workers(4)
        self.wait_connected(c, 4)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("the run goes on", lambda: c.results("a")[0] > 20)
        self.slurm.say("scontrol", "requeue", sorted(self.slurm.tasks())[0])
        c.wait_for("a")
        self.check(c, "a")
        # Slurm lets a requeued task wait for two minutes.
        self.assertEqual(len(self.slurm.tasks()), 4)
        shown = self.shown(c)
        self.assertEqual(shown["running"] + shown["waiting"], 4)

    def test_the_queue_scales_an_array(self):
        c = self.with_workers(0, "--max", 3, "--once")
        c.submit(SLOW_TOY.format(latency=10), "a")
        wait_until("jobs are queued", lambda: c.status()["jobs"]["queued"] > 3)
        def look():
            return json.loads(self.up(c, "--workers", 0, "--max", 3, "--once",
                                      engine=[]))
        grown = look()
        self.assertEqual((grown["wanted"], grown["started"]), (3, 3))
        c.wait_for("a")
        self.check(c, "a")
        kept = look()  # it shrinks when fewer have been enough for 5 minutes
        self.assertEqual((kept["wanted"], kept["ended"]), (3, 0))

    def test_it_stays_and_scales_until_it_is_ended(self):
        c = self.cluster(workers=0)
        self.arrays.append("workers")
        process = subprocess.Popen(
            [BREWERY, "cluster", "up", *self.engine, "--workers", "1", "--max",
             "2", "--dir", c.root, "--connect", c.address, "--json", "--",
             "--env", "toy", "--no-spool"], env=self.environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        self.assertEqual(json.loads(process.stdout.readline())["started"], 1)
        c.submit(SLOW_TOY.format(latency=100), "a")
        self.assertEqual(json.loads(process.stdout.readline())["started"], 1)
        self.wait_connected(c, 2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 0)
        process.stdout.close()
        self.assertEqual(self.shown(c)["connected"], 2)

    def test_what_slurm_refuses_is_said_in_one_line(self):
        c = self.cluster(workers=0)
        self.up(c, "--workers", 1, "--option", "--partition=nope",
                worker=["--env", "toy"], run=lambda *words: self.fails(
                    *words, says="sbatch failed: "))
        self.assertIn("no array", self.ok("cluster", "status"))

    def test_workers_that_end_at_once_are_seen(self):
        """Here because there is no such benchmark."""
        c = self.cluster(workers=0)
        self.up(c, "--workers", 1,
                worker=["--env", "tau2-telecom=/nowhere"])
        wait_until("it has ended", lambda: not self.slurm.tasks(), every=0.2)
        shown = self.ok("cluster", "status", "--connect", c.address)
        self.assertIn("1 worker ended without `cluster`", shown)
        self.assertIn("/nowhere", self.log_of(c, "workers-0"))


if __name__ == "__main__":
    unittest.main()
