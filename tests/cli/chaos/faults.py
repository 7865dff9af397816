"""The faults of chaos.py, done to processes, networks, keys, disks and logs."""

import heapq
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from support.program import wait_until

REVOKED = 2  # exit code of a worker whose key is
HEALTH = "127.0.0.1:7421"  # of the coordinator
DISK_MB = 160  # below the runs, of which little is used

CROWD = """
import socket, sys, time
streams = []
for where, count in (sys.argv[1], 200), (sys.argv[2], 100):
    host, port = where.rsplit(":", 1)
    for _ in range(count):
        streams.append(socket.socket())
        streams[-1].setblocking(False)
        streams[-1].connect_ex((host, int(port)))
time.sleep(1)
print("there", flush=True)
time.sleep(60)
"""
PROBES = """
import sys, urllib.request
for _ in range(20):
    urllib.request.urlopen(f"http://{sys.argv[1]}/healthz", timeout=30)
"""
GARBAGE = """
import random, socket, sys
host, port = sys.argv[1].rsplit(":", 1)
for seed in range(30):
    with socket.create_connection((host, int(port)), 10) as stream:
        stream.sendall(random.Random(seed).randbytes(2000))
"""


class Nemesis:
    """Carries out a plan: (second, what, worker or None, how long)."""

    UNDO = {"pause": "go_on", "cut": "heal", "deafen": "heal", "mute": "heal",
            "kill_coordinator": "start_coordinator", "lose_keys": "find_keys",
            "revoke": "allow", "crowd": "disperse", "exhaust": "relieve",
            "fill_disk": "empty_disk", "start_full": "empty_disk",
            "damage": "start_coordinator"}

    def __init__(self, cluster, net, keys, salvage):
        self.cluster, self.net, self.keys = cluster, net, keys
        self.salvage = salvage  # cuts damaged rows out of a run's log
        self.silent = []  # processes whose connections say nothing
        self.waits = None  # it was begun on a full disk, after so many starts
        self.begun = time.time()
        self.done = []  # (begun, what, worker, carried out) of each fault
        self.wrong = []
        self.diary = open(cluster.root / "faults.log", "a", encoding="utf-8")

    def carry_out(self, plan):
        begun = time.monotonic()
        steps = [(at, i, what, worker, lasts)
                 for i, (at, what, worker, lasts) in enumerate(plan)]
        heapq.heapify(steps)
        while steps:
            at, i, what, worker, lasts = heapq.heappop(steps)
            time.sleep(max(0.0, begun + at - time.monotonic()))
            begun_at = self.note(what, worker)
            getattr(self, what)(worker)
            self.done.append((begun_at, what, worker, time.time()))
            if what in self.UNDO:
                heapq.heappush(steps,
                               (at + lasts, i, self.UNDO[what], worker, 0))

    def note(self, what, worker):
        now = time.time()
        self.diary.write(f"{now - self.begun:9.3f} {what} {worker or ''}\n")
        self.diary.flush()
        return now

    def beside(self, program, *words, **how):
        """A Python program where the coordinator is."""
        return subprocess.Popen(
            [*self.cluster.where("coordinator"), sys.executable, "-c", program,
             *words], text=True, **how)

    @property
    def address(self):
        return self.cluster.listen.removeprefix("tcp://").replace("0.0.0.0",
                                                                  "127.0.0.1")

    # -- processes and networks --

    def kill(self, worker):
        if not self.cluster.workers[worker].alive():
            self.wrong.append(f"worker {worker} ended by itself: "
                              + self.cluster.workers[worker].said()[-300:])
        self.cluster.workers[worker].kill()
        self.cluster.start_worker(worker)

    def pause(self, worker):
        self.cluster.workers[worker].send(signal.SIGSTOP)

    def go_on(self, worker):
        self.cluster.workers[worker].send(signal.SIGCONT)

    def cut(self, worker):
        self.net.cut(worker)

    def deafen(self, worker):
        self.net.deafen(worker)

    def mute(self, worker):
        self.net.mute(worker)

    def heal(self, worker):
        self.net.heal(worker)

    def kill_coordinator(self, _):
        coordinator = self.cluster.coordinator
        if not coordinator.alive() and coordinator.process.returncode >= 0:
            self.wrong.append("the coordinator ended by itself: "
                              + coordinator.said()[-300:])
        coordinator.kill()

    def start_coordinator(self, _):
        if self.cluster.coordinator.alive():
            return
        before = self.cluster.times_listening()
        self.cluster.begin_coordinator()
        if self.ballast.exists():
            self.waits = before
        else:
            self.cluster.await_coordinator(before)

    # -- keys --

    @property
    def allowed(self):
        return self.keys / "allowed"

    def lose_keys(self, _):
        self.allowed.rename(self.allowed.with_name("aside"))

    def find_keys(self, _):
        self.allowed.with_name("aside").rename(self.allowed)

    def revoke(self, worker):
        self.cluster.order("keys", "revoke", worker, "--now", "--keys",
                           self.keys, check=False)

    def allow(self, worker):
        """It has ended, whether or not the coordinator outlived the order, and
        comes back with a new key."""
        process = self.cluster.workers[worker].process
        wait_until(f"{worker} ends", lambda: process.poll() is not None)
        if process.returncode != REVOKED:
            self.wrong.append(f"{worker} ended with {process.returncode}, "
                              f"not {REVOKED}, when its key was revoked")
        subprocess.run([self.cluster.brewery, "keys", "new", worker, "--keys",
                        self.keys], check=True, stdout=subprocess.DEVNULL)
        self.cluster.start_worker(worker)

    # -- machines --

    def delete_spool(self, _):
        shutil.rmtree(self.cluster.root / "spool", ignore_errors=True)

    def hang_up(self, _):
        self.cluster.coordinator.send(signal.SIGHUP)

    def crowd(self, _):
        """Connections that say nothing, to the coordinator and its health,
        which answers others."""
        crowd = self.beside(CROWD, self.address, HEALTH,
                            stdout=subprocess.PIPE)
        self.silent.append(crowd)
        crowd.stdout.readline()
        probes = self.beside(PROBES, HEALTH, stderr=subprocess.PIPE)
        said = probes.communicate()[1]
        if probes.returncode != 0 and self.cluster.coordinator.alive():
            self.wrong.append("health did not answer: " + said[-300:])

    def disperse(self, _):
        for process in self.silent:
            process.kill()
            process.communicate()
        self.silent.clear()

    def garbage(self, _):
        self.beside(GARBAGE, self.address, stderr=subprocess.DEVNULL).wait()

    def exhaust(self, _):
        """The coordinator can open nothing more."""
        self.limit_descriptors(3)

    def relieve(self, _):
        self.limit_descriptors(None)

    def limit_descriptors(self, count):
        if not self.cluster.coordinator.alive():
            return
        process = self.cluster.coordinator.process.pid
        hard = resource.prlimit(process, resource.RLIMIT_NOFILE)[1]
        resource.prlimit(process, resource.RLIMIT_NOFILE,
                         (hard if count is None else count, hard))

    # -- disks and logs --

    @property
    def runs(self):
        return self.cluster.root / "runs"

    @property
    def ballast(self):
        return self.runs / ".ballast"

    def mount_disk(self):
        """A small one below the runs, which goes with the namespace."""
        self.runs.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m",
                        "none", self.runs], check=True)

    def unmount_disk(self):
        """What is on it stays, for who looks for a failure."""
        self.ballast.unlink(missing_ok=True)
        kept = self.cluster.root / "kept"
        shutil.copytree(self.runs, kept)
        subprocess.run(["umount", "-l", self.runs], check=True)
        self.runs.rmdir()
        kept.rename(self.runs)

    def fill_disk(self, _):
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 16)):
                    pass
            except OSError:
                pass

    def start_full(self, _):
        self.kill_coordinator(None)
        self.fill_disk(None)
        self.start_coordinator(None)

    def empty_disk(self, _):
        self.ballast.unlink()
        if self.waits is not None:
            self.cluster.await_coordinator(self.waits)
            self.waits = None

    def damage(self, _):
        """Spoils a result in the log of a run that goes on, and salvages it."""
        self.kill_coordinator(None)
        for folder in sorted(self.runs.glob("*-*")):
            if (folder / "report.md").exists():
                continue
            if payload := some_result(folder / "events.db"):
                for name in ("events.db", "events.db-wal"):
                    spoil(folder / name, bytes(payload[:40]))
                self.note("spoiled", folder.name)
                self.wrong += self.salvage(folder)
                return


def some_result(log):
    """One in the middle; none: there is nothing yet."""
    if not log.exists():
        return None
    with sqlite3.connect(f"file:{log}?mode=ro", uri=True) as rows:
        found = [payload for (payload,) in rows.execute(
            "SELECT payload FROM events WHERE kind = 'job_result' ORDER BY "
            "seq")]
    return found[len(found) // 2] if found else None


def spoil(file, text):
    if file.exists() and text in (data := file.read_bytes()):
        spoiled = text[:20] + bytes([text[20] ^ 0xFF]) + text[21:]
        file.write_bytes(data.replace(text, spoiled))
