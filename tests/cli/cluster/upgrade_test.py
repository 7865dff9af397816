#!/usr/bin/env python3
"""Rolling upgrades: workers of the protocol before, see protocol1.py.

  upgrade_test.py PATH_OF_BREWERY [unittest arguments]
"""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import Case
from support.cluster import SLOW_TOY, json_lines
from support.log_reader import events
from support.program import wait_until
from protocol1 import (ACK, BEAT_REPLY, BLOB, BLOB_REQUEST, DRAIN, FROM_WORKER,
                       GOODBYE, GRANT, HEARTBEAT, HELLO, RECORDED, RESULT,
                       WELCOME, Relay, frame, only)
from zmtp import unpack


class ProtocolBefore(Case):
    def with_old_worker(self, workers=0, roles=None, **options):
        c = self.cluster(workers=workers, **options)
        relay = Relay(c.address, roles)
        self.addCleanup(relay.close)
        c.start_worker("old", 2, relay.address)
        wait_until("it joins", lambda: c.status()["workers"] == workers + 1)
        self.assertRegex(c.coordinator.said(), r"worker old joined: 2 slots "
                         r"on .*, protocol 1, 0 of 0 jobs")
        return c, relay

    def done_by(self, c):
        return {w["name"]: w["done"]
                for w in json_lines(c.order("workers", "--json").stdout)}

    def test_the_recorded_peer_says_what_it_has_always_said(self):
        self.assertEqual(RECORDED.keys(), FROM_WORKER.keys())
        for kind, (fields, recorded) in RECORDED.items():
            self.assertEqual(frame(kind, fields).hex(), recorded)
            read = unpack(bytes.fromhex(recorded)[4:])
            self.assertEqual(frame(kind, only(FROM_WORKER[kind], read)).hex(),
                             recorded)

    def test_a_worker_of_the_protocol_before_finishes_a_run(self):
        c, relay = self.with_old_worker()
        c.submit(SLOW_TOY.format(latency=1), "a")
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(relay.problems, [])
        self.assertLessEqual({HELLO, HEARTBEAT, RESULT, BLOB_REQUEST, WELCOME,
                              GRANT, BEAT_REPLY, ACK, BLOB}, relay.passed)
        self.assertEqual(c.order("drain", "old").returncode, 0)
        self.assertEqual(c.workers["old"].process.wait(timeout=60), 0)
        self.assertLessEqual({DRAIN, GOODBYE}, relay.passed)
        self.assertEqual(relay.problems, [])

    def test_workers_of_both_protocols_do_one_run(self):
        c, relay = self.with_old_worker(workers=1)
        c.submit(SLOW_TOY.format(latency=2), "a")
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(relay.problems, [])
        done = self.done_by(c)
        self.assertGreater(min(done["old"], done["w0"]), 0, done)
        self.assertIn("protocol 7", c.coordinator.said())

    def test_a_worker_from_before_agent_kb_gets_no_job_of_a_memory(self):
        kinds = {b"rollout", b"integrate", b"embed", b"grade"}
        c, relay = self.with_old_worker(workers=1, roles=sorted(kinds))
        c.submit(SLOW_TOY.format(latency=1).replace(
            "[search]", '[agent_kb]\nrounds = 1\n[search]\n'
            'learner = "agent_kb"').replace("initial_trials = 6",
                                            "initial_trials = 10"), "a")
        c.wait_for("a")
        self.assertEqual(relay.problems, [])
        memory_jobs = sum(bool(answer.get("memory")) for _, _, answer in
                          events(c.root / "runs" / "a", "job_result"))
        self.assertGreater(memory_jobs, 50)
        granted = [{name for name, value in job.items()
                    if name != "id" and value} for job in relay.granted]
        self.assertGreater(len(granted), 50)
        for one in granted:
            self.assertLessEqual(one, {kind.decode() for kind in kinds})

    def test_old_workers_are_replaced_and_the_coordinator_too_in_a_run(self):
        c, relay = self.with_old_worker()
        c.submit(SLOW_TOY.format(latency=4), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 20)
        joined = r"worker old joined: .*, protocol 1, (\d+) of (\d+) jobs"
        adopted = reported = "0"
        for again in range(2, 7):  # a kill may hit when it has no job
            c.coordinator.kill()
            c.start_coordinator()
            wait_until("the old worker is back", lambda: len(
                re.findall(joined, c.coordinator.said())) >= again)
            adopted, reported = re.findall(joined, c.coordinator.said())[-1]
            self.assertEqual(adopted, reported)
            if adopted != "0":
                break
        self.assertNotEqual(adopted, "0")
        c.start_worker("new")
        wait_until("both are there", lambda: (
            (c.status() or {"workers": 0})["workers"] == 2))
        c.order("drain", "old")
        self.assertEqual(c.workers["old"].process.wait(timeout=60), 0)
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(relay.problems, [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
