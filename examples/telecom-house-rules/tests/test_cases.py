"""What every case keeps, whoever plays it."""

import unittest
from itertools import permutations

import support
from account_tools import Refused
from case import CHANGING, Case, read_tasks
from generate import generate, text_of
from house_rules import RULES, rules_of
from oracle import SPLITS, oracle_calls, play, rewards
from situations import BY_NAME

TASKS = read_tasks()
OF = {split: [t for t in TASKS if t["split"] == split] for split in SPLITS}


class Rules(unittest.TestCase):
    def test_there_are_twenty_rules_of_five_kinds(self):
        self.assertGreaterEqual(len({rule.name for rule in RULES}), 20)
        kinds = [rule.kind for rule in RULES]
        for kind in set(kinds):
            self.assertGreaterEqual(kinds.count(kind), 3, kind)
        self.assertEqual(len(set(kinds)), 5)

    def test_every_rule_decides_a_case_that_the_policy_fails(self):
        alone = [t for t in OF["train"] if len(t["situations"]) == 1]
        for rule in RULES:
            cases = [t for t in alone if t["rules"] == [rule.name]]
            self.assertGreaterEqual(len(cases), 2, rule.name)
            self.assertEqual(sum(rewards("policy", cases)), 0, rule.name)

    def test_exactly_the_rules_of_its_situations_bear_on_a_case(self):
        for task in TASKS:
            named = {BY_NAME[name].rule for name in task["situations"]} - {""}
            self.assertEqual(task["rules"], sorted(named))
            self.assertEqual(sorted(rules_of(Case(task).began)),
                             task["rules"], task["id"])


class Splits(unittest.TestCase):
    def test_the_file_is_what_the_generator_writes(self):
        self.assertEqual(text_of(generate(1)), text_of(TASKS))

    def test_another_seed_makes_other_sound_cases(self):
        other = generate(2)
        self.assertEqual(len(other), len(TASKS))
        self.assertNotEqual(text_of(other), text_of(TASKS))
        self.assertEqual(set(rewards("oracle", other)), {1.0})

    def test_a_case_combines_one_to_four_situations(self):
        sizes = {len(task["situations"]) for task in TASKS}
        self.assertEqual(sizes, {1, 2, 3, 4})
        self.assertGreaterEqual(max(len(t["rules"]) for t in OF["test"]), 3)

    def test_no_combination_is_in_two_splits(self):
        for key, least in ("situations", 1), ("rules", 2):
            seen = [{frozenset(t[key]) for t in OF[split]
                     if len(t[key]) >= least} for split in SPLITS]
            for one, other in permutations(seen, 2):
                self.assertFalse(one & other, key)

    def test_what_test_combines_is_in_train_alone(self):
        alone = {t["situations"][0] for t in OF["train"]
                 if len(t["situations"]) == 1}
        self.assertEqual(alone, set(BY_NAME))
        for split in "eval", "test":
            for task in OF[split]:
                self.assertGreaterEqual(len(task["situations"]), 2)


class Agents(unittest.TestCase):
    def test_the_oracle_solves_every_case_in_any_order_of_cures(self):
        for task in TASKS:
            for order in permutations(task["situations"]):
                case = Case(task)
                self.assertEqual(play(case, oracle_calls(case, order)), 1,
                                 (task["id"], order, case.grade()))

    def test_every_order_of_cures_ends_in_the_same_state(self):
        for task in TASKS:
            ends = []
            for order in permutations(task["situations"]):
                case = Case(task)
                play(case, oracle_calls(case, order))
                case.world.done = []
                ends.append(case.world)
            self.assertTrue(all(end == ends[0] for end in ends), task["id"])

    def test_the_written_policy_solves_the_cases_without_a_rule_only(self):
        for split in SPLITS:
            solved = rewards("policy", OF[split])
            self.assertLessEqual(sum(solved) / len(solved), 0.3, split)
            self.assertEqual(solved, [float(not t["rules"])
                                      for t in OF[split]])

    def test_doing_nothing_solves_nothing(self):
        for task in TASKS:
            self.assertEqual(play(Case(task), []), 0, task["id"])

    def test_handing_everything_over_solves_no_test_case(self):
        for task in OF["eval"] + OF["test"]:
            self.assertEqual(
                play(Case(task), [("transfer_to_human_agents",
                                   {"summary": "all"})]), 0, task["id"])

    def test_calling_everything_solves_nothing(self):
        for task in TASKS:
            for tools in sorted(CHANGING), sorted(CHANGING, reverse=True):
                case = Case(task)
                play(case, [(tool, support.arguments_for(tool, case.world))
                            for tool in tools])
                self.assertEqual(case.grade()[0], 0, task["id"])

    def test_every_call_of_the_oracle_is_needed(self):
        for task in TASKS:
            calls = oracle_calls(Case(task), task["situations"])
            for left_out in calls:  # one restart may serve two cures
                case = Case(task)
                play(case, [call for call in calls if call != left_out])
                self.assertEqual(case.grade()[0], 0, (task["id"], left_out))


class Grades(unittest.TestCase):
    def test_a_grade_is_one_only_if_every_check_is_met(self):
        for task in TASKS:
            case = Case(task)
            reward, parts = case.grade()
            self.assertEqual(reward, 0)
            self.assertTrue(any(not met for _, met in parts), task["id"])
            play(case, oracle_calls(case, task["situations"]))
            reward, parts = case.grade()
            self.assertEqual(reward, 1)
            self.assertTrue(all(met for _, met in parts))

    def test_harm_beside_a_cure_costs_the_grade(self):
        harm = ["suspend_line", "refuel_data", "send_payment_request",
                "transfer_to_human_agents", "toggle_airplane_mode"]
        for task in TASKS:
            for tool in harm:
                case = Case(task)
                play(case, oracle_calls(case, task["situations"]))
                try:
                    case.call(tool, support.arguments_for(tool, case.world))
                except Refused:
                    continue  # nothing happened
                self.assertEqual(case.grade()[0], 0, (task["id"], tool))

    def test_a_solved_case_shows_it_on_the_phone(self):
        shows = {"no_service": ("check_network_status", "connected"),
                 "mobile_data": ("run_speed_test", "Excellent"),
                 "picture_mms": ("can_send_mms", "can send")}
        for task in TASKS:
            case = Case(task)
            calls = oracle_calls(case, task["situations"])
            play(case, calls)
            if any(name == "transfer_to_human_agents" for name, _ in calls):
                continue  # others go on
            tool, words = shows[task["complaint"]]
            self.assertIn(words, case.call(tool, {}), task["id"])


if __name__ == "__main__":
    unittest.main()
