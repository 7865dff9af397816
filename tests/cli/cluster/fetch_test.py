#!/usr/bin/env python3
"""Results fetched from a coordinator, also when the transfer is cut.

  fetch_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import random
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case, brewery
from support.cluster import SLOW_TOY
from support.program import clean_environment, files_below, wait_until
from support.relay import Relay

LARGE = 24 << 20


class Fetch(Case):
    def held(self, workers=0, large=True, **options):
        """A cluster with the finished run `r`, which has a large file."""
        c = self.cluster(workers=workers, **options)
        run = c.root / "runs" / "r"
        shutil.copytree(self.root / "runs" / "reference", run)
        if large:
            (run / "kb" / "large.bin").write_bytes(
                random.Random(7).randbytes(LARGE))
        self.into = c.root / "fetched"
        return c, run

    def relay(self, c, **how):
        made = Relay(int(c.address.rsplit(":", 1)[1]), **how)
        self.addCleanup(made.close)
        return made

    def fetch(self, where, *words):
        return brewery("fetch", "r", "--into", self.into, "--json",
                       "--connect", where, *words)

    def check_same(self, run, but=("lock", "events.db-shm")):
        want = {n: t for n, t in files_below(run).items()
                if n not in but and not n.startswith("snapshots/")}
        have = files_below(self.into)
        have.pop("lock")
        self.assertEqual(json.loads(have.pop(".fetched"))["run"], "r")
        self.assertEqual(have.keys(), want.keys())
        for name, text in want.items():
            self.assertEqual(have[name] == text, True, name)

    def test_a_fetched_run_is_the_same_and_can_be_used(self):
        c, run = self.held(large=False)
        done = c.order("fetch", "r", "--into", self.into)
        self.assertIn("0 were here already", done.stdout)
        self.check_same(run)
        listed = brewery("kb", "list", self.into)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        again = json.loads(self.fetch(c.address).stdout)
        self.assertEqual(again["bytes"], 0)
        self.assertGreater(again["bytes_before"], 1000)

    def test_documents_of_two_runs_are_not_mixed(self):
        c, run = self.held(large=False)
        c.order("fetch", "r", "--into", self.into)
        further = self.into / "strategies" / "greedy" / "kb" / "00-old.md"
        further.parent.mkdir(parents=True, exist_ok=True)
        further.write_text("# Old\n")
        stray = self.into / "kb" / "stray.md"
        stray.write_text("# Of an older state\n")
        self.fetch(c.address)
        self.assertFalse(stray.exists() or further.exists())
        self.check_same(run)

    def test_nothing_but_an_older_state_of_the_run_is_replaced(self):
        c, run = self.held(large=False)
        mine = c.root / "mine"
        (mine / "kb").mkdir(parents=True)
        (mine / "kb" / "notes.md").write_text("my own\n")
        other = c.root / "other"
        shutil.copytree(run, other)
        status = json.loads((other / "status.json").read_text())
        status["started_ms"] += 1
        (other / "status.json").write_text(json.dumps(status))
        for where, why in ((mine, "files that no fetch brought"),
                           (other, "another run's files")):
            before = files_below(where)
            for only in ((), ("--only", "documents")):
                done = c.order("fetch", "r", "--into", where, *only,
                               check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn(why, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(files_below(where), before)
        (mine / "kb" / "manifest.json").write_text('{"run": 5}')
        odd = c.order("fetch", "r", "--into", mine, check=False)
        self.assertIn("files that no fetch brought", odd.stderr)
        # Documents alone say whose they are; so does what came before notes.
        c.order("fetch", "r", "--into", self.into, "--only", "documents")
        c.order("fetch", "r", "--into", self.into)
        (self.into / ".fetched").unlink()
        self.assertEqual(self.fetch(c.address).returncode, 0)
        self.check_same(run)

    def test_only_what_is_asked_for_is_fetched(self):
        c, _ = self.held(large=False)
        c.order("fetch", "r", "--into", self.into, "--only",
                "documents,report")
        names = set(files_below(self.into))
        self.assertIn("report.md", names)
        self.assertNotIn("events.db", names)

    def test_a_cut_transfer_continues_where_it_was(self):
        c, run = self.held()
        # Later connections are cut at once, so the first call gives up.
        relay = self.relay(c, cut_after=LARGE // 2, then=0)
        cut = self.fetch(f"tcp://127.0.0.1:{relay.port}", "--timeout", "10")
        self.assertEqual(cut.returncode, 1, cut.stderr)
        self.assertEqual(cut.stderr.count("\n"), 1, cut.stderr)
        self.assertFalse((self.into / "kb" / "large.bin").exists())
        (part,) = (self.into / ".fetch").iterdir()
        before = part.stat().st_size
        self.assertGreater(before, 1 << 20)
        done = json.loads(self.fetch(c.address).stdout)
        self.check_same(run)
        self.assertLessEqual(done["bytes"], LARGE - before + (2 << 20))
        self.assertGreaterEqual(done["bytes_before"], before)

    def test_a_log_of_before_is_whole_until_the_new_one_is_here(self):
        c, run = self.held(large=False)
        self.fetch(c.address)
        log, rows = self.into / "events.db", self.into / "events.db-wal"
        log.write_bytes(b"of before")
        rows.write_bytes(b"rows that are not in it yet")
        size = (run / "events.db").stat().st_size
        relay = self.relay(c, cut_after=size // 2, then=0)
        cut = self.fetch(f"tcp://127.0.0.1:{relay.port}", "--timeout", "10")
        self.assertEqual(cut.returncode, 1, cut.stderr)
        self.assertGreater(relay.cuts, 0)
        self.assertEqual(log.read_bytes(), b"of before")
        self.assertEqual(rows.read_bytes(), b"rows that are not in it yet")
        self.fetch(c.address)
        self.check_same(run)
        self.assertFalse(rows.exists())

    def test_a_connection_that_breaks_again_and_again_is_enough(self):
        c, run = self.held()
        relay = self.relay(c, cut_after=9 << 20)
        done = self.fetch(f"tcp://127.0.0.1:{relay.port}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(relay.cuts, 1)
        self.check_same(run)

    def test_a_transfer_survives_its_coordinator(self):
        c, run = self.held()
        relay = self.relay(c, cut_after=LARGE // 2, then=0)
        fetching = subprocess.Popen(
            [BREWERY, "fetch", "r", "--into", str(self.into), "--json",
             "--connect", f"tcp://127.0.0.1:{relay.port}", "--timeout", "60"],
            env=clean_environment(), stdout=subprocess.PIPE, text=True)
        wait_until("it is cut", lambda: relay.cuts > 0)
        c.coordinator.kill()
        self.assertFalse((self.into / "kb" / "large.bin").exists())
        relay.cut_after = None
        c.start_coordinator()
        out, _ = fetching.communicate(timeout=90)
        self.assertEqual(fetching.returncode, 0)
        self.check_same(run)
        self.assertLess(json.loads(out)["bytes"], LARGE + (4 << 20))

    def test_damage_of_a_part_is_found_by_its_hash(self):
        c, run = self.held(large=False)
        listed = self.fetch(c.address)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        log = (self.into / "events.db").read_bytes()
        (self.into / "events.db").unlink()
        (self.into / ".fetch").mkdir()
        import hashlib
        part = self.into / ".fetch" / hashlib.sha256(log).hexdigest()
        part.write_bytes(b"x" * (len(log) // 2))
        done = self.fetch(c.address)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same(run)

    def test_memory_stays_small_on_both_sides(self):
        c, run = self.held(large=False)
        with open(run / "kb" / "huge.bin", "wb") as huge:
            huge.truncate(256 << 20)

        def peak(pid):
            text = Path(f"/proc/{pid}/status").read_text()
            return int(text.split("VmHWM:")[1].split()[0]) << 10

        before = peak(c.coordinator.process.pid)
        fetching = subprocess.Popen(
            [BREWERY, "fetch", "r", "--into", str(self.into), "--connect",
             c.address], env=clean_environment(), stdout=subprocess.PIPE)
        _, status, used = os.wait4(fetching.pid, 0)
        fetching.returncode = os.waitstatus_to_exitcode(status)
        fetching.stdout.close()
        self.assertEqual(status, 0)
        self.assertLess(used.ru_maxrss << 10, 96 << 20)
        self.assertLess(peak(c.coordinator.process.pid) - before, 64 << 20)

    def test_the_log_of_a_running_run_is_left_out_and_said(self):
        c = self.cluster(workers=1)
        self.into = c.root / "fetched"
        c.submit(SLOW_TOY.format(latency=50), "r")
        wait_until("it has a result", lambda: c.results("r")[0] > 0)
        done = c.order("fetch", "r", "--into", self.into)
        self.assertIn("without the log", done.stdout)
        self.assertNotIn("events.db", files_below(self.into))
        refused = c.order("fetch", "r", "--into", self.into, "--only", "log",
                          check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is being written", refused.stderr)
        c.order("cancel", "r")
        done = c.order("fetch", "r", "--into", self.into)
        self.assertNotIn("without the log", done.stdout)
        self.assertIn("events.db", files_below(self.into))

    def test_a_directory_in_use_and_unknown_runs_are_refused(self):
        c, _ = self.held(large=False)
        for words, code, part in (
                (("nobody",), 1, "no run 'nobody'"),
                (("../r",), 2, "cannot be the id of a run"),
                (("r", "--into", c.root / "runs" / ".coordinator"), 1,
                 "holds files that no fetch brought")):
            done = c.order("fetch", *words, check=False)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_only_operators_fetch(self):
        keys = self.root / "fetch-keys"
        for name, role in (("coordinator", "coordinator"), ("w", "worker"),
                           ("alice", "operator")):
            brewery("keys", "new", name, "--role", role, "--keys", keys)

        def words(name):
            return ("--key", keys / f"{name}.key", "--server-key",
                    keys / "coordinator.pub")

        c, run = self.held(large=False, coordinator_words=("--keys", keys),
                           operator_words=words("alice"))
        refused = self.fetch(c.address, *words("w"))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("may not send orders", refused.stderr)
        done = self.fetch(c.address, *words("alice"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same(run)


if __name__ == "__main__":
    unittest.main(verbosity=1)
