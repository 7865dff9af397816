#!/usr/bin/env python3
"""Runs the built `brewery` and checks exit codes, output and error lines.

  cli_test.py PATH_OF_BREWERY [unittest arguments]
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support.program import clean_environment

BREWERY = ""
SOURCE = Path(__file__).resolve().parents[2]
COMMANDS = ["run", "resume", "eval", "runs", "kb list", "kb show", "kb diff",
            "kb search", "kb export", "rollout show", "config check",
            "config print"]
JOB = "1f0c52aa000000000000000000000000"


def brewery(*words, cwd=None, variables=None):
    env = clean_environment() | (variables or {})
    return subprocess.run([BREWERY, *map(str, words)], cwd=cwd, env=env,
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)


def write_kb(folder, texts):
    """Documents as `brewery run` writes them: {title: (body, evidence)}."""
    folder.mkdir(parents=True)
    documents = []
    for number, (title, (body, evidence)) in enumerate(texts.items()):
        file = f"{number:02}-{title.lower().replace(' ', '-')}.md"
        (folder / file).write_text(f'---\ntitle: "{title}"\n---\n{body}')
        documents.append({
            "concept": number, "title": title, "file": file,
            "hash": hashlib.sha256(body.encode()).hexdigest()[:32],
            "parent": "", "iteration": 2, "reward": 0.75, "correctness": 0.5,
            "retrieval": 1.0, "evaluated": 8, "train_tasks": 3,
            "eval_tasks": 8, "evidence": evidence})
    (folder / "manifest.json").write_text(json.dumps({
        "format": 1, "run": "first", "strategy": "mcts", "seed": 1,
        "documents": documents}))


ROAMING = "# Roaming\n\n**When to use**: no data abroad.\n\n- Turn roaming on.\n"
RADIO = "# Radio\n\n**When to use**: no signal at all.\n\n- Leave flight mode.\n"
EVIDENCE = [{"line": 5, "insights": [{
    "id": "a" * 32, "sentence": "Turning roaming on brought data back.",
    "count": 12, "rollouts": [{"job": JOB, "task": "task-a"}]}]}]


class Case(unittest.TestCase):
    def setUp(self):
        self.maxDiff = None
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.at = Path(made.name)
        self.kb = self.at / "runs" / "first" / "kb"
        write_kb(self.kb, {"Roaming": (ROAMING, EVIDENCE), "Radio": (RADIO, [])})
        (self.at / "runs" / "first" / "config.toml").write_text("")

    def ok(self, *words, **more):
        done = brewery(*words, cwd=self.at, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def fails(self, code, message, *words, **more):
        """The command fails with exactly this one line on standard error."""
        done = brewery(*words, cwd=self.at, **more)
        self.assertEqual(done.stderr, f"brewery: {message}\n", words)
        self.assertEqual(done.returncode, code, words)
        return done.stdout

    def fails_with(self, code, part, *words, **more):
        """The same for a line that holds `part`."""
        done = brewery(*words, cwd=self.at, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(done.stderr.startswith("brewery: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(part, done.stderr)
        return done.stdout


class Help(Case):
    def test_every_command_explains_itself(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.ok(*command.split(), "--help")
                self.assertIn(f"Usage: brewery {command}", text)
                self.assertIn("Example", text)
                self.assertIn(f"  brewery {command}", text)
                self.assertRegex(
                    text, "Prints|Writes|Ranks|Plays|Continues|Reads")

    def test_no_help_is_wider_than_a_terminal(self):
        for command in ["", *COMMANDS]:
            for line in self.ok(*command.split(), "--help").splitlines():
                if " " in line.strip():
                    self.assertLessEqual(len(line), 80, f"{command}: {line}")

    def test_the_main_help_mentions_every_command(self):
        text = re.sub(r"\n {30}", " ", self.ok("--help"))
        for command in COMMANDS:
            group, _, name = command.partition(" ")
            with self.subTest(command):
                line = next((line for line in text.splitlines()
                             if line.startswith(f"  {group} ")), "")
                self.assertTrue(line)
                self.assertIn(name, line)
        self.assertIn("0 ok, 1 failed, 2 bad usage", " ".join(text.split()))

    def test_run_help_lists_every_option_with_its_default(self):
        text = self.ok("run", "--help")
        values = json.loads(self.ok("config", "print", "--format", "json"))
        def listed(section, options):
            self.assertIn(f"  {section}. ", text)
            for name, value in options.items():
                if isinstance(value, dict):
                    listed(f"{section}.{name}", value)
                else:
                    self.assertIn(f" {name}=", text)

        for section, options in values.items():
            listed(section, options)

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^brewery \d+\.\d+\.\d+"
                         r"( \(commit [0-9a-f]{12}( with changes)?\))?\n$")


class Usage(Case):
    def test_bad_usage_is_one_line_and_exit_code_2(self):
        table = [
            ([], "A subcommand is required; see `brewery --help`"),
            (["rnu"], 'unknown command "rnu"; did you mean "run"?'),
            (["kb", "lst"], 'unknown command "kb lst"; did you mean '
                            '"kb list"?'),
            (["config"], "A subcommand is required; see `brewery config "
                         "--help`"),
            (["kb", "zzzzzzzz"], 'unknown command "kb zzzzzzzz"; commands are '
                                 "list, show, diff, search, export"),
            (["run"], "CONFIG is required; see `brewery run --help`"),
            (["run", "a", "--fast"], "unknown option --fast; see `brewery "
                                     "run --help`"),
            (["--verson"], "unknown option --verson; did you mean --version?; "
                           "see `brewery --help`"),
            (["run", "a", "--id", ""], "--id: must not be empty; see `brewery "
                                       "run --help`"),
            (["config", "print", "--format", "yaml"],
             "--format: yaml not in {toml,json,example,markdown}; see "
             "`brewery config print --help`"),
            (["kb", "export", "first"],
             "--skills, --experiences, --documents or --memory is required; see "
             "`brewery kb export --help`"),
        ]
        for words, message in table:
            with self.subTest(words):
                self.fails(2, message, *words)
        for words, option in (
                (["kb", "export", "first", "--skills", ""], "--skills"),
                (["kb", "show", "first", ""], "CONCEPT"),
                (["rollout", "show", "first", ""], "TASK")):
            with self.subTest(words):
                self.fails_with(2, option, *words)


class Configuration(Case):
    def config(self, text, name="a.toml"):
        (self.at / name).write_text(text)
        return name

    def test_check_says_ok(self):
        name = self.config('[environment]\nkind = "toy"\n')
        self.assertEqual(self.ok("config", "check", name), "a.toml: ok\n")
        self.assertEqual(json.loads(self.ok("config", "check", name, "--json")),
                         {"event": "configuration", "ok": True,
                          "problems": []})

    def test_every_problem_is_a_line(self):
        name = self.config("[search]\niteration = 5\ncandidates = 0\n")
        done = brewery("config", "check", name, cwd=self.at)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.splitlines(), [
            "brewery: a.toml:2:1: unknown key search.iteration = 5; did you "
            "mean search.iterations?",
            "brewery: a.toml:3:1: search.candidates = 0: expected an integer "
            "from 1 to 1000 or \"width\"",
            'brewery: default: environment.data = "": this environment needs '
            "a data directory, use --set environment.data=DIRECTORY"])

    def test_tasks_are_generated_into_a_free_folder_and_can_be_loaded(self):
        words = ("generate", "telecom", "--seed", 2, "--out", "g", "--train", 4,
                 "--eval", 0, "--test", 2)
        self.ok(*words)
        self.assertEqual(sorted(json.loads(
            (self.at / "g/split_tasks.json").read_text())), ["test", "train"])
        kept = (self.at / "g/db.toml").read_text() + "# mine\n"
        (self.at / "g/db.toml").write_text(kept)
        (self.at / "g/tasks.json").unlink()
        self.fails_with(1, "exists already: choose another --out", *words)
        self.assertEqual((self.at / "g/db.toml").read_text(), kept)

    def test_env_check_is_about_spreadsheets(self):
        name = self.config('[environment]\nkind = "toy"\n')
        self.fails_with(2, '`env check` knows the parts of "spreadsheet"', "env",
                   "check", "--config", name)

    def test_a_wrong_kind_of_environment_is_one_mistake(self):
        name = self.config('[environment]\nkind = "toyy"\n')
        done = brewery("config", "check", name, cwd=self.at)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn('did you mean "toy"?', done.stderr)

    def test_problems_as_json(self):
        name = self.config('[environment]\nkind = "toy"\n[run]\nseed = "x"\n')
        done = brewery("config", "check", name, "--json", cwd=self.at)
        self.assertEqual(done.returncode, 2)
        whole, each = map(json.loads, done.stdout.splitlines())
        self.assertEqual(each["event"], "error")
        self.assertEqual(whole, {
            "event": "configuration", "ok": False, "problems": [{"code": "invalid configuration",
             "message": 'a.toml:4:1: run.seed = "x": expected an integer of '
                        "at least 0, found a string"}]})
        self.assertEqual(each["message"], whole["problems"][0]["message"])

    def test_an_old_key_is_read_with_a_note_on_standard_error(self):
        name = self.config('[environment]\nkind = "spreadsheet"\n'
                           f'data = "{SOURCE / "examples/spreadsheets"}"\n'
                           "[environment.spreadsheet]\ntrain_tasks = 8\n"
                           "eval_tasks = 4\n")
        hint = ("--set: environment.turns is now "
                "environment.spreadsheet.turns")
        for words in (["config", "check", name], ["config", "print", name]):
            done = brewery(*words, "--set", "environment.turns=4", cwd=self.at)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, f"brewery: note: {hint}\n")
        self.assertIn("\nturns = 4\n", done.stdout)
        done = brewery("config", "check", name, "--json", "--set",
                       "environment.turns=4", cwd=self.at)
        self.assertEqual(json.loads(done.stdout)["hints"], [hint])

    def test_a_missing_file_is_named_with_its_neighbour(self):
        self.config("", "telecom.toml")
        for words in (["config", "check"], ["config", "print"], ["run"]):
            self.fails(2, "cannot read configuration telecon.toml: No such "
                          "file or directory; did you mean telecom.toml?",
                       *words, "telecon.toml")

    def test_run_and_eval_refuse_a_bad_configuration(self):
        name = self.config("[search]\nlambda_retrieval = 0.6\n")
        message = ("default: search.lambda_correctness = 0.5: with "
                   "search.lambda_retrieval = 0.6 the sum is 1.1, expected 1")
        self.fails(2, message, "run", name)
        self.fails(2, message, "eval", "first", "--config", name)
        self.assertEqual([p.name for p in (self.at / "runs").iterdir()],
                         ["first"])

    def test_a_missing_data_directory_stops_a_run(self):
        name = self.config('[environment]\ndata = "none"\n')
        data = self.at.resolve() / "none"
        self.fails(2, f'a.toml:2: environment.data = "{data}": no such '
                      "directory", "run", name)

    def test_what_is_printed_loads_back_from_anywhere(self):
        name = self.config('[environment]\ntrain_split = "café \\"x\\""\n')
        first = self.ok("config", "print", name, "--set", "run.name=night",
                        "--set", "search.strategies=greedy,mcts")
        self.assertIn('train_split = "café \\"x\\""\n', first)
        self.assertIn('strategies = ["greedy", "mcts"]\n', first)
        (self.at / "sub").mkdir()
        (self.at / "sub" / "b.toml").write_text(first)
        self.assertEqual(self.ok("config", "print", "sub/b.toml"), first)

    def test_precedence_and_origins(self):
        name = self.config("[run]\nseed = 2\nthreads = 2\nname = \"a\"\n")
        text = self.ok("config", "print", name, "--origin", "--set",
                       "run.seed=4",
                       variables={"BREWERY_RUN__SEED": "3",
                                  "BREWERY_RUN__THREADS": "3"})
        self.assertIn("\nseed = 4  # from --set\n", text)
        self.assertIn("\nthreads = 3  # from BREWERY_RUN__THREADS\n", text)
        self.assertIn('\nname = "a"  # from a.toml:4\n', text)
        self.assertIn('\nlog_level = "warn"  # from default\n', text)

    def test_a_misspelt_variable_is_named(self):
        self.fails(2, "BREWERY_RUN__SED: unknown key run.sed; did you mean "
                      "run.seed?",
                   "config", "print", variables={"BREWERY_RUN__SED": "3"})

    def test_the_generated_files_are_up_to_date(self):
        for form, file in (("example", "brewery.example.toml"),
                           ("markdown", "OPTIONS.md")):
            self.assertEqual(self.ok("config", "print", "--format", form),
                             (SOURCE / "config" / file).read_text())

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_is_not_success(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([BREWERY, "config", "print"], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "brewery: cannot write the output: No "
                                      "space left on device\n")


class KnowledgeBase(Case):
    def test_a_kb_is_named_by_run_id_run_directory_or_folder(self):
        expected = self.ok("kb", "list", "first")
        self.assertIn("Roaming", expected)
        for name in ("runs/first", "runs/first/kb", str(self.kb)):
            self.assertEqual(self.ok("kb", "list", name), expected)
        self.assertEqual(
            self.ok("kb", "list", "first", "--runs-dir", "runs"), expected)

    def test_list_as_json(self):
        lines = self.ok("kb", "list", "first", "--json").splitlines()
        first = json.loads(lines[0])
        self.assertEqual(len(lines), 2)
        self.assertEqual(
            [first[k] for k in ("concept", "title", "reward", "insights")],
            [0, "Roaming", 0.75, 1])

    def test_an_unknown_run_is_answered_with_the_nearest(self):
        self.fails_with(1, "did you mean first?", "kb", "list", "frist")

    def test_show_prints_the_document(self):
        self.assertEqual(self.ok("kb", "show", "first", "0"), ROAMING)
        self.assertEqual(self.ok("kb", "show", "first", "roam"), ROAMING)

    def test_show_refuses_an_unknown_or_ambiguous_concept(self):
        self.fails(1, 'no concept "Romaing"; did you mean "Roaming"?',
                   "kb", "show", "first", "Romaing")
        self.fails(1, 'no concept "7"; `brewery kb list` shows them',
                   "kb", "show", "first", "7")
        self.fails_with(2, '2 concepts match "R"', "kb", "show", "first", "R")

    def test_provenance_is_below_the_line_it_explains(self):
        lines = self.ok("kb", "show", "first", "0",
                        "--provenance").splitlines()
        at = lines.index("- Turn roaming on.")
        self.assertEqual(lines[at + 1:at + 4],
                         ["    <- 12x Turning roaming on brought data back.",
                          "       1x grade not kept: task-a 1f0c52aa",
                          "       11x not named in this manifest"])
        self.assertEqual(len(lines), len(ROAMING.splitlines()) + 3)

    def test_provenance_as_json(self):
        shown = json.loads(self.ok("kb", "show", "first", "0", "--json"))
        self.assertEqual([line["text"] for line in shown["lines"]],
                         ROAMING.splitlines())
        self.assertEqual(shown["lines"][4]["insights"][0]["rollouts"],
                         [{"task": "task-a", "job": JOB}])
        self.assertNotIn("insights", shown["lines"][0])

    def test_provenance_needs_a_manifest(self):
        (self.kb / "manifest.json").unlink()
        self.fails_with(1, "has no manifest.json", "kb", "show", "first",
                        "Roaming", "--provenance")

    def test_control_characters_of_a_document_are_not_printed(self):
        write_kb(self.at / "evil", {"Evil": ("# Evil\n\x1b[2Jgone\n", [])})
        self.assertEqual(self.ok("kb", "show", "evil", "0"),
                         "# Evil\n?[2Jgone\n")

    def test_diff_shows_changes_and_nothing_for_equal_ones(self):
        changed = ROAMING.replace("Turn roaming on.", "Restart.")
        write_kb(self.at / "b",
                 {"Roaming": (changed, []), "Radio": (RADIO, [])})
        text = self.ok("kb", "diff", "first", "b")
        self.assertIn("\n-- Turn roaming on.\n+- Restart.\n", text)
        self.assertNotIn("flight mode", text)
        self.assertNotIn("\x1b", text)
        self.assertEqual(self.ok("kb", "diff", "first", "first"),
                         "no difference\n")
        change = json.loads(self.ok("kb", "diff", "first", "b", "--json"))
        self.assertEqual((change["change"], change["title"]),
                         ("changed", "Roaming"))

    def test_search_ranks_and_says_when_nothing_is_found(self):
        hits = [json.loads(line) for line in self.ok(
            "kb", "search", "first", "data", "abroad", "--json").splitlines()]
        self.assertEqual(hits[0]["title"], "Roaming")
        self.assertEqual(
            len(self.ok("kb", "search", "first", "when use", "--limit", "1",
                        "--json").splitlines()), 1)
        self.fails(1, "no document has any of these words", "kb", "search",
                   "first", "zebra")

    def test_export_writes_skills_and_overwrites_nothing(self):
        self.assertEqual(
            self.ok("kb", "export", "first", "--skills", "out"),
            "2 skills in out\n")
        skills = sorted(p.name for p in (self.at / "out").iterdir())
        self.assertEqual(len(skills), 2)
        for name in skills:
            text = (self.at / "out" / name / "SKILL.md").read_text()
            self.assertTrue(text.startswith("---\n"), text)
        self.fails_with(1, "exists already and is not empty", "kb", "export",
                        "first", "--skills", "out")

    def test_a_malformed_manifest_is_named(self):
        (self.kb / "manifest.json").write_text("{")
        self.fails_with(1, "manifest.json", "kb", "list", "first")

    def test_a_hand_edited_document_is_used_with_a_warning(self):
        file = next(self.kb.glob("00-*.md"))
        file.write_text(file.read_text() + "- Mine.\n")
        done = brewery("kb", "show", "first", "0", cwd=self.at)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith("- Mine.\n"))
        self.assertTrue(done.stderr.startswith("brewery: warning: "))


class Runs(Case):
    def test_a_directory_that_a_variable_names_must_be_there(self):
        self.fails_with(1, "BREWERY_RUN__RUNS_DIR: there is no directory",
                        "runs", variables={"BREWERY_RUN__RUNS_DIR": "nosuch"})

    def test_only_what_is_wrong_with_a_variable_is_said(self):
        (self.at / "empty").mkdir()
        for name, value, said in (
                ("AGENT__KIND", "llm", ""),  # a file would name the model
                ("RUN__RUNS_DR", "x", "warning: BREWERY_RUN__RUNS_DR: ")):
            done = brewery("runs", cwd=self.at, variables={
                "BREWERY_RUN__RUNS_DIR": "empty", f"BREWERY_{name}": value})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("\n"), bool(said), done.stderr)
            self.assertIn(said, done.stderr)

    def test_no_runs(self):
        (self.at / "empty").mkdir()
        self.assertIn("no runs in ", self.ok("runs", "--runs-dir", "empty"))
        self.assertEqual(self.ok("runs", "--runs-dir", "empty", "--json"), "")
        self.fails_with(1, "there is no directory none", "runs", "--runs-dir",
                        "none")

    def test_a_run_without_a_log_is_listed_with_the_reason(self):
        text = self.fails_with(1, "events.db", "runs")
        self.assertRegex(text, r"\nfirst +unreadable ")
        done = json.loads(self.fails_with(1, "events.db", "runs", "--json")
                          .splitlines()[0])
        self.assertEqual((done["id"], done["state"]), ("first", "unreadable"))
        self.assertNotIn("iterations", done)  # nor has it a configuration
        self.assertIn("events.db", done["problem"])

    def test_one_run_is_listed_whatever_lies_beside_it(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        self.ok("run", "toy.toml", "--id", "other", "--quiet", "--set",
                "search.iterations=1")
        for name in ("other", "runs/other", self.at / "runs" / "other"):
            listed = self.ok("runs", name, "--json").splitlines()
            self.assertEqual([json.loads(one)["id"] for one in listed],
                             ["other"])
        self.fails_with(1, "did you mean other?", "runs", "othre")


if __name__ == "__main__":
    BREWERY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
