"""A cluster of real processes for tests: a coordinator and workers that can be
killed, paused and replaced, and what must hold of its runs afterwards."""

import json
import os
import signal
import sqlite3
import subprocess
from pathlib import Path

from support.program import clean_environment, files_below, wait_until

# Some 350 jobs of about 15 tool calls each, which the delay makes longer.
SLOW_TOY = """
[run]
seed = 7
[environment]
kind = "toy"
eval_split = "eval"
simulated_latency_ms = {latency}
[search]
iterations = 2
initial_trials = 6
[eval]
test_trials = 1
"""


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def result_keys(folder):
    """The job of every result in a run's log, in order."""
    file = folder / "events.db"
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as log:
        rows = log.execute("SELECT key FROM events WHERE kind = 'job_result' "
                           "ORDER BY seq")
        return [key for (key,) in rows]


class Process:
    """One `brewery` process with its log in a file."""

    def __init__(self, brewery, words, log, prefix=(), env=None):
        self.log_file = log
        self.log = open(log, "a", encoding="utf-8")
        self.process = subprocess.Popen(
            [*prefix, brewery, *map(str, words)],
            env={**clean_environment(), **(env or {})}, text=True,
            stdout=self.log, stderr=self.log, start_new_session=True)

    def alive(self):
        return self.process.poll() is None

    def send(self, number):
        if self.alive():
            os.kill(self.process.pid, number)

    def kill(self):
        self.send(signal.SIGKILL)
        self.process.wait()
        self.log.close()

    def end(self):
        self.send(signal.SIGTERM)
        code = self.process.wait(timeout=120)
        self.log.close()
        return code

    def said(self):
        return Path(self.log_file).read_text(encoding="utf-8")


class Cluster:
    """`where(role)` gives the words before the program, e.g. to run it in a
    network namespace; `address` is where workers reach the coordinator.
    Without `lease_ms` it has the default lease. `worker_words` are those of all
    workers, or follow from the name of one."""

    def __init__(self, brewery, root, address, listen=None, where=None,
                 lease_ms=2000, coordinator_words=(), worker_words=(),
                 operator_words=(), environment="toy"):
        self.brewery, self.root, self.address = brewery, Path(root), address
        self.listen = listen or address
        self.where = where or (lambda role: ())
        self.lease_ms = lease_ms
        self.coordinator_words = coordinator_words
        self.worker_words = worker_words
        self.operator_words = operator_words
        self.environment = environment  # of workers
        self.coordinator = None
        self.workers = {}
        self.root.mkdir(parents=True, exist_ok=True)

    # -- processes --

    def begin_coordinator(self):
        """Without waiting until it listens."""
        lease = (("--set", f"cluster.lease_ms={self.lease_ms}")
                 if self.lease_ms else ())
        self.coordinator = Process(
            self.brewery,
            ["coordinator", "--runs-dir", self.root / "runs", "--listen",
             self.listen, *lease, *self.coordinator_words],
            self.root / "coordinator.log", self.where("coordinator"))

    def times_listening(self):
        log = self.root / "coordinator.log"
        return log.read_text().count("listening on") if log.exists() else 0

    def start_coordinator(self):
        before = self.times_listening()
        self.begin_coordinator()
        self.await_coordinator(before)

    def await_coordinator(self, before):
        """Until it has listened more often than that."""
        wait_until("the coordinator listens",
                   lambda: (self.times_listening() > before
                            or not self.coordinator.alive()))
        if not self.coordinator.alive():
            raise AssertionError("no coordinator: " + self.coordinator.said())

    def start_worker(self, name, slots=2, address=None):
        words = (self.worker_words(name) if callable(self.worker_words)
                 else self.worker_words)
        grace = () if "--grace" in words else ("--grace", "5")
        self.workers[name] = Process(
            self.brewery,
            ["worker", "--connect", address or self.address, "--env",
             self.environment, "--slots", slots, "--name", name, "--spool",
             self.root / "spool", *grace, *words],
            self.root / f"{name}.log", self.where(name))

    def stop(self):
        for process in [*self.workers.values(), self.coordinator]:
            if process:
                process.send(signal.SIGCONT)
                process.kill()

    # -- orders --

    def order(self, *words, check=True):
        done = subprocess.run(
            [*self.where("coordinator"), self.brewery, *map(str, words),
             "--connect", self.listen.replace("0.0.0.0", "127.0.0.1"),
             *self.operator_words],
            env=clean_environment(), text=True, capture_output=True,
            timeout=60)
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: {done.stderr}\n"
                                 + self.coordinator.said()[-2000:])
        return done

    def submit(self, config, run, *words):
        file = self.root / f"{run}.toml"
        file.write_text(config)
        return self.order("submit", file, "--id", run, *words)

    def status(self):
        done = self.order("status", "--json", check=False)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def state_of(self, run):
        now = self.status()
        states = {r["id"]: r["state"] for r in now["runs"]} if now else {}
        return states.get(run)

    def wait_for(self, run, limit=300):
        """Until the report is written: readable also while nobody answers."""
        report = self.root / "runs" / run / "report.md"
        wait_until(f"run {run} is finished", report.exists, limit, 0.05)

    # -- what must hold --

    def documents(self, run):
        """The learned documents; the manifest without the run's name."""
        files = files_below(self.root / "runs" / run / "kb")
        return {name: text.replace(f'"run": "{run}"'.encode(), b"")
                for name, text in files.items()}

    def result_keys(self, run):
        """The job of every result in the log, in order."""
        return result_keys(self.root / "runs" / run)

    def results(self, run):
        """Rows of results in the log, and distinct jobs among them."""
        keys = self.result_keys(run)
        return len(keys), len(set(keys))
