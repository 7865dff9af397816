#!/usr/bin/env python3
"""Damaged event logs: `brewery log check` and `brewery log salvage`.

  log_salvage_test.py PATH_OF_BREWERY [unittest arguments]

The rule: a salvaged run ends with the documents of an undisturbed one, and the
damaged log is kept unchanged.
"""

import json
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from support.program import (TOY, CommandCase, clean_environment, main,
                             write_rusty_lock)


class Salvage(CommandCase):
    made = None  # the run that all tests damage a copy of

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        root = Path(scratch.name)
        (root / "toy.toml").write_text(TOY)
        subprocess.run([cls.program, "run", "toy.toml", "--id", "good",
                        "--quiet"], cwd=root, check=True,
                       env=clean_environment(), stdout=subprocess.DEVNULL)
        cls.made = root / "runs" / "good"

    def setUp(self):
        super().setUp()
        self.folder = self.at / "runs" / "bad"
        shutil.copytree(self.made, self.at / "runs" / "good")
        shutil.copytree(self.made, self.folder)
        self.file = self.folder / "events.db"

    def rows(self, kind="%"):
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as log:
            return log.execute(
                "SELECT seq, key, payload FROM events WHERE kind LIKE ? "
                "ORDER BY seq", (kind,)).fetchall()

    def break_payload(self, payload):
        data = bytearray(self.file.read_bytes())
        at = data.index(bytes(payload[:40]))
        data[at + 20] ^= 0xFF
        self.file.write_bytes(data)
        return bytes(data)

    def salvage(self):
        words = self.ok("log", "salvage", "bad")
        self.assertEqual(self.ok("log", "check", "bad").split(", ")[1],
                         "all intact\n")
        self.ok("resume", "bad", "--quiet")
        self.assertEqual(self.documents("bad"), self.documents("good"))
        return words

    def test_an_intact_log_is_left_alone(self):
        before = self.file.read_bytes()
        self.assertIn("all intact", self.ok("log", "check", "bad"))
        self.assertIn("nothing is changed", self.ok("log", "salvage", "bad"))
        for words in ("check", "salvage"):
            said = json.loads(self.ok("log", words, "bad", "--json"))
            self.assertEqual((said["event"], said["intact"]),
                             ("log_" + words, len(self.rows())))
        self.assertEqual(self.file.read_bytes(), before)

    def test_without_a_log_nothing_is_made_up(self):
        self.file.rename(self.file.parent / "away")
        for _ in range(2):
            done = self.brewery("log", "salvage", "bad")
            self.assertEqual(done.returncode, 1)
            self.assertIn("has no events.db", done.stderr)
        self.assertFalse(self.file.exists())

    def test_a_damaged_result_is_one_job_to_redo(self):
        results = self.rows("job_result")
        seq, job, payload = results[len(results) // 2]
        broken = self.break_payload(payload)
        found = self.brewery("log", "check", "bad", "--json")
        self.assertEqual(found.returncode, 1)
        row, error = map(json.loads, found.stdout.splitlines())
        self.assertEqual((row["row"], row["kind"], row["key"]),
                         (seq, "job_result", job))
        self.assertIn("its checksum does not match", row["what"])
        self.assertIn("damaged in 1 place; `brewery log salvage bad`", str(error))
        words = self.salvage()
        self.assertIn(f"the result of job {job}: one job to redo", words)
        self.assertIn("1 place cut out; 0 decisions to make again", words)
        self.assertEqual(
            (self.folder / "events-damaged-1" / "events.db").read_bytes(), broken)
        keys = [key for _, key, _ in self.rows("job_result")]
        self.assertEqual(sorted(keys), sorted(key for _, key, _ in results))

    def test_a_salvage_ends_with_the_command_that_continues_the_run(self):
        (self.at / "elsewhere").mkdir()
        below = ("--runs-dir", "../runs")
        for submission, command in ((False, "brewery resume ../runs/bad"),
                                    (True, "brewery submit --resume bad")):
            if submission:
                (self.folder / "submission.json").write_text("{}")
            self.break_payload(self.rows("job_result")[0][2])
            found = self.brewery("log", "check", "bad", *below,
                                 at=self.at / "elsewhere")
            self.assertIn("`brewery log salvage ../runs/bad`", found.stderr)
            said = self.ok("log", "salvage", "bad", *below,
                           at=self.at / "elsewhere")
            self.assertEqual(said.splitlines()[-1],
                             f"continue with `{command}`")
        (self.folder / "submission.json").unlink()
        self.ok("resume", "../runs/bad", "--quiet", at=self.at / "elsewhere")

    def test_a_damaged_decision_is_made_again(self):
        decisions = [row for row in self.rows()
                     if row not in self.rows("job_result")]
        seq, _, payload = next(row for row in decisions[1:]
                               if len(row[2]) > 40)
        self.break_payload(payload)
        self.assertIn(f"row {seq}: ", self.salvage())

    def test_a_lost_decision_is_one_to_make_again(self):
        results = self.rows("job_result")
        seq, _, payload = [row for row in self.rows()
                           if row not in results and len(row[2]) > 40][-1]
        self.break_payload(payload)
        words = self.salvage()
        self.assertIn(f"row {seq}: ", words)
        self.assertIn("1 place cut out; 1 decision to make again", words)

    def test_rows_of_a_page_that_is_gone_are_done_again(self):
        size = int.from_bytes(self.file.read_bytes()[16:18], "big")
        with open(self.file, "r+b") as log:
            # A leaf in the middle: interior pages begin with 5.
            data = log.read()
            pages = [at for at in range(size, len(data), size)
                     if data[at] == 13]
            log.seek(pages[len(pages) // 2])
            log.write(bytes(size))
        found = self.brewery("log", "check", "bad")
        self.assertEqual(found.returncode, 1)
        self.salvage()

    def test_a_tail_that_was_cut_off_is_named_and_done_again(self):
        with sqlite3.connect(self.file) as log:
            log.execute("DROP TRIGGER events_are_never_deleted")
            log.execute("DELETE FROM events WHERE seq > "
                        "(SELECT max(seq) FROM events) - 5")
        refused = self.brewery("resume", "bad", "--retry-failed", "--quiet")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("was acknowledged", refused.stderr)
        self.assertIn("`brewery log salvage RUN`", refused.stderr)
        found = self.brewery("log", "check", "bad", "--json")
        row, _ = map(json.loads, found.stdout.splitlines())
        self.assertIn("has no event", row["what"])
        self.assertEqual(row["last_row"] - row["row"], 4)
        self.salvage()

    def test_a_damaged_number_of_rows_is_one_place(self):
        intact = self.ok("log", "check", "bad").split(" ")[0]
        ack = self.folder / "events.ack"
        ack.write_text("0008" + ack.read_text()[4:])
        found = self.brewery("log", "check", "bad")
        self.assertEqual(found.returncode, 1)
        self.assertIn(f"rows {int(intact) + 1} to 8000", found.stdout)
        self.assertIn(f"{intact} rows intact, damaged in 1 place",
                      found.stderr)
        self.assertIn("1 place cut out; 0 decisions", self.salvage())

    def test_a_spoilt_file_of_acknowledged_rows_is_no_intact_log(self):
        (self.folder / "events.ack").write_text("rust\n")
        found = self.brewery("log", "check", "bad")
        self.assertEqual(found.returncode, 1, found.stdout)
        self.assertIn("events.ack: ", found.stdout)
        self.assertIn("lost: the number of rows", found.stdout)
        self.assertIn("damaged in 1 place; `brewery log salvage bad`",
                      found.stderr)
        row = json.loads(self.brewery("log", "check", "bad",
                                      "--json").stdout.splitlines()[0])
        self.assertEqual((row["event"], row["file"]),
                         ("damaged_file", "events.ack"))
        self.assertIn("1 place cut out; 0 decisions", self.salvage())
        self.assertEqual((self.folder / "events-damaged-1" / "events.ack")
                         .read_text(), "rust\n")


class RetriedSalvage(CommandCase):
    """A log in which failed jobs were tried again, and the search was decided
    again with what came of it."""

    def setUp(self):
        super().setUp()
        write_rusty_lock(self.at)
        self.ok("run", "lock.toml", "--id", "whole", "--quiet")
        (self.at / "broken").write_text("lock-00 lock-03 lock-06")
        self.ok("run", "lock.toml", "--id", "night", "--quiet")
        (self.at / "broken").unlink()
        self.ok("resume", "night", "--retry-failed", "--quiet")
        self.assertEqual(self.documents("night"), self.documents("whole"))
        self.made = self.at / "runs" / "night"

    def damaged_copy(self, name, seq):
        shutil.copytree(self.made, self.made.with_name(name))
        log = sqlite3.connect(self.made.with_name(name) / "events.db")
        with log:
            log.execute("DROP TRIGGER events_are_never_changed")
            log.execute("UPDATE events SET crc = crc + 1 WHERE seq = ?", (seq,))
        log.close()

    def rows(self, condition):
        log = sqlite3.connect(f"file:{self.made}/events.db?mode=ro", uri=True)
        found = log.execute(f"SELECT seq, key FROM events WHERE {condition} "
                            "ORDER BY seq").fetchall()
        log.close()
        return found

    def test_a_log_that_lost_an_order_to_retry_can_be_resumed(self):
        orders = self.rows("kind LIKE 'retry%'")
        self.assertGreater(len(orders), 1)
        for n, (seq, job) in enumerate((orders[0], orders[-1])):
            run = f"order-{n}"
            self.damaged_copy(run, seq)
            said = self.ok("log", "salvage", run)
            self.assertIn(f"the order to try job {job} again", said)
            self.assertIn("1 place cut out; ", said)
            self.assertNotIn(" 0 decisions", said)
            # It gives the order anew, for the step that the search is at.
            self.ok("resume", run, "--quiet")
            self.assertEqual(self.documents(run), self.documents("whole"))

    def test_a_log_that_lost_a_result_that_was_retried_can_be_resumed(self):
        job = self.rows("kind LIKE 'retry%'")[0][1]
        results = self.rows(f"kind = 'job_result' AND key = '{job}'")
        self.assertEqual(len(results), 2)
        for n, (seq, _) in enumerate(results):
            run = f"result-{n}"
            self.damaged_copy(run, seq)
            self.ok("log", "salvage", run)
            self.ok("resume", run, "--quiet")
            self.assertEqual(self.documents(run), self.documents("whole"))


if __name__ == "__main__":
    main()
