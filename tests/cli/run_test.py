#!/usr/bin/env python3
"""Whole runs of the built `brewery`: what they write and print, and what bad
task data is answered with.

  run_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from support.program import DESK, TOY, CommandCase, main

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "telecom"


class Case(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)
        (self.at / "desk.toml").write_text(DESK)

    def fails(self, part, *words):
        """One line on standard error that holds `part`; nothing is left."""
        done = self.brewery(*words)
        self.assertGreater(done.returncode, 0, done.stdout)
        self.assertLess(done.returncode, 100, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("brewery: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(part, done.stderr)


class FinishedRuns(Case):
    """One run for all tests: they only read."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.root = Path(cls.scratch.name)
        (cls.root / "toy.toml").write_text(TOY)
        done = subprocess.run([cls.program, "run", "toy.toml", "--id", "first",
                               "--json"], cwd=cls.root, text=True,
                              stdout=subprocess.PIPE, timeout=120)
        assert done.returncode == 0
        cls.lines = [json.loads(line) for line in done.stdout.splitlines()]
        cls.result = cls.lines[-1]

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def ok_here(self, *words):
        return self.ok(*words, at=self.root)

    def test_json_ends_with_the_result(self):
        self.assertEqual(self.result["event"], "result")
        self.assertEqual([arm["name"] for arm in self.result["arms"]],
                         ["no KB", "learned, mcts", "learned, greedy"])
        for arm in self.result["arms"]:
            self.assertTrue(
                0 <= arm["low"] <= arm["success"] <= arm["high"] <= 1, arm)
        baseline, learned = self.result["arms"][:2]
        self.assertGreater(learned["success"], baseline["success"])
        self.assertAlmostEqual(learned["difference"],
                               learned["success"] - baseline["success"])
        for line in self.lines[:-1]:
            self.assertEqual(line["event"], "progress")
            self.assertEqual([one["search"] for one in line["searches"]],
                             ["mcts", "greedy"])

    def test_what_left_no_files_is_not_graded_again(self):
        done = self.brewery("regrade", "first", at=self.root)
        self.assertEqual(done.returncode, 2)
        self.assertIn("leave no files", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_the_table_names_every_arm_and_where_the_documents_are(self):
        text = self.ok_here("resume", "first")
        for row in ["no KB", "learned, mcts", "learned, greedy"]:
            self.assertRegex(text, rf"(?m)^{row}  +\d+\.\d %  +0\.0 %  +\[")
        self.assertRegex(text, r"(?m)^rollouts +\d+$")
        folder = re.search(r"(?m)^documents +(.+)$", text)[1]
        self.assertTrue((self.root / folder / "manifest.json").is_file())

    def test_the_manifest_names_every_document_and_its_evidence(self):
        kb = self.root / "runs/first/kb"
        manifest = json.loads((kb / "manifest.json").read_text())
        files = sorted(path.name for path in kb.glob("*.md"))
        self.assertEqual([d["file"] for d in manifest["documents"]], files)
        graded = {grade["job"] for grade in manifest["grades"]}
        for document in manifest["documents"]:
            self.assertTrue(document["evidence"], document["title"])
            known = {insight["id"]: insight
                     for insight in document["insights"]}
            for line in document["evidence"]:
                self.assertEqual(len(set(line["insights"])),
                                 len(line["insights"]))
                for name in line["insights"]:
                    insight = known[name]
                    self.assertTrue(insight["sentence"])
                    self.assertEqual(len(insight["rollouts"]),
                                     insight["count"])
                    self.assertTrue({rollout["job"] for rollout
                                     in insight["rollouts"]} <= graded)

    def test_the_report_tells_the_curve_the_trees_and_the_changes(self):
        report = (self.root / "runs/first/report.md").read_text()
        places = [report.index(heading) for heading in [
            "# Run first", "**The knowledge base of `mcts` helps:**",
            "| seed | 7 |", "## Results on the test split",
            "## What to do next", "## Appendix: `mcts`", "### Curve of `mcts`",
            "### What changed in `mcts`", "### Trees of `greedy`"]]
        self.assertEqual(places, sorted(places))
        self.assertRegex(report, r"\| finished \| 20\d\d-\d\d-\d\d ")
        for iteration in range(5):
            self.assertRegex(report, rf"(?m)^ +{iteration}  \d\.\d+ ")

    def test_one_attempt_is_shown_with_what_was_read_called_and_graded(self):
        text = self.ok_here("rollout", "show", "first", "test-001")
        self.assertRegex(text, r"(?m)^task     test-001$")
        self.assertRegex(text, r"(?m)^under    learned, mcts$")
        self.assertRegex(text, r"(?m)^       reads \d+ documents for: ")
        self.assertRegex(text, r"(?m)^    1  \w+\(")
        self.assertRegex(text, r"(?m)^checks\n  (not )?met ")
        bare = json.loads(self.ok_here("rollout", "show", "first", "test-001",
                                       "--arm", "no KB", "--trial", 2,
                                       "--json"))
        self.assertEqual((bare["arm"], bare["rollout"]["trial"]), ("no KB", 1))
        self.assertEqual(bare["rollout"]["retrievals"], [])
        train = self.ok_here("rollout", "show", "first", "train-001")
        self.assertRegex(train, r"(?m)^under    the search$")

    def test_an_attempt_is_of_its_arm_by_its_id_too(self):
        by_task = json.loads(self.ok_here("rollout", "show", "first",
                                          "test-001", "--json"))
        by_id = self.ok_here("rollout", "show", "first",
                             by_task["rollout"]["id"][:8])
        self.assertRegex(by_id, r"(?m)^under    learned, mcts$")

    def test_documents_that_were_edited_leave_the_evaluation_what_it_was(self):
        copy = self.root / "runs/edited"
        shutil.copytree(self.root / "runs/first", copy)
        try:
            for document in (copy / "kb").glob("*.md"):
                document.write_text(document.read_text() + "- by hand\n")
            shown = self.ok_here("rollout", "show", "edited", "test-001")
            self.assertEqual(shown.replace("edited", "first"), self.ok_here(
                "rollout", "show", "first", "test-001"))
        finally:
            shutil.rmtree(copy)

    def test_a_tree_that_is_not_there_is_refused(self):
        for words in (("99",), ("0", "--strategy", "nope")):
            done = self.brewery("tree", "first", *words, at=self.root)
            self.assertEqual(done.returncode, 1)
            self.assertIn("run first has no tree of", done.stderr)

    def test_a_report_replaces_no_page_of_somebody_else(self):
        site = self.root / "site"
        site.mkdir()
        (site / "report.html").write_text("mine")
        done = self.brewery("report", "first", "--out", "site", at=self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("report.html is not the report of a sweep", done.stderr)
        self.assertEqual((site / "report.html").read_text(), "mine")

    def test_an_attempt_that_is_not_there_is_refused_in_one_line(self):
        for words, part in [
                (["test-001", "--trial", 3], "has 2 trials of each task"),
                (["test-001", "--arm", "x"], 'no arm "x"'),
                (["tset-001"], 'no attempt at a task "tset-001"')]:
            done = self.brewery("rollout", "show", "first", *words,
                                at=self.root)
            self.assertIn(done.returncode, (1, 2))
            self.assertEqual(done.stdout, "")
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_every_strategy_leaves_its_documents(self):
        self.assertTrue((self.root /
                         "runs/first/strategies/greedy/kb/manifest.json")
                        .is_file())

    def test_runs_lists_it_with_its_scores(self):
        text = self.ok_here("runs")
        self.assertRegex(text, r"(?m)^first +finished +4/4 ")
        listed = json.loads(self.ok_here("runs", "--json"))
        self.assertEqual([arm["name"] for arm in listed["evaluations"]],
                         ["no KB", "learned, mcts", "learned, greedy"])
        self.assertAlmostEqual(listed["evaluations"][1]["reward"],
                               self.result["arms"][1]["success"])

    def test_eval_of_a_run_needs_no_configuration(self):
        text = self.ok_here("eval", "first")
        self.assertIn("(24 tasks, 2 trials each)", text)
        self.assertRegex(text, r"pass\^1 +pass\^2")
        greedy = self.ok_here("eval", "runs/first/strategies/greedy/kb",
                              "--trials", 2, "--json")
        arms = json.loads(greedy.splitlines()[-1])["arms"]
        # The same jobs as at the end of the run, so the same rewards.
        self.assertAlmostEqual(arms[1]["success"],
                               self.result["arms"][2]["success"])
        self.assertAlmostEqual(arms[1]["pass_k"][0], arms[1]["success"])

    def test_eval_of_other_documents_asks_for_a_configuration(self):
        shutil.copytree(self.root / "runs/first/kb", self.at / "loose")
        self.fails("give --config FILE", "eval", "loose")
        self.assertIn("with KB", self.ok("eval", "loose", "--config",
                                         "toy.toml"))

    def test_eval_of_no_split_names_those_there_are(self):
        done = self.brewery("eval", "first", "--split", "tset", at=self.root)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("did you mean 'test'?", done.stderr)

    def test_provenance_reaches_down_to_rollouts(self):
        text = "".join(self.ok_here("kb", "show", "first", number,
                                    "--provenance")
                       for number in range(len(list(
                           (self.root / "runs/first/kb").glob("*.md")))))
        self.assertRegex(text, r"(?m)^\d+\. When `")
        self.assertRegex(text, r"job [0-9a-f]{8}|[0-9a-f]{8,}")


class Exports(Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(EXAMPLE, self.at / "desk")

    def run_desk(self, *more):
        text = self.ok("run", "desk.toml", "--id", "first", "--json",
                       "--set", "eval.test_trials=2", *more)
        return json.loads(text.splitlines()[-1])

    def test_every_arm_is_written_in_tau2s_results_format(self):
        arms = {arm["name"]: arm for arm in self.run_desk()["arms"]}
        for name, words in [("no KB", ["--arm", "no KB"]),
                            ("learned, mcts", [])]:
            told = self.ok("export", "--tau2", "first", "-o", "out.json",
                           "--force", *words)
            self.assertIn(f'4 rollouts of "{name}" in out.json', told)
            results = json.loads((self.at / "out.json").read_text())
            self.assertEqual(results["info"]["brewery"]["arm"], name)
            self.assertEqual(results["info"]["num_trials"], 2)
            self.assertEqual(len(results["tasks"]), 2)
            done = results["simulations"]
            self.assertEqual(sorted((s["task_id"], s["trial"]) for s in done),
                             sorted((t["id"], trial)
                                    for t in results["tasks"]
                                    for trial in range(2)))
            rewards = [s["reward_info"]["reward"] for s in done]
            self.assertAlmostEqual(sum(rewards) / 4, arms[name]["success"])
            for simulation in done:
                self.assertEqual(simulation["termination_reason"],
                                 "agent_stop")
                self.check_messages(simulation["messages"])

    def check_messages(self, messages):
        """Every call is followed by its result, as tau2-bench replays it."""
        self.assertTrue(messages)
        for asked, answered in zip(messages[::2], messages[1::2]):
            self.assertEqual(asked["role"], "assistant")
            self.assertEqual(answered["role"], "tool")
            self.assertEqual(asked["tool_calls"][0]["id"], answered["id"])

    def test_what_cannot_be_exported_is_said(self):
        self.run_desk("--set", "search.final_evaluation=false")
        self.fails("no final evaluation", "export", "--tau2", "first", "-o",
                   "out.json")
        self.fails("no run 'secnd'", "export", "--tau2", "secnd", "-o", "out.json")
        self.ok("run", "toy.toml", "--id", "toy")
        self.fails("not of tau2-bench", "export", "--tau2", "toy", "-o",
                   "out.json")

    def test_an_unknown_arm_is_named_with_those_there_are(self):
        self.run_desk()
        self.fails('"no KB", "learned, mcts"', "export", "--tau2", "first",
                   "--arm", "mcts", "-o", "out.json")

    def test_workers_play_by_the_rules_of_the_run(self):
        usual = self.run_desk("--workers", "1")
        shutil.rmtree(self.at / "runs")
        strict = self.run_desk("--workers", "1", "--set",
                               "environment.tau2.max_errors=9")
        self.assertEqual([arm["success"] for arm in usual["arms"]],
                         [arm["success"] for arm in strict["arms"]])

    def test_worker_processes_know_nothing_of_the_users_cluster(self):
        of_cluster = {"BREWERY_CONNECT": "tcp://127.0.0.1:9",
                      "BREWERY_KEY": str(self.at / "no.key"),
                      "BREWERY_SERVER_KEY": str(self.at / "no.pub")}
        self.ok("run", "toy.toml", "--id", "own", "--quiet", "--workers", "2",
                variables=of_cluster)

    def test_as_many_worker_processes_start_as_were_asked_for(self):
        # Enough to be still starting when they are looked after.
        process = self.start("run", "toy.toml", "--id", "many", "--quiet",
                             "--workers", "40")
        tasks, most = Path(f"/proc/{process.pid}/task"), 0
        while process.poll() is None:
            try:
                most = max(most, sum(len(one.read_text().split())
                                     for one in tasks.glob("*/children")))
            except OSError:  # a thread that has ended
                pass
        process.communicate()
        self.assertEqual((process.returncode, most), (0, 40))


class BadData(Case):
    """Nothing of a run is written before its data has been read."""

    def damage(self, edit):
        shutil.copytree(EXAMPLE, self.at / "desk")
        tasks = json.loads((EXAMPLE / "tasks.json").read_text())
        splits = json.loads((EXAMPLE / "split_tasks.json").read_text())
        edit(tasks, splits)
        (self.at / "desk/tasks.json").write_text(json.dumps(tasks))
        (self.at / "desk/split_tasks.json").write_text(json.dumps(splits))
        return tasks

    def refused(self, *parts):
        for part in parts:
            self.fails(part, "run", "desk.toml")
            self.fails(part, "config", "check", "desk.toml")
        self.assertFalse((self.at / "runs").exists())

    def test_a_missing_task_file_is_named(self):
        self.damage(lambda tasks, splits: None)
        (self.at / "desk/tasks.json").unlink()
        self.refused("desk/tasks.json: no such file")

    def test_a_torn_task_file_is_named_with_its_line(self):
        self.damage(lambda tasks, splits: None)
        (self.at / "desk/tasks.json").write_text('[\n{"id": ')
        self.refused("desk/tasks.json:2:8: is not JSON: syntax error")

    def test_a_malformed_field_is_named_with_its_task(self):
        def edit(tasks, splits):
            tasks[3]["initial_state"]["initialization_actions"] = 5
        tasks = self.damage(edit)
        self.refused("desk/tasks.json", f'task "{tasks[3]["id"]}"',
                     "initial_state.initialization_actions must be a list")

    def test_an_unknown_function_is_named(self):
        def edit(tasks, splits):
            tasks[2]["initial_state"]["initialization_actions"][0][
                "func_name"] = "fry_phone"
        self.damage(edit)
        self.refused('initialization_actions[0] names the function "fry_phone"')

    def test_an_unknown_tool_is_named(self):
        def edit(tasks, splits):
            tasks[2]["evaluation_criteria"]["actions"][0]["name"] = "fry_phone"
        self.damage(edit)
        self.refused('actions[0] names the tool "fry_phone"')

    def test_an_unknown_assertion_is_named(self):
        def edit(tasks, splits):
            tasks[2]["evaluation_criteria"]["env_assertions"][0][
                "func_name"] = "assert_fried"
        self.damage(edit)
        self.refused('env_assertions[0] names the function "assert_fried"')

    def test_a_task_that_the_data_cannot_start_is_named(self):
        def edit(tasks, splits):
            for task in tasks:
                if task["id"] in (splits["train"][0], splits["test"][0]):
                    task["initial_state"]["initialization_actions"][0][
                        "arguments"]["phone_number"] = "555"
        self.damage(edit)
        self.refused("desk/tasks.json: task ", "initialisation stopped at "
                     "initial_state.initialization_actions[0], ",
                     "Line with phone number 555 not found; mend it or")

    def test_an_empty_split_is_named(self):
        self.damage(lambda tasks, splits: splits.update(train=[]))
        self.refused('split_tasks.json: split "train" is empty')

    def test_a_split_of_an_unknown_task_is_named(self):
        self.damage(lambda tasks, splits: splits["eval"].append("nope"))
        self.refused('split "eval" names the task "nope"')

    def test_a_split_that_is_not_there_is_named_with_those_that_are(self):
        self.damage(lambda tasks, splits: splits.pop("eval"))
        self.refused('environment.eval_split = "eval": split does not exist '
                     "in tau2-telecom; it has")

    def test_a_test_task_that_is_a_train_task_too_is_named(self):
        train = json.loads((EXAMPLE / "split_tasks.json").read_text())["train"]
        self.damage(lambda tasks, splits: splits["test"].append(train[3]))
        self.refused("the splits 'train' and 'test' have 1 of 2 tasks in "
                     f"common: {train[3]}; the splits for train, eval and "
                     "test must have different tasks")

    def test_data_of_another_version_is_refused_with_the_key(self):
        self.damage(lambda tasks, splits: None)
        db = self.at / "desk/db.toml"
        db.write_text(db.read_text().replace("plan_id", "plan_key", 1))
        self.refused("desk/db.toml:5: plans[0].plan_key is not a key of this "
                     "version: did you mean plan_id?")

    def test_a_directory_without_data_says_where_was_looked(self):
        (self.at / "desk").mkdir()
        self.refused("desk: holds no telecom data of tau2-bench",
                     "desk/data/tau2/domains/telecom/db.toml")


class OddSearches(Case):
    def test_an_agent_that_never_stops_is_stopped_by_its_budget(self):
        shutil.copytree(EXAMPLE, self.at / "desk")
        text = self.ok("run", "desk.toml", "--set", "agent.max_calls=7", "--set",
                       "agent.explore_writes=1000")
        self.assertRegex(text, r"(?m)^no KB +0\.0 %")

    def test_one_held_out_task_serves_every_concept(self):
        shutil.copytree(EXAMPLE, self.at / "desk")
        self.ok("run", "desk.toml", "--id", "few", "--set",
                "environment.max_eval_tasks=1", "--set", "eval.similarity=1")
        report = (self.at / "runs/few/report.md").read_text()
        rows = re.findall(r"(?m)^\| .+ \| \d+ \| (\d+) \|[^|]*\|$", report)
        self.assertTrue(rows)
        self.assertEqual(set(rows), {"1"})

    def test_generated_tasks_are_equal_and_never_overwritten(self):
        words = ["generate", "telecom", "--customers", EXAMPLE, "--train", 3,
                 "--eval", 2, "--test", 2, "--out"]
        self.ok(*words, "desk")
        self.ok(*words, "again")
        for name in ["tasks.json", "split_tasks.json"]:
            self.assertEqual((self.at / "desk" / name).read_bytes(),
                             (self.at / "again" / name).read_bytes())
        self.fails("desk/tasks.json exists already", *words, "desk")
        self.assertIn("no KB", self.ok("run", "desk.toml"))


if __name__ == "__main__":
    main()
