#!/usr/bin/env python3
"""What a run on language models came to, by role and model, against the counts
of the scripted server itself; and how a replay says what differs.

  spend_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.model_case import ModelCase
from support.model_script import KEY
from support.program import main, wait_until
from support.report_tables import of_markdown

PROMPTS = Path(__file__).resolve().parents[3] / "config/prompts"
MODELS = {"agent": "small", "embedder": "near", "integrator": "large",
          "judge": "large", "reflector": "large"}


def sums(lines):
    """Of lines of `spend`, by model: what the server counts, too."""
    out = {}
    for line in lines:
        counts = [line["calls"], line["prompt_tokens"], line["cached_tokens"],
                  line["completion_tokens"]]
        before = out.get(line["model"], [0] * 4)
        out[line["model"]] = [a + b for a, b in zip(before, counts)]
    return out


def untimed(lines):
    return [{key: value for key, value in line.items()
             if not key.startswith("seconds")} for line in lines]


class Case(ModelCase):
    def spend(self, run):
        for line in self.ok("runs", "--json").splitlines():
            shown = json.loads(line)
            if shown["id"] == run:
                return shown.get("spend")
        self.fail(run + " is not listed")

    def play(self, run, *words):
        return self.ok("run", "c.toml", "--id", run, "--quiet", *words)

    def test_the_sums_are_those_of_the_server(self):
        table = self.play("first")
        lines = self.spend("first")
        self.assertIn("agent", [line["role"] for line in lines])
        for line in lines:
            self.assertEqual(line["model"], MODELS[line["role"]])
        self.assertEqual(sums(lines), self.model.used)
        cost = sum(line["cost_usd"] for line in lines)
        shown = json.loads(self.ok("runs", "--json").splitlines()[0])
        self.assertAlmostEqual(shown["cost_usd"], cost, places=12)
        for line in lines:
            row = next(row for row in table.splitlines()
                       if row.startswith(line["role"])).split()
            self.assertEqual(row[1:4], [line["model"], str(line["calls"]),
                                        str(line["prompt_tokens"])])
            self.assertLessEqual(line["seconds"], 600)
        for row in table.splitlines():
            self.assertLessEqual(len(row), 80, row)
        # The same lines in the report and in what is printed later.
        first = table.index("role ")
        part = table[first:table.index("\n\n", first)]
        self.assertIn(part, (self.at / "runs/first/report.md").read_text())
        self.assertIn(part, self.ok("resume", "first"))
        said = json.loads(self.ok("resume", "first", "--json"))
        self.assertEqual(said["spend"], lines)

    def test_a_kill_and_a_resume_change_no_sum(self):
        self.play("whole")
        whole = self.spend("whole")
        asked = self.model.count()
        process = self.start("run", "c.toml", "--id", "cut", "--quiet")
        while self.model.count() < asked + asked // 2:
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before = sums(self.spend("cut"))
        self.assertGreater(sum(counts[0] for counts in before.values()), 0)
        self.ok("resume", "cut", "--quiet")
        self.assertEqual(untimed(self.spend("cut")), untimed(whole))

    def test_worker_processes_have_the_same_sums(self):
        self.play("threads")
        self.play("workers", "--workers", "2")
        self.assertEqual(untimed(self.spend("workers")),
                         untimed(self.spend("threads")))

    def test_worker_processes_have_no_key_of_a_model_server(self):
        self.model.latency_s = 0.05
        process = self.start("run", "c.toml", "--id", "a", "--quiet",
                             "--workers", "2")
        tasks = Path(f"/proc/{process.pid}/task")

        def workers():  # not a child that is still a copy of the run
            self.assertIsNone(process.poll())
            try:
                return [child for of_thread in tasks.glob("*/children")
                        for child in map(Path("/proc").joinpath,
                                         of_thread.read_text().split())
                        if b"\0worker\0" in (child / "cmdline").read_bytes()]
            except OSError:  # one ended meanwhile
                return []
        wait_until("both are there", lambda: len(workers()) == 2)
        found = [(child / "environ").read_bytes() for child in workers()]
        process.kill()
        process.communicate()
        for variables in found:
            self.assertIn(b"PATH=", variables)
            self.assertNotIn(KEY.encode(), variables)

    def test_the_time_of_calls_is_that_of_the_server(self):
        self.model.latency_s = 0.05
        self.play("first", "--set", "search.iterations=1")
        for line in self.spend("first"):
            self.assertGreaterEqual(line["seconds"], 0.05 * line["calls"])

    def test_refusals_cost_what_their_server_counted(self):
        def change(asked, reply):
            if asked.get("tools") and len(asked["messages"]) > 3:
                reply["choices"][0]["finish_reason"] = "content_filter"
            return reply
        self.model.change = change
        table = self.play("first")
        lines = self.spend("first")
        self.assertEqual(sums(lines), self.model.used)
        self.assertNotIn("uncertain", table)
        for line in lines:
            self.assertNotIn("maybe_charged", line)

    def test_tokens_that_no_server_counts_are_neither_told_nor_estimated_from(
            self):
        def change(asked, reply):
            reply["usage"] = {"prompt_tokens": 0, "completion_tokens": 0}
            return reply
        self.model.change = change
        table = self.play("first")
        self.assertIn(" calls of servers that count no tokens", table)
        row = next(row for row in table.splitlines()
                   if row.startswith("agent")).split()
        self.assertEqual(row[3:6], ["-"] * 3)
        line, = [line for line in self.spend("first")
                 if line["role"] == "agent"]
        self.assertEqual((line["uncounted"], line["prompt_tokens"]),
                         (line["calls"], 0))
        made = json.loads(self.ok("estimate", "c.toml", "--json", "--like",
                                  "first"))
        role, = [role for role in made["roles"]
                 if role["role"] == "integrator"]
        # As assumed where nothing is measured.
        self.assertEqual(role["tokens"][1] / role["calls"][1], 7500)

    def test_an_estimate_has_the_tokens_of_a_call_of_the_run_it_names(self):
        self.play("first")
        tokens = {line["role"]: (line["prompt_tokens"]
                                 + line["completion_tokens"]) / line["calls"]
                  for line in self.spend("first")}
        made = json.loads(self.ok("estimate", "c.toml", "--json", "--like",
                                  "first"))
        self.assertEqual({role["role"] for role in made["roles"]},
                         set(tokens))
        for role in made["roles"]:
            self.assertAlmostEqual(role["tokens"][1] / role["calls"][1],
                                   tokens[role["role"]], places=6)

    def test_a_point_costs_in_a_report_what_it_would_alone(self):
        def reported(folder, *widths):
            """Of points and of runs: rollouts, tokens and cost, by name."""
            (self.at / "s.toml").write_text(
                'base = "c.toml"\nseeds = [1]\n' + "".join(
                    f'[[points]]\nname = "w{width}"\n'
                    f"search.max_width = {width}\n" for width in widths))
            self.ok("sweep", "s.toml", "--out", folder, "--quiet")
            self.ok("report", folder)
            tables = of_markdown((self.at / folder / "report.md").read_text())
            points = tables["Points, in the order of the sweep's file"]
            return ({row[1]: (row[6], row[9], row[10]) for row in points},
                    {row[3]: (row[7], row[10], row[11])
                     for row in tables["Runs of all points"]})

        points, runs = reported("both", 1, 2)
        self.assertLess(int(runs["w2-s1"][1].replace(",", "")),
                        int(points["w2"][1].replace(",", "")) // 2)
        for width in (1, 2):
            alone, _ = reported(f"only{width}", width)
            self.assertEqual(points[f"w{width}"], alone[f"w{width}"])

    def test_an_evaluation_says_what_it_came_to(self):
        self.play("first", "--set", "search.iterations=1")
        self.model.used.clear()
        shown = self.result_of("eval", "first", "--split", "test")
        used = [sum(of) for of in zip(*self.model.used.values())]
        self.assertEqual([shown["calls"], shown["tokens"]],
                         [used[0], used[1] + used[3]])
        self.assertIn(f"{shown['tokens']} tokens, {shown['calls']} calls\n",
                      self.ok("eval", "first", "--split", "test"))

    def test_an_evaluation_ends_when_its_hours_are_over(self):
        self.play("first", "--set", "search.iterations=1")
        self.model.latency_s = 0.5
        self.assertIn("budget.max_hours = 0.0001 is used up; spent ",
                      self.fails("eval", "first", "--split", "test", "--set",
                                 "budget.max_hours=0.0001"))

    def test_a_run_without_models_has_no_table(self):
        (self.at / "toy.toml").write_text(
            '[environment]\nkind = "toy"\nmax_train_tasks = 4\n'
            '[search]\niterations = 1\n')
        out = self.ok("run", "toy.toml", "--id", "first", "--quiet")
        self.assertNotIn("prompt", out)
        self.assertNotIn("Language models",
                         (self.at / "runs/first/report.md").read_text())
        self.assertIsNone(self.spend("first"))

    def differs(self, *words):
        """What a replay of `first` says that is no replay of it."""
        done = self.brewery("run", "c.toml", "--quiet", "--replay", "first",
                            *words)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        return done.stderr.strip().splitlines()[-1]

    def test_a_replay_that_differs_names_the_first_difference(self):
        self.play("first")
        asked = self.model.count()
        line = self.differs("--set", "agent.temperature=0.9")
        self.assertRegex(line, r"call 1 of the agent in the rollout of task "
                               r"\S+, trial \d+ \(job \w+\)")
        self.assertIn("temperature 0.1 -> 0.9", line)
        self.assertIn("model small -> large",
                      self.differs("--set", "agent.model=large"))
        # What it changes comes later than the first call.
        line = self.differs("--set", "integrator.model=small")
        self.assertRegex(line, r"call 1 of the integrator in the integration")
        self.assertIn("model large -> small", line)
        self.assertIn('integrator.model = "large" -> "small"', line)
        # It changes the job, but not the job's first call.
        line = self.differs("--set", "retrieval.bm25_k1=1.5")
        self.assertIn("an equal request is call 1 of job", line)
        self.assertIn("retrieval.bm25_k1 = 1.2 -> 1.5", line)
        (self.at / "prompts").mkdir()
        (self.at / "prompts/agent.md").write_text(
            (PROMPTS / "agent.md").read_text() + "\nMind the weather.\n")
        line = self.differs("--set", "prompts.dir=prompts")
        self.assertRegex(line, r"message \d of \d: recorded \".*\", now "
                               r"\".*Mind the weather\.")
        line = self.differs("--set", "environment.max_train_tasks=3")
        self.assertIn("environment.max_train_tasks = 4 -> 3", line)
        self.assertEqual(self.model.count(), asked)


if __name__ == "__main__":
    main()
