#!/usr/bin/env python3
"""Chaos: a cluster of real processes in network namespaces, with CURVE, under
faults that follow a seed.

  chaos.py PATH_OF_BREWERY [--short] [--seed N] [--only SCENARIO] [--keep]
           [--work telecom]

With --work telecom the runs are those of config/telecom-example.toml: real
rollouts, large results, three strategies.

Without --short, a median recovery above its goal fails too: the short form is
run on machines that do other things, and only prints it.

The rule of every scenario: no result is lost, none is counted twice, and every
run ends with the knowledge base of an undisturbed one in a single process.
Exit code 77: namespaces are not permitted here, nothing was tested.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netns
from faults import HEALTH, Nemesis
from load import Journal, Load, summary
from plans import GOALS, GUEST, SCENARIOS, UNMEASURED, WORDS, WORKERS
from support.cluster import SLOW_TOY, Cluster, result_keys
from support.program import clean_environment, files_below, wait_until

SKIPPED = 77
SOURCES = Path(__file__).resolve().parents[3]
# Of a tool call, in ms. Jobs take some 15 times this: long enough that every
# fault hits a few.
LATENCY, SHORT_LATENCY = 20, 10
# After the last fault; runs of 15 s that were disturbed, on a busy machine.
PATIENCE = 240



def telecom(short):
    """The example's configuration and the offer of workers for it. In short: one
    strategy, and a tenth of the first attempts."""
    text = (SOURCES / "config" / "telecom-example.toml").read_text()
    data = SOURCES / "examples" / "telecom"
    if short:
        for whole, part in (("initial_trials = 40", "initial_trials = 4"),
                            ("iterations = 3", "iterations = 1"),
                            ('["mcts", "greedy", "iterative"]', '["mcts"]')):
            assert whole in text
            text = text.replace(whole, part)
    return (text.replace('"../examples/telecom"', f'"{data}"'),
            f"tau2-telecom={data}")


class Chaos:
    def __init__(self, brewery, root, work, short):
        latency = SHORT_LATENCY if short else LATENCY
        self.brewery, self.root = brewery, root
        self.config, self.still, self.environment = (
            SLOW_TOY.format(latency=latency), SLOW_TOY.format(latency=0),
            "toy")
        if work == "telecom":
            self.config, self.environment = telecom(short)
            self.still = self.config
        self.net = netns.Net(WORKERS)
        self.wrong = []
        self.samples = {what: [] for what in WORDS}
        self.faults = {what: 0 for what in WORDS}
        self.copied = {what: 0 for what in WORDS}
        self.made_keys = self.keys()
        self.reference = self.undisturbed()

    def command(self, *words):
        subprocess.run([self.brewery, *map(str, words)], check=True,
                       env=clean_environment(), stdout=subprocess.DEVNULL)

    def keys(self):
        folder = self.root / "keys"
        for name, role in (("coordinator", "coordinator"), ("w", "worker"),
                           (GUEST, "worker"), ("alice", "operator")):
            self.command("keys", "new", name, "--role", role, "--keys", folder)
        return folder

    def undisturbed(self):
        """Documents and jobs of the same search in one process."""
        config = self.root / "reference.toml"
        config.write_text(self.still)
        self.command("run", config, "--id", "reference", "--quiet", "--set",
                     f"run.runs_dir={self.root / 'runs'}")
        run = self.root / "runs" / "reference"
        return ({name: text.replace(b'"run": "reference"', b"")
                 for name, text in files_below(run / "kb").items()},
                set(result_keys(run)))

    def words(self, name):
        return ("--key", self.made_keys / f"{name}.key", "--server-key",
                self.made_keys / "coordinator.pub")

    def cluster(self, name):
        return Cluster(
            self.brewery, self.root / name, f"tcp://{netns.Net.ADDRESS}:7420",
            listen="tcp://0.0.0.0:7420", where=self.net.where, lease_ms=None,
            coordinator_words=("--keys", self.made_keys, "--log-level",
                               "debug", "--metrics-listen", HEALTH),
            worker_words=lambda worker: self.words(
                GUEST if worker == GUEST else "w"),
            operator_words=(*self.words("alice"), "--timeout", "5"),
            environment=self.environment)

    def scenario(self, name, plan):
        folder = "".join(c if c.isalnum() else "-" for c in name)
        cluster = self.cluster(folder)
        began = time.monotonic()
        load = Load(cluster, self.config, self.reference)
        nemesis = Nemesis(cluster, self.net, self.made_keys, self.salvage)
        nemesis.mount_disk()
        try:
            cluster.start_coordinator()
            for worker in WORKERS:
                cluster.start_worker(worker)
            wait_until("all workers are there", lambda: (
                cluster.status() or {"workers": 0})["workers"] == len(WORKERS),
                60, 0.2)
            load.start(folder)
            nemesis.carry_out(plan)
            load.finish(PATIENCE)
            self.measure(name, cluster, nemesis)
            ended = [w for w, p in cluster.workers.items() if not p.alive()]
            if ended:
                load.wrong.append(f"workers ended by themselves: {ended}")
        finally:
            nemesis.disperse(None)
            cluster.stop()
            nemesis.unmount_disk()
        wrong = load.wrong + nemesis.wrong
        self.wrong += [f"{name}: {what}" for what in wrong]
        faults = sum(what not in Nemesis.UNDO.values()
                     for _, what, _, _ in nemesis.done)
        print(f"{name}: {faults} faults, {len(load.checked)} runs, "
              f"{load.results} results, {time.monotonic() - began:.0f} s: "
              + (f"{len(wrong)} FAILURES" if wrong
                 else "0 lost, 0 twice, same knowledge base"),
              flush=True)

    def salvage(self, run):
        """Cuts damaged rows out of its log; what is wrong about that."""
        def order(what):
            return subprocess.run(
                [self.brewery, "log", what, run], text=True,
                env=clean_environment(), capture_output=True)
        steps = [order(what) for what in ("check", "salvage", "check")]
        if [step.returncode for step in steps] == [1, 0, 0]:
            return []
        return [f"{run.name} was damaged: "
                + " | ".join(step.stdout + step.stderr for step in steps)]

    def measure(self, name, cluster, nemesis):
        journal = Journal(cluster)
        if name in UNMEASURED:
            return
        for i, (at, what, worker, over) in enumerate(nemesis.done):
            if what == "kill_coordinator":
                self.faults[what] += 1
                # What it still wrote while it was killed does not count.
                self.samples[what].append(journal.first_grant(over) - at)
            elif what in WORDS:
                self.faults[what] += 1
                until = next((t for t, _, other, _ in nemesis.done[i + 1:]
                              if other == worker), time.time())
                found = journal.recoveries(at, worker, until)
                if found is None:
                    nemesis.wrong.append(f"nobody noticed: {what} {worker}")
                    continue
                self.samples[what] += found[0]
                self.copied[what] += found[1]

    def table(self, judged):
        print(f"\n{'recovery, in seconds':46} faults  jobs  median   worst"
              "    goal  copied before")
        for what, words in WORDS.items():
            if not self.faults[what]:
                continue
            # Where copies saved every job there is nothing to measure.
            median, worst = summary(self.samples[what])
            late = median > GOALS[what]
            print(f"{words:46} {self.faults[what]:6} "
                  f"{len(self.samples[what]):5} {median:7.2f} {worst:7.2f} "
                  f"{GOALS[what]:7.1f} {self.copied[what]:7}"
                  f"{'  MISSED' if late else ''}")
            if late and judged:
                self.wrong.append(f"{words}: median {median:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery", type=os.path.abspath)
    parser.add_argument("--short", action="store_true",
                        help="every kind of fault within a minute")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", choices=SCENARIOS)
    parser.add_argument("--work", choices=("toy", "telecom"), default="toy")
    parser.add_argument("--keep", action="store_true",
                        help="keep logs and runs also when all is well")
    chosen = parser.parse_args()
    if chosen.seed is None:  # before this program starts again inside
        chosen.seed = random.SystemRandom().randrange(1 << 32)
        sys.argv += ["--seed", str(chosen.seed)]
    reason = netns.enter()
    if reason:
        print(f"chaos: skipped: {reason}")
        return SKIPPED
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    print(f"chaos: seed {chosen.seed}", flush=True)
    root = Path(tempfile.mkdtemp(prefix="brewery-chaos-"))
    keep = True
    try:
        chaos = Chaos(chosen.brewery, root, chosen.work, chosen.short)
        for name, (plan, full, short) in SCENARIOS.items():
            size = short if chosen.short else full
            if chosen.only == name:
                size = size or full or short
            if size and chosen.only in (None, name):
                rng = random.Random(f"{chosen.seed}/{name}")
                chaos.scenario(name, plan(rng, size))
        chaos.table(judged=not chosen.short)
        keep = chosen.keep or bool(chaos.wrong)
    except KeyboardInterrupt:
        print("chaos: interrupted")
        return 130
    finally:
        if keep:
            print(f"chaos: logs, runs and faults.log are kept in {root}")
        else:
            shutil.rmtree(root)
    for what in chaos.wrong:
        print(f"chaos: FAILED: {what}")
    print("chaos: " + (f"the same faults again: --seed {chosen.seed}"
                       if chaos.wrong else "passed"))
    return 1 if chaos.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
