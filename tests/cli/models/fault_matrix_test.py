#!/usr/bin/env python3
"""Whole runs on a model server that does one thing wrong, before, during or
after an answer, three times or from then on. No run ends wrong, none pays
twice except where that is stated, and every message names cause and next step.

  fault_matrix_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.faulty_peer import FAULTS, TWISTS, FaultyPeer, Twister
from support.model_script import CATALOG, KEY, ModelScript, roles
from support.program import CommandCase, files_below, main

CONFIG = """
[run]
runs_dir = "runs"
threads = 2
log_level = "off"
[environment]
kind = "toy"
max_train_tasks = 3
max_eval_tasks = 2
max_test_tasks = 2
[search]
iterations = 1
candidates = 1
[eval]
test_trials = 1
min_per_concept = 1
max_per_concept = 2
""" + roles(max_calls=6)
# Far above what a healthy answer takes; only a server that hangs is waited for.
LIMITS = """
first_byte_timeout_ms = {patience_ms}
idle_timeout_ms = {patience_ms}
max_retries = 3
"""
PHASES = ("before", "during", "after")
# What a line about the fault must name, where it lasts and ends the run.
# In the middle of an answer that is no stream, a refusal cannot be told.
CAUSES = {
    "429": "HTTP 429|slow down|the connection ended inside",
    "500": "HTTP 500|the engine died|the connection ended inside",
    "503": "HTTP 503|no machine is free|the connection ended inside",
    "wrong model": "The model `small` does not exist|"
                   "the connection ended inside",
    "cut body": "the connection ended", "hang": "within 15000 ms",
    "garbage": "bad version|the connection ended|not HTTP",
    "empty choices": "the reply is cut off|choices is missing or empty",
}
# What the closing table says of replies that came whole and were no use.
TOLD = {
    "schema ignored": "reflector .* (asked for again|not usable)",
    "broken call": "calls with unreadable arguments",
}
READABLE = {("schema ignored", "after"), ("empty choices", "after")}
# The bytes of the answer are whole, or only late.
HARMLESS = {("slow drip", phase) for phase in PHASES} | {
    (fault, "after") for fault in FAULTS}
# A refusal that waiting does not change stops a run at once.
FINAL = {("wrong model", "before"), ("wrong model", "during")}


class Case(CommandCase):
    def environment(self):
        return super().environment() | {"SCRIPT_KEY": KEY}

    def setUp(self):
        super().setUp()
        with ModelScript() as script:
            self.prepare("calm", "", script.url)
            out = self.ok("run", "c.toml", "--id", "r", "--quiet",
                          at=self.at / "calm")
            self.calls = script.count()
            self.table = table(out)
        self.calm = documents(self.at / "calm")

    def prepare(self, fault, phase, url):
        at = self.at / f"{fault} {phase}".strip()
        at.mkdir()
        limits = LIMITS.format(patience_ms=15000 if fault == "hang" else 60000)
        (at / "c.toml").write_text(CONFIG)
        (at / "models.toml").write_text(CATALOG.format(url=url).replace(
            "[model.small]", limits + "[model.small]", 1))
        return at

    def each(self, check, cases):
        """All at once, because they mostly wait. One report of all."""
        with ThreadPoolExecutor(4) as pool:
            told = list(pool.map(lambda case: check(*case), cases))
        self.assertEqual([], [line for lines in told for line in lines])

    # -- what a server does ---------------------------------------------------

    def test_three_faults_change_no_result_and_lose_no_rollout(self):
        def check(fault, phase):
            with ModelScript() as script, FaultyPeer(script) as peer:
                at = self.prepare(fault, phase, peer.url)
                peer.fault = FAULTS[fault][phase]
                peer.hits = lambda number: number in (5, 20, 60)
                done = self.brewery("run", "c.toml", "--id", "r", "--quiet",
                                    at=at)
                paid = self.calls + (3 if charged(fault, phase) else 0)
                return complaints(f"{fault} {phase}, three times", [
                    (peer.done == 3, f"{peer.done} faults"),
                    (done.returncode == 0, done.stderr[-500:]),
                    (table(done.stdout) == self.table, done.stdout),
                    (documents(at) == self.calm, "other documents"),
                    (script.count() == paid,
                     f"{script.count()} calls answered, not {paid}")])

        self.each(check, [(fault, phase) for fault in FAULTS
                          for phase in PHASES if (fault, phase) not in FINAL])

    def test_a_fault_that_lasts_stops_the_run_which_goes_on_when_it_is_mended(
            self):
        def check(fault, phase, start):
            with ModelScript() as script, FaultyPeer(script) as peer:
                at = self.prepare(fault, phase, peer.url)
                peer.fault = FAULTS[fault][phase]
                peer.hits = lambda number: number >= start
                done = self.brewery("run", "c.toml", "--id", "r", "--quiet",
                                    at=at)
                line = (done.stderr.strip().splitlines() or [""])[-1]
                stops = (fault, phase) not in HARMLESS
                rules = [(peer.done > 0, "no fault"),
                         ((done.returncode != 0) == stops,
                          f"exit {done.returncode}: {line}")]
                if stops:
                    peer.mend()
                    state = json.loads(self.ok("runs", "--json", at=at))
                    done = self.brewery("resume", "r", "--quiet", at=at)
                    rules += self.stopped(fault, state["state"], line)
                paid = self.calls + (peer.done if charged(fault, phase) else 0)
                rules += [
                    (done.returncode == 0, "resumed: " + done.stderr[-500:]),
                    (table(done.stdout) == self.table, done.stdout),
                    (documents(at) == self.calm, "other documents"),
                    (script.count() == paid,
                     f"{script.count()} calls answered, not {paid}")]
                return complaints(f"{fault} {phase}, from {start} on", rules)

        starts = [10, self.calls // 2, self.calls - 12]
        cases = [(fault, phase) for fault in FAULTS for phase in PHASES]
        self.each(check, [
            (*case, starts[2] if case in HARMLESS else starts[at % 3])
            for at, case in enumerate(cases)])

    # -- what a model writes ---------------------------------------------------

    def twisted(self, fault, phase, hits):
        """A run with replies changed, and the rules that any such run keeps."""
        with ModelScript() as script:
            at = self.prepare(fault, phase, script.url)
            script.change = Twister(TWISTS[fault][phase], hits)
            done = self.brewery("run", "c.toml", "--id", "r", "--quiet", at=at)
            rules = [(script.change.done > 0, "no fault")]
            if (fault, phase) in READABLE:
                return rules + [
                    (done.returncode == 0, done.stderr[-500:]),
                    (table(done.stdout) == self.table, done.stdout),
                    (documents(at) == self.calm, "other documents")]
            if fault in TOLD:
                return rules + [
                    (done.returncode == 0, done.stderr[-500:]),
                    ("\nfailed " not in done.stdout, done.stdout),
                    (re.search(TOLD[fault], done.stdout), done.stdout)]
            if done.returncode:
                line = done.stderr.strip().splitlines()[-1]
                state = json.loads(self.ok("runs", "--json", at=at))["state"]
                rules += self.stopped(fault, state, line)
                script.change = None
                done = self.brewery("resume", "r", "--quiet", at=at)
            return rules + [
                (done.returncode == 0, done.stderr[-500:]),
                ("\nfailed " not in done.stdout, done.stdout)]

    def test_three_replies_of_no_use_are_told_and_lose_no_rollout(self):
        self.each(lambda fault, phase: complaints(
            f"{fault} {phase}, three times",
            self.twisted(fault, phase, lambda number: number in (2, 4, 6))),
                  [(fault, phase) for fault in TWISTS for phase in PHASES])

    def test_replies_that_stay_of_no_use_are_told_or_stop_the_run(self):
        self.each(lambda fault, phase: complaints(
            f"{fault} {phase}, from 3 on",
            self.twisted(fault, phase, lambda number: number >= 3)),
                  [(fault, phase) for fault in TWISTS for phase in PHASES])

    def stopped(self, fault, state, line):
        return [(re.search(CAUSES[fault], line), "no cause: " + line),
                ("model server 'script' (http" in line, "no server: " + line),
                ("brewery resume" in line, "no next step: " + line),
                (state == "interrupted", state)]


def table(out):
    """What was measured; not what it took."""
    return out[:out.find("\nrole ")]


def documents(at):
    return {name: text for name, text in files_below(at / "runs/r/kb").items()
            if name.endswith(".md")} if (at / "runs/r/kb").exists() else {}


def charged(fault, phase):
    """The answer was made, so its repetition is paid. This is the only one."""
    return phase == "during" and fault != "slow drip"


def complaints(case, rules):
    return [f"{case}: {said}" for holds, said in rules if not holds]


if __name__ == "__main__":
    main()
