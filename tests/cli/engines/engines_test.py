#!/usr/bin/env python3
"""Workers by ssh, on Ray and on Kubernetes. ssh and Ray are real, on this
machine, where they are installed; Kubernetes is a `kubectl` that notes what it
is told. Slurm: slurm_test.py.

  engines_test.py PATH_OF_BREWERY [unittest arguments]
"""

import getpass
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

CLI = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CLI), str(CLI / "cluster")]
from engine_case import EngineCase
from support.cluster import SLOW_TOY
from support.program import clean_environment, free_port, wait_until

SSHD = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
# A folder with `python3` and `ray` of an environment that has Ray.
RAY = os.environ.get("BREWERY_RAY") or os.path.dirname(
    shutil.which("ray") or "")


class BySsh(EngineCase):
    @classmethod
    def setUpClass(cls):
        if not SSHD or not shutil.which("ssh"):
            raise unittest.SkipTest("no ssh and sshd (openssh-server)")
        super().setUpClass()
        port, at = free_port(), cls.root
        for name in ("host", "mine"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "",
                            "-f", at / name], check=True)
        (at / "authorized").write_text((at / "mine.pub").read_text())
        (at / "sshd.conf").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host\n"
            f"AuthorizedKeysFile {at}/authorized\nPidFile none\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\n")
        (at / "ssh.conf").write_text(
            "Host node-a node-b\n  HostName 127.0.0.1\n"
            f"  Port {port}\n  IdentityFile {at}/mine\n"
            f"  User {getpass.getuser()}\n  StrictHostKeyChecking no\n"
            f"  UserKnownHostsFile {at}/known\n  LogLevel ERROR\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        sshd = subprocess.Popen([SSHD, "-D", "-f", at / "sshd.conf"],
                                stderr=subprocess.DEVNULL)
        cls.addClassCleanup(sshd.wait)
        cls.addClassCleanup(sshd.terminate)
        cls.engine = ["--on", "ssh", "--option=-F", f"--option={at}/ssh.conf",
                      "--host", "node-a", "--host", "node-b"]
        wait_until("sshd answers", lambda: subprocess.run(
            ["ssh", "-F", at / "ssh.conf", "-o", "BatchMode=yes", "node-a",
             "true"], capture_output=True).returncode == 0, every=0.2)

    def test_workers_of_two_hosts_do_a_run_and_end(self):
        c = self.cluster(workers=0)
        said = json.loads(self.up(c, "--workers", 4, worker=[
            "--env", "toy", "--spool", c.root / "spool", "--grace", "5"]))
        self.assertEqual(said["started"], 4)
        self.wait_connected(c, 4)
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("the run goes on", lambda: c.results("a")[0] > 20)
        fewer = json.loads(self.up(c, "--workers", 2, engine=[]))
        self.assertEqual(fewer["ended"], 2)
        c.wait_for("a")
        self.check(c, "a")
        self.wait_connected(c, 2)
        self.assertEqual(self.shown(c)["running"], 2)
        self.assertIn("has left", self.log_of(c, "workers-3"))
        self.assertEqual(json.loads(self.ok("cluster", "down", "--json"))[
            "ended"], 2)
        wait_until("they have left", lambda: c.status()["workers"] == 0)
        wait_until("their processes have ended", lambda: not processes_with(
            str(c.root / "spool")))

    def test_what_is_wrong_there_is_said_in_one_line(self):
        c = self.cluster(workers=0)
        def refused(*words, says, worker=("--env", "toy")):
            self.up(c, "--workers", 1, *words, worker=worker,
                    run=lambda *all: self.fails(*all, says=says))
        refused("--program", "/nowhere/brewery",
                says="ssh on node-a failed: there is no program "
                     "/nowhere/brewery")
        refused(worker=["--env", "toy", "--connect",
                        f"tcp://127.0.0.1:{free_port()}"],
                says="no coordinator can be reached from here at tcp://")
        refused("--option=-oProxyCommand=false", says="ssh on node-a failed: ")
        self.assertIn("no array", self.ok("cluster", "status"))


def processes_with(word):
    """Ids of the workers that have the word in their command line."""
    out = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode().split("\0")
        except OSError:  # it has ended
            continue
        if words[1:2] == ["worker"] and word in words:
            out.add(int(process.name))
    return out


def parent_of(process):
    stat = Path(f"/proc/{process}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


class OnRay(EngineCase):
    engine = ["--on", "ray", "--option", "num_cpus=1"]

    @classmethod
    def setUpClass(cls):
        if not RAY:
            raise unittest.SkipTest(
                "no Ray (pip install ray; BREWERY_RAY: its bin)")
        super().setUpClass()
        cls.path = RAY + ":" + os.environ["PATH"]
        cls.port = free_port()
        cls.ray_environment = {**clean_environment(), "PATH": cls.path,
                               "RAY_USAGE_STATS_ENABLED": "0"}
        head = subprocess.Popen(
            [f"{RAY}/ray", "start", "--head", "--block", f"--port={cls.port}",
             "--num-cpus=4", "--include-dashboard=false",
             "--disable-usage-stats", f"--temp-dir={cls.root}/ray"],
            env=cls.ray_environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        cls.addClassCleanup(head.wait, 60)
        cls.addClassCleanup(head.terminate)

    def setUp(self):
        super().setUp()
        self.variables |= {"PATH": self.path,
                           "RAY_ADDRESS": f"127.0.0.1:{self.port}"}
        wait_until("Ray answers", lambda: subprocess.run(
            [f"{RAY}/ray", "status", f"--address=127.0.0.1:{self.port}"],
            env=self.ray_environment, capture_output=True).returncode == 0,
            120, 1)

    def test_actors_do_a_run_and_end(self):
        c = self.cluster(workers=0)
        self.up(c, "--workers", 6, worker=[
            "--env", "toy", "--spool", c.root / "spool", "--grace", "5"])
        self.wait_connected(c, 4)  # as many as there are CPUs
        def states():
            shown = self.shown(c)
            return shown["running"], shown["waiting"]
        # An actor on a busy machine may take its time to say that it runs.
        wait_until("four run, two wait", lambda: states() == (4, 2), 60, 1)
        c.submit(SLOW_TOY.format(latency=10), "a")
        wait_until("the run goes on", lambda: c.results("a")[0] > 20)
        fewer = json.loads(self.up(c, "--workers", 3, engine=[]))
        self.assertEqual(fewer["ended"], 3)
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(self.shown(c)["connected"], 3)
        self.ok("cluster", "down")
        wait_until("they have left", lambda: c.status()["workers"] == 0)


    def test_what_is_killed_is_started_again(self):
        """A worker, and an actor with its worker: kill -9, in a run."""
        c = self.cluster(workers=0)
        self.up(c, "--workers", 4, worker=[
            "--env", "toy", "--spool", c.root / "spool", "--grace", "5"])
        self.wait_connected(c, 4)
        c.submit(SLOW_TOY.format(latency=10), "a")
        wait_until("the run goes on", lambda: c.results("a")[0] > 20)
        worker, other = sorted(processes_with(str(c.root / "spool")))[:2]
        actor = parent_of(other)
        os.kill(worker, signal.SIGKILL)
        os.kill(actor, signal.SIGKILL)
        wait_until("they are gone", lambda: not {worker, other}
                   & processes_with(str(c.root / "spool")))
        c.wait_for("a")
        self.check(c, "a")
        self.wait_connected(c, 4)
        self.assertNotIn(actor, {parent_of(one) for one in processes_with(
            str(c.root / "spool"))})


class OnKubernetes(EngineCase):
    """Its part here is a program that notes its words."""
    engine = ["--on", "k8s"]

    def setUp(self):
        super().setUp()
        folder = self.root / f"bin-{self.id().split('.')[-1]}"
        folder.mkdir()
        self.notes, self.replicas = folder / "notes", folder / "replicas"
        self.replicas.write_text("2")
        kubectl = folder / "kubectl"
        kubectl.write_text(f"""#!/bin/sh
echo "$@" >> {self.notes}
case $1 in
  get) echo "$(cat {self.replicas}) 1" ;;
  scale) echo "${{2#--replicas=}}" > {self.replicas} ;;
esac
""")
        kubectl.chmod(0o755)
        self.variables |= {"PATH": f"{folder}:{os.environ['PATH']}"}

    def test_a_deployment_is_scaled(self):
        c = self.cluster(workers=0)
        said = json.loads(self.up(c, "--workers", 20, "--option",
                                  "--context=prod"))
        self.assertEqual((said["there"], said["started"]), (2, 18))
        where = ("deployment/brewery-worker --namespace=brewery "
                 "--context=prod")
        self.assertIn(f"scale --replicas=20 {where}\n",
                      self.notes.read_text())
        c.start_worker("brewery-worker-7c9d-x2")  # as a pod is called
        self.wait_connected(c, 1)
        self.assertEqual(self.shown(c)["waiting"], 19)
        self.ok("cluster", "down")
        self.assertEqual(self.notes.read_text().splitlines()[-1],
                         f"scale --replicas=0 {where}")

    def test_workers_there_have_the_options_of_their_deployment(self):
        c = self.cluster(workers=0)
        self.up(c, "--workers", 1, worker=["--env", "toy"],
                run=lambda *words: self.fails(*words, says="Deployment",
                                              code=2))


class AnyEngine(EngineCase):
    def test_an_engine_that_is_not_here_is_named(self):
        c = self.cluster(workers=0)
        (self.root / "empty").mkdir()
        self.variables["PATH"] = str(self.root / "empty")
        for engine, program in (("slurm", "sbatch"), ("k8s", "kubectl"),
                                ("ray", "python3")):
            worker = [] if engine == "k8s" else ["--env", "toy"]
            self.up(c, "--workers", 1, engine=["--on", engine], worker=worker,
                    run=lambda *words: self.fails(
                        *words, says=f'there is no program "{program}"'))

    def test_usage(self):
        def usage(*words, says):
            self.fails("cluster", *words, says=says, code=2)
        usage("up", "--workers", "1", says="--on slurm")
        usage("up", "--on", "ssh", "--workers", "1", "--", "--env", "toy",
              says="--host")
        usage("up", "--on", "slurm", "--workers", "3", "--max", "2", "--",
              "--env", "toy", says="--max 2 is below --workers 3")
        usage("up", "--on", "slurm", "--workers", "3", "--once", "--",
              "--env", "toy", says="--once needs --max")
        usage("up", "--on", "slurm", "--workers", "3", "--", "--evn", "toy",
              says="--env")
        self.fails("cluster", "down", "--name", "nigth",
                   says="there is no array nigth")


if __name__ == "__main__":
    unittest.main()
