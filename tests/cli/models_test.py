#!/usr/bin/env python3
"""The whole loop on a language model over real HTTP; the model is a script
(model_script.py). Recording, replay, budgets, keys.

  models_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import signal
import time

from support.model_case import ModelCase, documents
from support.model_script import CATALOG, KEY
from support.program import main, wait_until

class Case(ModelCase):
    def test_a_run_learns_and_its_replay_asks_nobody(self):
        self.ok("run", "c.toml", "--id", "first", "--quiet")
        first = documents(self.at / "runs/first")
        self.assertTrue(first)
        asked = self.model.count()
        self.assertGreater(asked, 20)
        self.ok("run", "c.toml", "--id", "again", "--quiet", "--replay",
                "first")
        self.assertEqual(self.model.count(), asked)
        self.assertEqual(documents(self.at / "runs/again"), first)
        # Another prompt is not in the recording, and is named.
        line = self.fails("run", "c.toml", "--id", "other", "--quiet",
                          "--replay", "first", "--set", "agent.temperature=0.9")
        self.assertIn("recording", line)
        self.assertEqual(self.model.count(), asked)
        # Nor does a resume ask anybody: the run remembers what it repeats.
        self.assertEqual((self.at / "runs/other/replays").read_text(),
                         "../first\n")
        self.assertIn("recording", self.fails("resume", "other"))
        self.assertEqual(self.model.count(), asked)

    def test_no_key_is_written_anywhere(self):
        self.ok("run", "c.toml", "--id", "first", "--quiet")
        for path in (self.at / "runs").rglob("*"):
            if path.is_file():
                self.assertNotIn(KEY.encode(), path.read_bytes(), path)

    def test_a_killed_run_pays_nothing_twice(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        whole = self.model.count()
        expected = documents(self.at / "runs/whole")
        process = self.start("run", "c.toml", "--id", "cut", "--quiet")
        while self.model.count() < whole + whole // 2:
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.ok("resume", "cut")
        self.assertEqual(documents(self.at / "runs/cut"), expected)
        # Only what was under way when it was killed may be asked again.
        self.assertLessEqual(self.model.count(), 2 * whole + 4)

    def test_worker_processes_ask_through_the_parent(self):
        self.ok("run", "c.toml", "--id", "threads", "--quiet")
        self.ok("run", "c.toml", "--id", "workers", "--quiet", "--workers",
                "2")
        self.assertEqual(documents(self.at / "runs/workers"),
                         documents(self.at / "runs/threads"))

    def test_calls_refused_for_their_rate_are_made_again(self):
        self.model.refuse(25)
        self.ok("run", "c.toml", "--id", "first", "--quiet")
        calm = documents(self.at / "runs/first")
        self.ok("run", "c.toml", "--id", "second", "--quiet")
        self.assertEqual(documents(self.at / "runs/second"), calm)

    def test_a_spent_budget_stops_and_a_larger_one_goes_on(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        whole = self.model.count()
        line = self.fails("run", "c.toml", "--id", "poor", "--quiet", "--set",
                          f"budget.max_calls={whole // 2}")
        self.assertIn(f"of {whole // 2} calls", line)
        self.assertIn("brewery resume", line)
        self.assertLessEqual(self.model.count(), whole + whole // 2)
        self.ok("resume", "poor", "--set", "budget.max_calls=100000")
        self.assertEqual(documents(self.at / "runs/poor"),
                         documents(self.at / "runs/whole"))
        self.assertEqual(self.model.count(), 2 * whole)

    def test_how_replies_travel_changes_neither_results_nor_what_is_paid(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        whole = self.model.count()
        expected = documents(self.at / "runs/whole")
        chats = sum("messages" in asked for asked in self.model.requests)
        # All but those that were out while the first one tried it.
        self.assertGreater(self.model.streamed, chats // 2)
        self.fails("run", "c.toml", "--id", "cut", "--quiet", "--set",
                   f"budget.max_calls={whole // 2}")
        streamed = self.model.streamed
        catalog = self.at / "models.toml"
        text = catalog.read_text()
        catalog.write_text(text.replace("key_env", "stream = false\nkey_env"))
        self.ok("resume", "cut", "--set", "budget.max_calls=100000")
        self.assertEqual(documents(self.at / "runs/cut"), expected)
        self.assertEqual(self.model.count(), 2 * whole)
        self.assertEqual(self.model.streamed, streamed)
        catalog.write_text(text)
        self.model.streams = False
        self.ok("run", "c.toml", "--id", "refused", "--quiet")
        self.assertEqual(documents(self.at / "runs/refused"), expected)
        self.assertEqual(self.model.count(), 3 * whole)

    def test_a_run_whose_hours_are_used_up_stops_and_goes_on_with_more(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        line = self.fails("run", "c.toml", "--id", "brief", "--quiet", "--set",
                          "budget.max_hours=1e-9")
        self.assertIn("budget.max_hours = 1e-09 is used up", line)
        self.assertEqual(self.overview("brief")["state"], "interrupted")
        self.ok("resume", "brief", "--set", "budget.max_hours=0")
        self.assertEqual(documents(self.at / "runs/brief"),
                         documents(self.at / "runs/whole"))

    def overview(self, run):
        lines = map(json.loads, self.ok("runs", "--json").splitlines())
        return next(line for line in lines if line["id"] == run)

    def test_what_a_run_has_cost_is_shown_while_it_goes_on_and_after_a_kill(
            self):
        self.model.down_after = 12
        process = self.start("run", "c.toml", "--id", "first", "--quiet")
        wait_until("its cost is shown", lambda: (
            (self.at / "runs/first/status.json").exists()
            and self.overview("first")["cost_usd"] > 0))
        now = self.overview("first")
        self.assertEqual(now["state"], "running")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        after = self.overview("first")
        self.assertEqual(after["state"], "interrupted")
        self.assertGreaterEqual(after["cost_usd"], now["cost_usd"])

    def test_calls_per_job_are_not_taken_from_a_run_that_is_not_finished(self):
        self.fails("run", "c.toml", "--id", "poor", "--quiet", "--set",
                   "budget.max_calls=40")
        self.assertIn("run poor is interrupted: its calls per job are known "
                      "once it is finished",
                      self.fails("estimate", "c.toml", "--like", "poor"))
        self.ok("resume", "poor", "--set", "budget.max_calls=100000")
        self.ok("estimate", "c.toml", "--like", "poor")

    def test_only_limits_may_change_on_a_resume(self):
        self.fails("run", "c.toml", "--id", "poor", "--quiet", "--set",
                   "budget.max_calls=5")
        self.assertIn("keeps its first value",
                      self.fails("resume", "poor", "--set", "run.seed=7"))
        self.assertIn("keeps its first value",
                      self.fails("resume", "poor", "--set",
                                 "agent.max_calls=7"))

    def test_a_wrong_key_ends_the_run_and_is_not_shown(self):
        line = self.fails("run", "c.toml", "--id", "first", "--quiet",
                          key="sk-wrong-000111222")
        self.assertIn("check the API key", line)
        self.assertNotIn("sk-wrong-000111222", line)
        self.ok("resume", "first")

    def test_what_is_wrong_is_said_before_a_run_is_made(self):
        def refused(part, *words):
            self.assertIn(part, self.fails("run", "c.toml", "--quiet", *words))
            self.assertFalse((self.at / "runs").exists())

        refused("models.catalog", "--set", "models.catalog=")
        refused("no such file", "--set", "models.catalog=none.toml")
        refused("[model.huge]", "--set", "agent.model=huge")
        refused("budget.roles", "--set", 'budget.roles=["cook calls=3"]')
        text = CATALOG.format(url=self.model.url)
        for wrong, part in [
                (text.replace("usd_per_million_prompt = 1.0\n", "")
                     .replace("usd_per_million_completion = 4.0\n", ""),
                 "price"),
                (text.replace("key_env", "key_evn"), "did you mean"),
                (text.replace("SCRIPT_KEY", "NO_SUCH_KEY"), "NO_SUCH_KEY"),
                (text.replace('server = "script"', 'server = "scrip"', 1),
                 "no [server.scrip]"),
                (text.replace("[model.near]", "[modle.near]"), "[model.NAME]"),
                ("[server", "not valid TOML")]:
            (self.at / "models.toml").write_text(wrong)
            refused(part, "--set", "budget.max_cost_usd=1")

    def test_a_deep_check_asks_each_model_and_plays_one_task(self):
        self.ok("config", "check", "c.toml")
        self.assertEqual(self.model.count(), 0)
        self.ok("config", "check", "c.toml", "--deep")
        self.assertGreater(self.model.count(), 3)  # and those of the task
        line = self.fails("config", "check", "c.toml", "--deep", key="sk-bad")
        self.assertIn("model small: ", line)
        self.assertIn("check the API key", line)
        self.assertFalse((self.at / "runs").exists())

    def test_a_server_that_is_down_is_said_before_a_run_is_made(self):
        self.model.__exit__()
        for words in (("run", "c.toml", "--quiet"),
                      ("estimate", "c.toml", "--pilot")):
            line = self.fails(*words)
            self.assertIn("models.toml: [server.script] does not answer", line)
            self.assertIn("Connection refused", line)
            self.assertFalse((self.at / "runs").exists())

    def test_a_server_that_goes_down_is_said_at_once_with_its_error(self):
        self.model.is_down = True
        process = self.start("run", "c.toml", "--id", "first", "--quiet")
        line = process.stderr.readline()
        while line and "model_server_failing" not in line:
            line = process.stderr.readline()
        self.assertIn("server=script run=first", line)
        self.assertIn("no machine is free", line)
        self.assertTrue(line.endswith('" calls to the server are retried\n'),
                        line)
        self.model.is_down = False
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(said.count("model_server_failing"), 0)
        self.assertIn("model_server_answers server=script", said)

    def test_a_model_that_is_missing_is_blamed_and_the_run_goes_on_later(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")
        self.model.missing = {"small"}
        line = self.fails("run", "c.toml", "--id", "night", "--quiet")
        self.assertIn("The model `small` does not exist", line)
        self.assertIn("check base_url and the model's name", line)
        self.assertNotIn("environment", line)
        self.assertIn("go on with `brewery resume", line)
        self.model.missing = set()
        self.ok("resume", "night")
        self.assertEqual(documents(self.at / "runs/night"),
                         documents(self.at / "runs/whole"))
        shown = json.loads(self.ok("runs", "--json").splitlines()[0])
        self.assertEqual((shown["id"], shown["state"]), ("night", "finished"))
        self.assertGreater(shown["cost_usd"], 0)

    def test_an_estimate_is_a_range_and_costs_nothing(self):
        made = json.loads(self.ok("estimate", "c.toml", "--json"))
        self.assertEqual(self.model.count(), 0)
        self.assertGreater(made["cost_usd"][1], made["cost_usd"][0])
        self.assertFalse(made["measured"])
        self.ok("run", "c.toml", "--id", "first", "--quiet")
        like = json.loads(self.ok("estimate", "c.toml", "--json", "--like",
                                  "first"))
        self.assertTrue(like["measured"])
        for path in ["runs/first", "runs/first/", self.at / "runs/first"]:
            self.assertEqual(json.loads(self.ok(
                "estimate", "c.toml", "--json", "--like", path)), like)
        calls = self.model.count()
        self.assertLessEqual(like["calls"][0], calls)
        self.assertGreaterEqual(like["calls"][1], calls)

    def test_an_estimate_of_a_sweep_has_its_cost_and_time(self):
        (self.at / "s.toml").write_text(
            'base = "c.toml"\nseeds = [1, 2]\n[grid]\n'
            'search.max_width = [2, 3]\n')
        made = json.loads(self.ok("sweep", "s.toml", "--estimate", "--json"))
        one = json.loads(self.ok("estimate", "c.toml", "--json", "--set",
                                 "search.max_width=3"))
        self.assertEqual(made["points"][1]["cost_usd"], one["cost_usd"])
        for all, alone in zip(made["cost_usd"], made["cost_usd_alone"]):
            self.assertLess(0, all)
            self.assertLess(all, alone)
        self.assertRegex(self.ok("sweep", "s.toml", "--estimate"),
                         r"Cost +\$.* to \$.*; \$.* if each ran alone\n"
                         r"Time +\d.* to \d.* at once")
        self.assertEqual(self.model.count(), 0)

    def test_every_role_on_a_model_has_its_price_in_an_estimate(self):
        made = json.loads(self.ok(
            "estimate", "c.toml", "--json",
            "--set", 'eval.baselines=["a-mem-mechanism"]',
            "--set", "memory.kind=llm", "--set", "memory.model=large"))
        costs = {role["role"]: role["cost_usd"][1] for role in made["roles"]}
        self.assertIn("memory", costs)
        for role, cost in costs.items():
            self.assertGreater(cost, 0, role)

    def test_calls_of_an_integrator_are_for_each_document_of_any_learner(self):
        known = self.at / "known"
        known.mkdir()
        (known / "a.md").write_text("# Board\n\n1. Call `check_board()`.\n")
        self.ok("run", "c.toml", "--id", "first", "--quiet",
                "--set", "search.learner=agent_kb",
                "--set", f"agent_kb.start_from={known}",
                "--set", "agent_kb.rounds=1")
        made = json.loads(self.ok(
            "estimate", "c.toml", "--json", "--like", "first",
            "--set", "search.learner=agent_kb",
            "--set", "agent_kb.rounds=1"))
        calls, = [role["calls"][1] for role in made["roles"]
                  if role["role"] == "integrator"]
        # One, perhaps one repair, and twice that for chance.
        self.assertLessEqual(calls, 4 * made["integrations"][1])

    def test_an_estimate_does_not_count_an_unknown_model_as_free(self):
        for command in ("estimate", "run"):
            line = self.fails(command, "c.toml", "--set", "agent.model=smal")
            self.assertIn("models.toml has no [model.smal]", line)
            self.assertIn('did you mean "small"', line)

    def test_a_pilot_of_two_tasks_narrows_an_estimate(self):
        long = ("--set", "agent.max_calls=30")
        wide = json.loads(self.ok("estimate", "c.toml", "--json", *long))
        made = json.loads(self.ok("estimate", "c.toml", "--json", "--pilot",
                                  *long))
        self.assertTrue(made["basis"].endswith("pilot"))
        asked = self.model.count()
        self.assertGreater(asked, 0)
        ratio = [one["calls"][1] / one["calls"][0] for one in (wide, made)]
        self.assertLess(ratio[1], ratio[0])
        again = json.loads(self.ok("estimate", "c.toml", "--json", "--like",
                                   made["basis"], *long))
        self.assertEqual(again, made)
        self.assertEqual(self.model.count(), asked)
        self.ok("run", "c.toml", "--id", "whole", "--quiet", *long)
        calls = self.model.count() - asked
        self.assertLessEqual(made["calls"][0], calls)
        self.assertGreaterEqual(made["calls"][1], calls)

    def test_a_pilot_without_models_or_beside_a_run_is_refused(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        line = self.fails("estimate", "toy.toml", "--pilot")
        self.assertIn("no role of this configuration uses one", line)
        line = self.fails("estimate", "c.toml", "--pilot", "--like", "x")
        self.assertIn("--pilot", line)
        self.assertEqual(self.model.count(), 0)


if __name__ == "__main__":
    main()
