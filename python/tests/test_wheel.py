#!/usr/bin/env python3
"""The wheel in a fresh virtual environment: modules, program and data of it.

  test_wheel.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path()  # set below

SMALL = {"run": {"seed": 7, "log_level": "off"},
         "environment": {"kind": "toy", "eval_split": "eval"},
         "search": {"iterations": 2, "initial_trials": 10},
         "eval": {"test_trials": 1}}


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.at = Path(scratch.name)
        wheel = subprocess.run(
            [sys.executable, ROOT / "python/build_wheel.py",
             PROGRAM.parents[1], cls.at / "wheel"],
            check=True, text=True, capture_output=True).stdout.strip()
        cls.python = cls.at / "venv/bin/python"
        # Debian's, which has pandas, but none of it is seen in there.
        subprocess.run(["/usr/bin/python3", "-m", "venv", cls.at / "venv"],
                       check=True)
        subprocess.run([cls.python, "-m", "pip", "install", "-q", "--no-index",
                        "--disable-pip-version-check", wheel], check=True)
        cls.made = json.loads(cls.script(f"""
            import json
            run = brewery.run({SMALL!r}, id="first",
                              overrides={{"search.max_width": 2}})
            json.dump({{"id": run.id, "state": run.state,
                        "titles": [d.title for d in run.documents],
                        "text": run.documents[0].text,
                        "reward": run.documents[0].reward,
                        "documents": [{{"concept": d.concept,
                                        "reward": d.reward}}
                                      for d in run.documents],
                        "insights": len(run.documents[0].insights),
                        "evaluations": run.evaluations,
                        "rollouts": run.rollouts,
                        "same": brewery.load("runs/first") == run}},
                      sys.stdout)"""))

    @classmethod
    def script(cls, text, fails=False):
        clean = {k: v for k, v in os.environ.items()
                 if not k.startswith(("BREWERY_", "PYTHON"))}
        done = subprocess.run(
            [cls.python, "-c", "import brewery, sys\n" + dedent(text)],
            cwd=cls.at, text=True, capture_output=True, env=clean)
        if (done.returncode != 0) != fails:
            raise AssertionError(done.stderr + done.stdout)
        return done.stderr if fails else done.stdout

    def test_a_run_from_a_dict_has_documents_and_evaluations(self):
        run = self.made
        self.assertEqual((run["id"], run["state"]), ("first", "finished"))
        self.assertEqual(len(run["titles"]), 3)
        self.assertIn("### How to perform", run["text"])
        self.assertGreater(run["rollouts"], 100)
        self.assertGreater(run["insights"], 0)
        self.assertGreater(run["reward"], 0.0)
        self.assertEqual([one["name"] for one in run["evaluations"]],
                         ["no KB", "learned, mcts"])
        without, learned = run["evaluations"]
        self.assertGreater(learned["reward"], without["reward"])
        self.assertTrue(run["same"])
        self.assertIn("max_width = 2",
                      (self.at / "runs/first/config.toml").read_text())

    def test_a_run_from_a_file_of_the_wheel(self):
        """With a program in Python, which imports brewery_env."""
        out = self.script("""
            from pathlib import Path
            share = Path(sys.prefix, "share/brewery/config")
            run = brewery.run(share / "external-example.toml", id="lock",
                              overrides={"search.iterations": 1})
            print(run.state, len(run.documents) > 0)""")
        self.assertEqual(out, "finished True\n")

    def test_problems_are_errors_of_the_program(self):
        self.assertIn("BreweryError: ", self.script(
            "brewery.run({'search': {'iterationz': 1}})", fails=True))
        self.assertEqual(self.script("""
            try:
                brewery.run({"search": {"iterations": -1}})
            except brewery.BreweryError as problem:
                print(problem.code, "search.iterations" in str(problem))
            """), "2 True\n")
        self.assertIn("run.name", self.script(
            "brewery.run({}, overrides={'run.name': 'a\\u2028b'})",
            fails=True).strip().splitlines()[-2])
        self.assertIn("BreweryError: ", self.script(
            "brewery.run({'run': {'name': '\\ud83d'}})", fails=True))
        self.assertIn("is not the directory of a run", self.script(
            "brewery.load('nowhere')", fails=True))

    def test_a_run_is_where_its_options_say(self):
        out = self.script(f"""
            from pathlib import Path
            small = {SMALL!r}
            small["run"] |= {{"name": None, "runs_dir": Path("mine")}}
            run = brewery.run(small, overrides={{"search.iterations": 1,
                                                "search.max_width": None}})
            print(run.directory.parent, run.id.endswith("-null"))
            print(brewery.run(small, id="r", runs_dir="theirs",
                              overrides={{"search.iterations": 1}}).directory)
            """)
        self.assertEqual(out, f"{self.at}/mine False\n{self.at}/theirs/r\n")

    def test_a_list_of_an_option_has_texts_and_paths(self):
        self.script("""
            from pathlib import Path
            from brewery.runs import _toml
            assert _toml([Path("a"), 'b"', 1, True], "k") == (
                r'["a", "b\\"", 1, true]'), _toml([Path("a")], "k")
            for bad in ([{"role": "agent"}], [None], {1}, b"x"):
                try:
                    brewery.run({"budget": {"roles": bad}})
                except brewery.BreweryError as problem:
                    assert str(problem).startswith("budget.roles: "), problem
                else:
                    raise AssertionError(bad)""")

    def test_files_of_a_run_that_are_no_good_are_named(self):
        self.script("""
            import shutil
            def refused(directory, *words):
                try:
                    brewery.load(directory)
                except brewery.BreweryError as problem:
                    assert all(word in str(problem) for word in words), problem
                else:
                    raise AssertionError("it was read")
            open("toy.toml", "w").close()
            refused("toy.toml", "is not the directory of a run")
            for name, text, says in (
                    ("status.json", b"{", "cannot read"),
                    ("status.json", b'"\\xff"', "cannot read"),
                    ("status.json", b"[]", "is not what a run writes"),
                    ("status.json", b"{}", "has no 'state'"),
                    ("kb/manifest.json", b"{}", "has no 'documents'"),
                    ("kb/manifest.json", b'{"documents": [{}]}', "has no ")):
                shutil.copytree("runs/first", "bad/first")
                open("bad/first/" + name, "wb").write(text)
                refused("bad/first", name, says)
                shutil.rmtree("bad")
            shutil.copytree("runs/first", "bad/first")
            brewery.load("bad/first").documents[0].path.unlink()
            refused("bad/first", "cannot read", "bad/first/kb/")""")

    def test_answers_that_are_no_utf8_or_no_json_are_errors(self):
        program = self.at / "strange"
        for says, message in ((r"printf 'brewery: bad \377\n' >&2; exit 1",
                               "BreweryError: bad \ufffd"),
                              (r"printf '\377\n'", "answered what is no JSON")):
            program.write_text(f"#!/bin/sh\n{says}\n")
            program.chmod(0o755)
            self.assertIn(message, self.script(
                f"import os; os.environ['BREWERY_PROGRAM'] = '{program}'\n"
                "sys.stderr.reconfigure(encoding='utf-8')\n"
                "brewery.run({})", fails=True))

    def test_a_run_is_loaded_beside_one_that_cannot_be_read(self):
        self.script("""
            import shutil
            shutil.copytree("runs/first", "mixed/first")
            shutil.copytree("runs/first", "mixed/broken")
            open("mixed/broken/events.db", "wb").write(b"no log")
            assert len(brewery.load("mixed/first").evaluations) == 2
            try:
                brewery.load("mixed/broken")
            except brewery.BreweryError as problem:
                assert "mixed/broken" in str(problem), problem
            else:
                raise AssertionError("it was read")""")

    def test_trees_are_those_of_the_program(self):
        shown = json.loads(self.script("""
            import dataclasses, json
            run = brewery.load("runs/first")
            json.dump([[dataclasses.asdict(one) for one in run.trees()],
                       run.versions()], sys.stdout)"""))
        said = [json.loads(line) for line in subprocess.run(
            [PROGRAM, "tree", self.at / "runs/first", "--json"], text=True,
            check=True, capture_output=True).stdout.splitlines()]
        trees, versions = shown
        self.assertEqual([{"event": "tree"} | one for one in trees], said)
        self.assertEqual(len(trees), 3)
        self.assertEqual([row["id"] for row in versions],
                         [one["id"] for tree in said
                          for one in tree["versions"]])
        best = {row["concept"]: row for row in versions if row["published"]}
        for document in self.made["documents"]:
            self.assertEqual(best[document["concept"]]["reward"],
                             document["reward"])

    def test_frames_without_pandas_say_so(self):
        self.assertIn("frame() needs pandas", self.script(
            "brewery.load('runs/first').frame()", fails=True))

    def test_frames_with_pandas(self):
        here = subprocess.run(["/usr/bin/python3", "-c", "import pandas"],
                              capture_output=True)
        if here.returncode:
            self.skipTest("there is no pandas")
        out = self.script("""
            sys.path.append("/usr/lib/python3/dist-packages")
            run = brewery.load("runs/first")
            frame = run.frame()
            print(list(frame["name"]), frame["tasks"].min())
            frame = run.frame("versions")
            print(len(frame) == len(run.versions()),
                  frame.groupby("title")["id"].min().max())""")
        self.assertEqual(out, "['no KB', 'learned, mcts'] 24\nTrue 0\n")
        self.assertIn('no frame of "tree"', self.script(
            "brewery.load('runs/first').frame('tree')", fails=True))

    def test_the_program_is_in_the_environment(self):
        out = subprocess.run([self.at / "venv/bin/brewery", "--version"],
                             text=True, capture_output=True, check=True).stdout
        self.assertTrue(out.startswith("brewery "), out)
        self.assertEqual(self.script("print(brewery.program())").strip(),
                         str(self.at / "venv/bin/brewery"))


if __name__ == "__main__":
    PROGRAM = Path(sys.argv.pop(1)).resolve()
    if subprocess.run(["/usr/bin/python3", "-c", "import ensurepip"],
                      capture_output=True).returncode:
        print("skipped: this needs python3-venv")
        sys.exit(77)
    unittest.main()
