#!/usr/bin/env python3
"""A coordinator that comes back at another address: workers know it by a name,
as in Kubernetes, where a pod that starts again has a new address.

The resolver reads a hosts file of our own, which a private mount namespace
puts in the place of /etc/hosts. Prints why and exits 77 where there are none.

  moved_coordinator_test.py PATH_OF_BREWERY [unittest arguments]
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

INSIDE = "BREWERY_TEST_HOSTS"
NAME = "coordinator.test"


def enter():
    """Starts this program again in a mount namespace with our hosts file;
    returns there."""
    if os.environ.get(INSIDE):
        return
    folder = Path(tempfile.mkdtemp(prefix="brewery-hosts-"))
    try:
        (folder / "hosts").write_text("127.0.0.1 localhost\n")
        # No name server is asked: an unknown name is unknown at once.
        (folder / "nsswitch.conf").write_text("hosts: files\n")
        mounts = " && ".join(f"mount --bind {folder}/{name} /etc/{name}"
                             for name in ("hosts", "nsswitch.conf"))
        for user in ([], ["--user", "--map-root-user"]):
            words = ["unshare", *user, "--mount", "sh", "-c"]
            if shutil.which("unshare") and subprocess.run(
                    [*words, mounts], capture_output=True).returncode == 0:
                done = subprocess.run(
                    [*words, mounts + ' && exec "$@"', "sh", sys.executable,
                     *sys.argv], env={**os.environ, INSIDE: str(folder)})
                sys.exit(done.returncode)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("skipped: mount namespaces are not permitted here")
    sys.exit(77)


enter()
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case
from support.cluster import SLOW_TOY, Cluster
from support.program import free_port, wait_until


class Moved(Case):
    def name_is_at(self, address):
        """The same file, because it is mounted; no line: nobody's name."""
        line = f"{address} {NAME}\n" if address else ""
        (Path(os.environ[INSIDE]) / "hosts").write_text(
            "127.0.0.1 localhost\n" + line)

    def cluster_by_name(self):
        port = free_port()
        made = Cluster(BREWERY, self.root / self.id().split(".")[-1],
                       f"tcp://{NAME}:{port}")
        self.addCleanup(made.stop)
        self.place = lambda host: f"tcp://{host}:{port}"
        made.listen = self.place("127.0.0.2")
        return made

    def test_workers_wait_for_a_name_and_follow_it(self):
        self.name_is_at(None)
        c = self.cluster_by_name()
        for name in ("w0", "w1"):
            c.start_worker(name)
        c.start_coordinator()
        self.assertEqual(c.status()["workers"], 0)
        self.name_is_at("127.0.0.2")
        wait_until("they have found it", lambda: c.status()["workers"] == 2)
        c.submit(SLOW_TOY.format(latency=4), "a")
        for number in (3, 4):
            before = c.results("a")[0]
            wait_until("the run goes on",
                       lambda: c.results("a")[0] > before + 20)
            c.coordinator.kill()
            self.name_is_at(f"127.0.0.{number}")
            c.listen = self.place(f"127.0.0.{number}")
            c.start_coordinator()
            wait_until("they have followed", lambda: c.status()["workers"] == 2)
        c.wait_for("a")
        self.check(c, "a")
        self.assertTrue(all(w.alive() for w in c.workers.values()))

    def test_workers_follow_a_name_whose_old_address_has_fallen_silent(self):
        """Of a machine that lost its power no connection breaks."""
        self.name_is_at("127.0.0.2")
        c = self.cluster_by_name()
        c.start_coordinator()
        c.start_worker("w0")
        wait_until("it has joined", lambda: c.status()["workers"] == 1)
        silent = c.coordinator
        self.addCleanup(silent.kill)
        silent.send(signal.SIGSTOP)
        c.root = c.root / "elsewhere"
        c.root.mkdir()
        c.listen = self.place("127.0.0.3")
        c.start_coordinator()
        self.name_is_at("127.0.0.3")
        wait_until("it has followed", lambda: c.status()["workers"] == 1)


if __name__ == "__main__":
    unittest.main()
