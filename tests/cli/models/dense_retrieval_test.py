#!/usr/bin/env python3
"""Whole runs whose retrieval is by vectors, or by words and vectors: with the
hashed terms of the procedural embedder, and with a scripted model.

  dense_retrieval_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.model_case import ModelCase, documents, kind_of
from support.program import TOY, CommandCase, main


def events_of(run):
    """How many events its log has; 0 if there is none yet."""
    try:
        with sqlite3.connect(f"file:{run / 'events.db'}?mode=ro",
                             uri=True) as log:
            return log.execute("select count(*) from events").fetchone()[0]
    except sqlite3.Error:
        return 0


class Case(CommandCase):
    def kill_at(self, events, run, *words):
        """Starts the command, and kills it once the run has so many events,
        unless it has ended before."""
        process = self.start(*words)
        while process.poll() is None:
            if events_of(self.at / "runs" / run) >= events:
                process.kill()
                break
            time.sleep(0.002)
        process.communicate()


class HashedTerms(Case):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)

    def run_toy(self, name, kind, *words):
        return self.ok("run", "toy.toml", "--id", name, "--quiet", "--set",
                       f"retrieval.kind={kind}", *words)

    def test_a_killed_run_ends_as_an_undisturbed_one(self):
        self.run_toy("whole", "hybrid")
        whole = events_of(self.at / "runs/whole")
        self.assertGreater(whole, 20)
        for share in (0.2, 0.6, 0.9):
            name = f"killed-{share}"
            self.kill_at(int(whole * share), name, "run", "toy.toml", "--id",
                         name, "--quiet", "--set", "retrieval.kind=hybrid")
            self.ok("resume", name, "--quiet")
            self.assertEqual(self.documents(name), self.documents("whole"))

    def test_what_stands_for_others_changes_nothing(self):
        for kind in ("dense", "hybrid"):
            with self.subTest(kind=kind):
                self.run_toy(f"{kind}-played", kind)
                self.run_toy(f"{kind}-saved", kind, "--set",
                             "economy.reuse=run")
                self.assertEqual(self.documents(f"{kind}-saved"),
                                 self.documents(f"{kind}-played"))
                said = self.ok("resume", f"{kind}-saved")
                self.assertRegex(said, r"reused +[1-9]")
                self.run_toy(f"{kind}-audited", kind, "--set",
                             "economy.reuse=run", "--set",
                             "economy.audit_reuse=1")
                said = self.ok("resume", f"{kind}-audited")
                self.assertRegex(said, r"played all the same, of which none")
                whole = events_of(self.at / f"runs/{kind}-saved")
                self.kill_at(whole // 2, f"{kind}-killed", "run", "toy.toml",
                             "--id", f"{kind}-killed", "--quiet", "--set",
                             f"retrieval.kind={kind}", "--set",
                             "economy.reuse=run")
                self.ok("resume", f"{kind}-killed", "--quiet")
                self.assertEqual(self.documents(f"{kind}-killed"),
                                 self.documents(f"{kind}-played"))

    def hits(self, *words):
        done = self.brewery("kb", "search", *words, "--json")
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0 if lines else 1, done.stderr)
        return [json.loads(line)["concept"] for line in lines]

    def test_kb_search_ranks_as_the_agent_does(self):
        for kind in ("bm25", "dense", "hybrid"):
            with self.subTest(kind=kind):
                self.run_toy(kind, kind, "--set",
                             'search.strategies=["mcts"]')
                listed = [json.loads(line) for line in
                          self.ok("kb", "list", kind, "--json").splitlines()]
                concepts = {one["hash"]: one["concept"] for one in listed}
                shown = json.loads(self.ok(
                    "rollout", "show", kind, "test-001", "--json"))
                records = shown["rollout"]["retrievals"]
                self.assertTrue(records)
                for record in records[:5]:
                    told = [concepts[one] for one in record["documents"]]
                    # The configuration of its run is the default.
                    words = (kind, record["query"], "--limit", 3)
                    self.assertEqual(self.hits(*words), told)
                    self.assertEqual(self.hits(*words, "--kind", kind), told)

    def test_a_folder_is_searched_by_any_kind(self):
        folder = self.at / "folder"
        folder.mkdir()
        (folder / "a.md").write_text("# Fan\n\nThe fan is off.\n")
        (folder / "b.md").write_text("# Pump\n\nThe pump is stuck.\n")
        (folder / "c.md").write_text("")
        for kind in ("bm25", "dense", "hybrid"):
            self.assertEqual(len(self.hits("folder", "stuck pumps", "--kind",
                                           kind)), 1)
            done = self.brewery("kb", "search", "folder", "zebra", "--kind",
                                kind)
            self.assertEqual(done.returncode, 1)
        done = self.brewery("kb", "search", "folder", "x", "--kind", "both")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--kind", done.stderr)

    def test_vectors_without_a_model_are_a_mistake_with_key_and_value(self):
        done = self.brewery("config", "check", "toy.toml", "--set",
                            "retrieval.kind=dense", "--set",
                            "embedder.kind=llm")
        self.assertEqual(done.returncode, 2)
        # The other line says that there is no catalog of models either.
        said = [line for line in done.stderr.splitlines() if "catalog" not in
                line]
        self.assertEqual(said, [
            'brewery: default: embedder.model = "": kind = "llm" needs the '
            "name of a model"])


class OnAModel(ModelCase, Case):
    HYBRID = ("--set", "retrieval.kind=hybrid")

    def embedded(self):
        return [text for asked in self.model.requests
                if kind_of(asked) == "embedding" for text in asked["input"]]

    def test_each_text_is_asked_for_once_and_is_on_record(self):
        got = self.result_of("run", "c.toml", "--id", "first", *self.HYBRID)
        self.assertEqual(got["failed_jobs"], 0)
        asked = [json.dumps(one, sort_keys=True) for one in self.model.requests
                 if kind_of(one) == "embedding"]
        self.assertGreater(len(asked), 3)
        self.assertEqual(len(asked), len(set(asked)))
        bodies = [text.decode() for text
                  in documents(self.at / "runs/first").values()]
        for body in bodies:
            self.assertIn(body.split("---\n", 2)[-1].strip(),
                          [text.strip() for text in self.embedded()])
        before = self.model.count()
        self.ok("run", "c.toml", "--id", "again", "--quiet", "--replay",
                "first", *self.HYBRID)
        self.assertEqual(self.model.count(), before)
        self.assertEqual(documents(self.at / "runs/again"),
                         documents(self.at / "runs/first"))

    def test_a_killed_run_ends_as_an_undisturbed_one(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet", *self.HYBRID)
        whole = events_of(self.at / "runs/whole")
        self.kill_at(whole // 2, "killed", "run", "c.toml", "--id", "killed",
                     "--quiet", *self.HYBRID)
        self.ok("resume", "killed", "--quiet")
        self.assertEqual(documents(self.at / "runs/killed"),
                         documents(self.at / "runs/whole"))

    def test_kb_search_asks_the_embedder_only(self):
        self.ok("run", "c.toml", "--id", "first", "--quiet", *self.HYBRID)
        before = self.model.count()
        words = ("kb", "search", "first", "the fan is off")
        self.assertIn("if you trust that, add `--config", self.fails(*words))
        self.assertEqual(self.model.count(), before)
        self.ok(*words, "--config", "runs/first/config.toml")
        fresh = self.model.requests[before:]
        self.assertTrue(fresh)
        self.assertEqual({kind_of(asked) for asked in fresh}, {"embedding"})


if __name__ == "__main__":
    main()
