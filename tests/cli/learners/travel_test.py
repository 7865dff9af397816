#!/usr/bin/env python3
"""What a run has learned as Markdown, and back: experiences, documents and
memories that are written, mended, refused and read again.

  travel_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.log_reader import unpacked, unzipped  # noqa: E402
from support.program import TOY, CommandCase, files_below, main  # noqa: E402

AGENT_KB = TOY.replace("[search]", """[agent_kb]
rounds = 1
compare = []
[search]
learner = "agent_kb"
""")

EXPERIENCE = """# Light the lamp

## Problem

- the room is dark

## Goal


## Steps

1. When `look()` shows "lamp: off": call `toggle("lamp")`.

## Failures

- no power =>

## Characteristics

- domain: toy
- difficulty: 1
- tools: look, toggle
- from: task-1
"""


class Travel(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "agent_kb.toml").write_text(AGENT_KB)

    def folder(self, name, **files):
        where = self.at / name
        where.mkdir()
        for file, text in files.items():
            (where / f"{file}.md").write_bytes(
                text if isinstance(text, bytes) else text.encode())
        return where

    def export(self, kb, kind, to, *words):
        return self.ok("kb", "export", kb, f"--{kind}", to, *words)

    def refused(self, kb, kind, *words):
        done = self.brewery("kb", "export", kb, f"--{kind}", "none", *words)
        self.assertIn(done.returncode, (1, 2), done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse((self.at / "none").exists())
        return done.stderr

    def entries(self, run):
        """The memory at the last barrier: hashes in its order."""
        log = self.at / "runs" / run / "events.db"
        with sqlite3.connect(f"file:{log}?mode=ro", uri=True) as database:
            payload, = database.execute(
                "SELECT payload FROM events WHERE kind = 'memory_record' "
                "ORDER BY seq DESC LIMIT 1").fetchone()
        return unpacked(unzipped(payload))["entries"]

    def test_experiences_travel_byte_for_byte(self):
        self.ok("run", "agent_kb.toml", "--id", "first", "--quiet")
        said = self.export("first", "experiences", "one")
        count = len(self.entries("first"))
        self.assertIn(f"{count} experience", said)
        self.export("one", "experiences", "two")
        one = files_below(self.at / "one")
        self.assertEqual(one, files_below(self.at / "two"))
        self.assertEqual(len(one), count)
        # A run that begins with either, and learns nothing, has this memory.
        for start in ("runs/first/kb", "one"):
            run = Path(start).parts[-1]
            self.ok("run", "agent_kb.toml", "--id", run, "--quiet", "--set",
                    f"agent_kb.start_from={start}", "--set",
                    "agent_kb.learn=false")
            self.assertEqual(self.entries(run), self.entries("first"))
        # As documents any agent reads them, and they come back the same.
        self.export("one", "documents", "pages")
        self.export("pages", "experiences", "back", "--domain", "toy")
        self.export("back", "documents", "again")
        self.assertEqual(files_below(self.at / "pages"),
                         files_below(self.at / "again"))
        arms = json.loads(self.ok("eval", "pages", "--config",
                                  "agent_kb.toml", "--json")
                          .splitlines()[-1])["arms"]
        self.assertGreater(arms[1]["success"], arms[0]["success"] + 0.1)

    def test_a_memory_that_does_not_learn_has_examples_beside_it(self):
        self.ok("run", "agent_kb.toml", "--id", "first", "--quiet")
        self.ok("run", "agent_kb.toml", "--id", "second", "--quiet", "--set",
                "agent_kb.start_from=runs/first/kb", "--set",
                "agent_kb.learn=false", "--set",
                'eval.baselines=["in-context"]')
        log = self.at / "runs/second/events.db"
        with sqlite3.connect(f"file:{log}?mode=ro", uri=True) as database:
            results = [unpacked(unzipped(payload)) for payload, in
                       database.execute("SELECT payload FROM events WHERE "
                                        "kind = 'job_result'")]
        played = [made["task"] for one in results for made in one["rollout"]
                  if made["task"].startswith("train-")]
        self.assertEqual(len(played), 10 * len(set(played)))
        self.assertTrue(played)

    def test_documents_of_brew_become_experiences(self):
        (self.at / "toy.toml").write_text(TOY)
        self.ok("run", "toy.toml", "--id", "brew", "--quiet",
                "--set", 'search.strategies=["mcts"]')
        said = json.loads(self.export("brew", "experiences", "one", "--json"))
        made = files_below(self.at / "one")
        self.assertEqual(said["experiences"], len(made))
        for text in made.values():
            self.assertIn(b"- domain: toy\n", text)
        self.export("one", "experiences", "two")
        self.assertEqual(made, files_below(self.at / "two"))
        # Without a run nobody knows what they are about.
        plain = self.folder("plain", a="# A\n\n1. Do it.\n")
        self.assertIn("--domain", self.refused(plain, "experiences"))
        self.export(plain, "experiences", "three", "--domain", "desk")

    def test_a_memory_of_muse_travels_byte_for_byte(self):
        memory = self.folder(
            "memory", a="# Tools\n\n## look\n\nLook first.\n",
            b="# Application: Board\n\n## Light it\n\nSteps:\n1. Toggle.\n")
        self.export(memory, "memory", "one")
        self.export("one", "memory", "two")
        self.assertEqual(files_below(self.at / "one"),
                         files_below(self.at / "two"))
        self.assertEqual(sorted(files_below(self.at / "one").values()),
                         sorted(files_below(memory).values()))

    def test_procedures_of_a_memory_become_experiences_without_notes(self):
        tools = "# Tools\n\n## look\n\nLook first.\n"
        memory = self.folder(
            "memory", a=tools,
            b="# Application: Board\n\n## Light it\n\nSteps:\n1. Toggle.\n"
              "Notes:\n- It worked.\n\n## Mend it\n\nSteps:\n1. Oil.\n")
        said = self.export(memory, "experiences", "one", "--domain", "toy")
        self.assertIn("2 experiences", said)
        made = list(files_below(self.at / "one").values())
        self.assertEqual([text.splitlines()[0] for text in made],
                         [b"# Board: Light it", b"# Board: Mend it"])
        self.assertNotIn(b"It worked", made[0])
        self.assertIn("no procedures", self.refused(
            self.folder("tools", a=tools), "experiences", "--domain", "toy"))

    def test_hostile_files_are_refused_in_one_line(self):
        slip = EXPERIENCE.replace("difficulty: 1", "difficulty: 99999999999")
        table = (
            (EXPERIENCE.replace("## Goal", "## Gaol"), "line 7: expected"),
            (slip, "difficulty: expected a whole number"),
            (EXPERIENCE + "1. More\n", "expected"),
            (EXPERIENCE.replace("- no power =>", "- no power"), "RECOVERY"),
            (EXPERIENCE + "\n- from: " + "a," * 40_000, "64000"),
            (EXPERIENCE.replace("dark", "\udcff").encode(
                "utf-8", "surrogateescape"), "UTF-8"),
            ("---\ntitle: [\n", "a.md"),
            ("", "no line in it that could be a step"),
        )
        for number, (text, why) in enumerate(table):
            where = self.folder(f"bad-{number}", a=text)
            with self.subTest(why):
                self.assertIn(why, self.refused(where, "experiences",
                                                "--domain", "toy"))
        os.mkfifo(self.folder("pipe") / "a.md")
        self.refused("pipe", "experiences", "--domain", "toy")
        tools = "# Tools\n\n## look\n\nLook first.\n"
        for number, (text, why) in enumerate((
                (tools.replace("\n## look", "## look"), "line 2"),
                (tools + tools.removeprefix("# Tools\n"), "line 6"),
                (tools.replace("Look", "x" * 3000), "at most 2000"),
                ("# Board\n", "--memory is for memories of MUSE"))):
            with self.subTest(why):
                self.assertIn(why, self.refused(
                    self.folder(f"memory-{number}", a=text), "memory"))
        self.assertIn("expected", self.refused(
            self.folder("documents", a="# A\n\n1. Do it.\n"), "documents"))
        taken = self.folder("taken", a=EXPERIENCE)
        done = self.brewery("kb", "export", taken, "--experiences", taken)
        self.assertIn("taken exists already and is not empty", done.stderr)


if __name__ == "__main__":
    main()
