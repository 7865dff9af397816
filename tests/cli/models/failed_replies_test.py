#!/usr/bin/env python3
"""Replies of a model that are no use: what they cost a run, and what is said.

  failed_replies_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.model_case import (CONFIG, SAYS_NO, ModelCase, documents,
                                kind_of)
from support.program import main

# Each role with calls of its own.
APART = CONFIG.replace("[judge]\n", "[judge]\nwith_reflector = false\n")


def said(reply):
    return reply["choices"][0]["message"]


def asks_for(asked):
    """`ratings`, `insights`, `review`, `act` or `document`."""
    schema = asked.get("response_format", {}).get("json_schema", {})
    return schema.get("name") or ("act" if asked.get("tools") else "document")


def limit_of(asked):
    return asked.get("max_tokens") or asked.get("max_completion_tokens")


def refuse(kind):
    """Every reply of this kind is words that nobody asked for."""
    def change(asked, reply):
        if asks_for(asked) == kind:
            said(reply)["content"] = SAYS_NO
        return reply
    return change


def cut(asked, reply):
    """As a server does that counts four characters as a token."""
    most = limit_of(asked)
    if most and said(reply).get("content"):
        text = said(reply)["content"]
        if len(text) > 4 * most:
            said(reply)["content"] = text[:4 * most]
            reply["choices"][0]["finish_reason"] = "length"
    return reply


class Case(ModelCase):
    config = APART

    def run_of(self, name, *words):
        lines = self.ok("run", "c.toml", "--id", name, "--json", *words)
        return json.loads(lines.splitlines()[-1])

    def trouble(self, result, role, what):
        found = [one for one in result.get("replies", [])
                 if (one["role"], one["what"]) == (role, what)]
        self.assertEqual(len(found), 1, result.get("replies"))
        return found[0]

    def test_without_usable_ratings_grades_and_insights_stay(self):
        whole = self.run_of("whole")
        self.assertNotIn("replies", whole)
        self.model.change = refuse("ratings")
        done = self.run_of("first")
        self.assertEqual(done["failed_jobs"], 0)
        self.assertEqual(done["rollouts"], whole["rollouts"])
        self.assertEqual(done["arms"], whole["arms"])
        lost = self.trouble(done, "judge", "rejected")
        self.assertEqual(lost["count"], lost["jobs"])
        self.assertIn("holds no JSON", lost["reason"])
        again = self.trouble(done, "judge", "repaired")
        self.assertEqual(again["count"], lost["count"])
        # The scripted reflector does not look at ratings.
        self.assertEqual(documents(self.at / "runs/first"),
                         documents(self.at / "runs/whole"))
        text = self.ok("resume", "first")
        self.assertIn("replies    judge (model 'large'", text)
        self.assertIn("replies not usable, nor the ones after them", text)

    def test_of_a_reply_with_unusable_ratings_the_insights_stay(self):
        (self.at / "c.toml").write_text(CONFIG)
        whole = self.run_of("whole")

        def without_ratings(asked, reply):
            if asks_for(asked) == "review":
                parts = json.loads(said(reply)["content"])
                parts["ratings"] = {}
                said(reply)["content"] = json.dumps(parts)
            return reply

        self.model.change = without_ratings
        done = self.run_of("first")
        self.assertEqual(done["failed_jobs"], 0)
        self.assertEqual(done["arms"], whole["arms"])
        # One call for both is the reflector's.
        self.trouble(done, "reflector", "rejected")
        self.assertEqual(documents(self.at / "runs/first"),
                         documents(self.at / "runs/whole"))

    def test_facts_that_are_lost_silently_are_asked_for_once_and_told(self):
        def silently(asked, reply):
            if asks_for(asked) == "document":
                said(reply)["content"] = re.sub(r"\nDropped: .*", "",
                                                said(reply)["content"])
            return reply

        self.model.change = silently
        done = self.run_of("first")
        self.assertEqual(done["failed_jobs"], 0)
        again = self.trouble(done, "integrator", "repaired")
        self.assertIn("lacks facts of the one before it", again["reason"])
        self.assertEqual(again["count"], again["jobs"])
        lost = self.trouble(done, "integrator", "lost")
        self.assertEqual(lost["count"], lost["jobs"])
        self.assertIn("lacks of the document before it", lost["reason"])
        report = (self.at / "runs/first/report.md").read_text()
        self.assertIn("without some facts or insights", report)
        off = self.run_of("off", "--set", "integrator.keep_facts=false")
        self.assertNotIn("replies", off)

    def test_the_note_of_a_rollout_names_role_and_reason(self):
        self.model.change = refuse("ratings")
        done = self.brewery("run", "c.toml", "--id", "first", "--quiet")
        rollout = re.search("reply_trouble run=first job=([0-9a-f]+) judge",
                            done.stderr)[1]
        shown = self.ok("rollout", "show", "first", rollout)
        self.assertIn("grade ", shown)
        self.assertIn("note judge: 1 reply not usable, nor the one after it; "
                      "the first: the reply could not be used", shown)
        as_json = json.loads(self.ok("rollout", "show", "first", rollout,
                                     "--json"))
        self.assertEqual(
            {(one["role"], one["what"])
             for one in as_json["rollout"]["notes"]},
            {("judge", "repaired"), ("judge", "rejected")})

    def test_a_bad_insight_is_dropped_and_the_others_teach_the_same(self):
        self.ok("run", "c.toml", "--id", "whole", "--quiet")

        def add_bad(asked, reply):
            if asks_for(asked) == "insights":
                listed = json.loads(said(reply)["content"])
                listed["insights"].append(
                    {"concept": "none", "insight": "Bad.", "steps": [999]})
                said(reply)["content"] = json.dumps(listed)
            return reply

        self.model.change = add_bad
        done = self.run_of("first")
        dropped = self.trouble(done, "reflector", "dropped")
        self.assertEqual(dropped["count"], dropped["jobs"])
        self.assertIn("names step 999", dropped["reason"])
        self.assertEqual(len(done["replies"]), 1)
        self.assertEqual(documents(self.at / "runs/first"),
                         documents(self.at / "runs/whole"))

    def test_without_any_insight_the_reflector_is_blamed(self):
        self.model.change = refuse("insights")
        line = self.fails("run", "c.toml", "--id", "first", "--quiet")
        self.assertIn("the reflector had no usable reply on 4", line)
        self.assertIn("holds no JSON", line)

    def test_a_deep_check_says_what_would_teach_nothing(self):
        self.ok("config", "check", "c.toml", "--deep")
        self.silence()
        line = self.fails("config", "check", "c.toml", "--deep")
        self.assertIn("the agent had no usable reply", line)
        self.model.change = refuse("insights")
        line = self.fails("config", "check", "c.toml", "--deep")
        self.assertIn("the reflector had no usable reply", line)

    def silence(self):
        """The agent answers with nothing."""
        def change(asked, reply):
            if asks_for(asked) == "act":
                said(reply).update(content="", tool_calls=None)
            return reply
        self.model.change = change

    def test_an_agent_whose_reply_is_filtered_scores_0(self):
        def change(asked, reply):
            if asks_for(asked) == "act" and len(asked["messages"]) > 3:
                reply["choices"][0]["finish_reason"] = "content_filter"
                said(reply).update(content="", tool_calls=None)
            return reply
        self.model.change = change
        done = self.result_of("run", "c.toml", "--id", "first", "--quiet")
        self.assertEqual(done["failed_jobs"], 0)
        for arm in done["arms"]:
            self.assertEqual((arm["success"], arm["ungraded"]), (0, 0))
        trouble, = done["replies"]
        self.assertEqual((trouble["role"], trouble["what"]),
                         ("agent", "refused"))
        self.assertIn("content filter", trouble["reason"])

    def test_agents_that_say_nothing_are_graded_and_blamed(self):
        self.silence()
        line = self.fails("run", "c.toml", "--id", "first", "--quiet")
        self.assertIn("the agent had no usable reply on 4", line)
        self.assertIn("neither words nor a call", line)
        self.assertIn("brewery resume", line)
        # Nobody was asked to judge nothing.
        kinds = [kind_of(asked) for asked in self.model.requests]
        self.assertEqual(kinds.count("act"), 2 * 4)
        self.assertLessEqual(set(kinds), {"act", "embedding"})
        listed = self.ok("quarantine", "list", "first", "--local")
        self.assertEqual(listed.count("agent had no usable"), 4, listed)
        self.model.change = None
        done = self.result_of("resume", "first")
        self.assertEqual(done["failed_jobs"], 0)
        self.assertNotIn("replies", done)
        self.assertTrue(documents(self.at / "runs/first"))

    def test_other_learners_say_that_no_agent_began_and_ask_anew(self):
        for learner, said in (("agent_kb", "none of 4 first attempts began"),
                              ("muse", "no attempt of iteration 1 made a")):
            self.silence()
            line = self.fails("run", "c.toml", "--id", learner, "--quiet",
                              "--set", f"search.learner={learner}")
            self.assertIn(said, line)
            self.assertIn("agent: model 'small': the reply could not be used",
                          line)
            self.model.change = None
            again = self.brewery("resume", learner, "--retry-failed")
            self.assertIn("trying 4 jobs again", again.stderr)

    def titles(self, run):
        return sorted(re.search("^# (.*)$", path.read_text(), re.M)[1]
                      for path in (self.at / "runs" / run / "kb").rglob("*.md"))

    def test_a_concept_without_a_first_document_drops_out(self):
        whole = self.run_of("whole")
        self.assertNotIn("dropped_concepts", whole)
        titles = self.titles("whole")
        self.assertGreater(len(titles), 1)

        def refuse_one(asked, reply):
            if asks_for(asked) == "document" and re.search(
                    f"\n{re.escape(titles[0])}\n",
                    asked["messages"][1]["content"]):
                said(reply)["content"] = SAYS_NO
            return reply

        self.model.change = refuse_one
        done = self.run_of("first")
        [dropped] = done["dropped_concepts"]
        self.assertEqual(dropped["title"], titles[0])
        self.assertIn("integrator: model 'large': the reply could not be used",
                      dropped["reason"])
        self.assertEqual(done["failed_jobs"], 1)
        self.assertNotIn(titles[0], self.titles("first"))
        text = self.ok("resume", "first")
        self.assertIn(f'the concept "{titles[0]}" dropped out without a first '
                      "document", text)
        self.assertIn(f'the concept "{titles[0]}" dropped out',
                      (self.at / "runs/first/report.md").read_text())

    def test_without_any_first_document_the_run_stops(self):
        self.model.change = refuse("document")
        line = self.fails("run", "c.toml", "--id", "first", "--quiet")
        self.assertIn("no first document could be written", line)
        self.assertIn("integrator: model 'large'", line)

    def test_a_cut_reply_is_asked_for_with_more_room_and_recorded(self):
        self.model.change = cut
        words = ("--set", "judge.max_tokens=40")
        done = self.run_of("first", *words)
        found = self.trouble(done, "judge", "cut")
        self.assertEqual(found["reason"],
                         "the reply was cut at 40 tokens (judge.max_tokens)")
        self.assertEqual(len(done["replies"]), 1)
        limits = [limit_of(asked) for asked in self.model.requests
                  if asks_for(asked) == "ratings"]
        self.assertEqual(limits.count(40), found["count"])
        self.assertEqual(limits.count(160), found["count"])
        asked = self.model.count()
        self.ok("run", "c.toml", "--id", "again", "--quiet", "--replay",
                "first", *words)
        self.assertEqual(self.model.count(), asked)
        self.assertEqual(documents(self.at / "runs/again"),
                         documents(self.at / "runs/first"))

    def test_a_reply_that_is_cut_twice_names_the_option_to_raise(self):
        self.model.change = cut
        done = self.run_of("first", "--set", "judge.max_tokens=8")
        self.assertEqual(done["failed_jobs"], 0)
        self.assertIn("the reply with room for 32 tokens was cut too; raise "
                      "judge.max_tokens",
                      self.trouble(done, "judge", "rejected")["reason"])


if __name__ == "__main__":
    main()
