#!/usr/bin/env python3
"""Sweeps whose points are cut early, by successive halving.

  halving_test.py PATH_OF_BREWERY [unittest arguments]

The rule throughout: which points are cut follows from what the logs say of
eval tasks, whatever the order of play and whatever was killed meanwhile; and a
run that is not cut is, byte for byte, that of the same sweep without halving.
"""

import json
import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import sweep_test  # noqa: E402
from support.log_reader import events  # noqa: E402
from support.program import write_rusty_lock  # noqa: E402
from sweep_test import SweepCase, command, results  # noqa: E402

HEAD = """base = "base.toml"
seeds = {seeds}
at_once = {at_once}
[set]
search.strategies = {strategies}
search.iterations = {iterations}
"""
# Few first attempts make bad documents, so the worst come first.
POINTS = {
    "few": "search.initial_trials = 4\n",
    "some": "search.initial_trials = 10\n",
    "wide": "search.initial_trials = 30\nsearch.candidates = 6\n"
            "search.max_width = 10\n",
    "many": "search.initial_trials = 30\n",
}
# Its limit is used up before anything is learned, so each run fails.
SPENT = {"spent": "budget.max_hours = 1e-9\n"}
AFTER = (1, 3)


class HalvingTest(SweepCase):
    def write(self, after=AFTER, points=POINTS, seeds=(1, 2), iterations=5,
              at_once=3, strategies=("mcts",), keep=None):
        text = HEAD.format(seeds=list(seeds), at_once=at_once,
                           strategies=json.dumps(list(strategies)),
                           iterations=iterations)
        for name, options in points.items():
            text += f'[[points]]\nname = "{name}"\n{options}'
        if after:
            text += f"[halving]\nafter = {list(after)}\n"
        if keep:
            text += f"keep = {keep}\n"
        file = self.root / "sweep.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def runs(self, sweep):
        state = json.loads((self.root / sweep / "sweep.json").read_text())
        return {run["run"]: run for point in state["points"]
                for run in point["runs"]}

    def cuts(self, sweep):
        """Of the runs that were cut, where and with what score."""
        runs = self.runs(sweep)
        cut = {name: run["cut"] for name, run in runs.items() if "cut" in run}
        self.assertEqual(set(cut), {name for name, run in runs.items()
                                    if run["state"] == "cut"})
        self.assertEqual({run["state"] for run in runs.values()} - {"cut"},
                         {"finished"})
        return cut

    def survivors(self, sweep):
        cut = self.cuts(sweep)
        return {run: files for run, files in self.documents(sweep).items()
                if run not in cut}

    def agree(self, one, other):
        self.assertEqual(self.cuts(one), self.cuts(other))
        self.assertEqual(self.survivors(one), self.survivors(other))

    def test_what_is_not_cut_is_as_without_halving(self):
        self.sweep("halved")
        self.file = self.write(after=None)
        self.sweep("whole")
        halved, whole = self.root / "halved", self.root / "whole"
        left = self.survivors("halved")
        self.assertEqual(set(left), {"many-s1", "many-s2"})
        all_documents = self.documents("whole")
        for run, files in left.items():
            self.assertTrue(files)
            self.assertEqual(files, all_documents[run])
            # No rung was paid for: no evaluation, nothing twice.
            self.assertEqual(results(halved / run), results(whole / run))
        for run in self.cuts("halved"):
            self.assertLess(results(halved / run), results(whole / run))
            self.assertFalse(list(events(halved / run, "evaluation_record")))
            self.assertFalse((halved / run / "report.md").exists())

    def gathered(self, run, iteration, strategy="mcts"):
        """The mean reward of the best documents, as the log has it."""
        best = {}
        for _, key, closed in events(run, "gather_record"):
            name, _, number = key.partition("/iteration ")
            if name == strategy and int(number) <= iteration:
                for report in closed["reports"]:
                    best[report["concept_ref"]] = report["best"]["reward"]
        return sum(best.values()) / len(best)

    def test_cuts_follow_from_the_rewards_in_the_logs(self):
        self.sweep("s")
        cut = self.cuts("s")
        left = list(POINTS)
        for rung, after in enumerate(AFTER, 1):
            score = {point: sum(self.gathered(self.root / "s" / f"{point}-s{s}",
                                              after) for s in (1, 2)) / 2
                     for point in left}
            ranked = sorted(left, key=lambda point: -score[point])
            for point in ranked[len(left) // 2:]:
                for seed in (1, 2):
                    said = cut.pop(f"{point}-s{seed}")
                    self.assertEqual((said["rung"], said["after"]),
                                     (rung, after))
                    self.assertAlmostEqual(said["score"], score[point])
                left.remove(point)
            # Else the order of the file would do as well.
            self.assertGreater(len(set(score.values())), 1)
        self.assertEqual((cut, left), ({}, ["many"]))

    def test_the_order_of_play_decides_nothing(self):
        self.sweep("beside")
        self.file = self.write(at_once=1)
        self.sweep("after")
        self.agree("after", "beside")
        self.with_workers()
        self.sweep("workers")
        self.agree("workers", "beside")

    def test_a_killed_sweep_cuts_the_same_points(self):
        self.sweep("whole")
        for name in self.killed("killed", [], 12, random.Random(8),
                                lambda process: process.kill()):
            self.agree(name, "whole")

    def test_a_sweep_killed_with_its_workers_cuts_the_same_points(self):
        self.sweep("whole")
        self.with_workers()
        draw = random.Random(9)
        for name in self.killed("killed", [], 6, draw,
                                self.end_with_workers(draw)):
            self.agree(name, "whole")

    def test_the_first_strategy_ranks_and_the_others_wait(self):
        strategies = ("greedy", "mcts")
        self.file = self.write(strategies=strategies, after=[2])
        self.sweep("s")
        cut = self.cuts("s")
        self.assertEqual(len(cut), 4)
        for run, said in cut.items():
            point = run.rpartition("-s")[0]
            score = sum(self.gathered(self.root / "s" / f"{point}-s{s}", 2,
                                      "greedy") for s in (1, 2)) / 2
            self.assertAlmostEqual(said["score"], score)
            self.assertEqual({int(key.rpartition(" ")[2]) for _, key, _ in
                              events(self.root / "s" / run, "gather_record")
                              if key.startswith("greedy/")}, {0, 1, 2})
        self.file = self.write(strategies=strategies, after=None)
        self.sweep("whole")
        whole = self.documents("whole")
        for run, files in self.survivors("s").items():
            self.assertEqual(files, whole[run])

    def test_an_extended_sweep_is_decided_anew(self):
        """Points, seeds and iterations come, and whoever is not cut by all of
        them is as if they had been there from the start."""
        some = {name: POINTS[name] for name in ("few", "some", "wide")}
        self.file = self.write(points=some, seeds=[1], after=[1])
        self.sweep("s")
        self.assertEqual(set(self.cuts("s")), {"few-s1", "some-s1"})
        finished = self.documents("s")["wide-s1"]
        self.file = self.write(iterations=6)
        self.sweep("s")
        self.sweep("fresh")
        self.assertEqual(set(self.survivors("fresh")), {"many-s1", "many-s2"})
        now, fresh = self.runs("s"), self.runs("fresh")
        for run in fresh:
            # What it came to before the others came, it keeps.
            if run != "wide-s1":
                self.assertEqual((now[run]["state"], now[run].get("cut")),
                                 (fresh[run]["state"], fresh[run].get("cut")))
        self.assertEqual(now["wide-s2"]["state"], "cut")
        documents = self.documents("s")
        for run, files in self.survivors("fresh").items():
            self.assertEqual(documents[run], files)
        if now["wide-s1"]["state"] == "finished":
            self.assertEqual(documents["wide-s1"], finished)

    def test_without_its_section_what_was_cut_goes_on(self):
        self.sweep("s")
        self.file = self.write(after=None)
        self.sweep("s")
        self.sweep("whole")
        self.assertEqual(self.cuts("s"), {})
        self.assertEqual(self.documents("s"), self.documents("whole"))

    def test_a_point_that_failed_waits_and_takes_no_place(self):
        self.file = self.write(points={**SPENT, **POINTS})
        process = command("sweep", self.file, "--out", self.root / "s",
                          "--quiet")
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("run spent-s1 failed", err)
        runs = self.runs("s")
        self.assertEqual({runs[f"spent-s{s}"]["state"] for s in (1, 2)},
                         {"failed"})
        self.assertEqual({run for run in runs
                          if runs[run]["state"] == "finished"},
                         {"many-s1", "many-s2"})
        self.file = self.write()
        self.sweep("without")
        for run, cut in self.cuts("without").items():
            self.assertEqual(runs[run]["cut"], cut)

    def test_a_point_without_a_graded_attempt_waits_for_a_retry(self):
        write_rusty_lock(self.root)
        names = [f"lock-{i:02}" for i in range(100)]
        broken = self.root / "broken"
        broken.write_text(" ".join(names[1::3]))  # all eval tasks
        file = self.root / "rusty.toml"
        file.write_text('base = "lock.toml"\nseeds = [1]\n'
                        "[set]\nsearch.iterations = 2\n"
                        '[[points]]\nname = "a"\n'
                        '[[points]]\nname = "b"\nsearch.initial_trials = 5\n'
                        "[halving]\nafter = [1]\n", encoding="utf-8")
        sweep = command("sweep", file, "--out", self.root / "rusty")
        self.assertNotEqual(sweep.wait(timeout=200), 0)
        for run in self.runs("rusty").values():
            self.assertEqual(run["state"], "failed")
            self.assertIn("no attempt at the eval tasks was graded",
                          run["reason"])
        broken.unlink()
        for run in ("a-s1", "b-s1"):
            retry = command("quarantine", "retry", "--local", run, "--runs-dir",
                            self.root / "rusty")
            self.assertEqual(retry.wait(timeout=60), 0)
        again = command("sweep", file, "--out", self.root / "rusty",
                        "--resume")
        self.assertEqual(again.wait(timeout=200), 0)
        self.assertEqual(sorted(run["state"]
                                for run in self.runs("rusty").values()),
                         ["cut", "finished"])

    def test_cut_points_are_shown_as_cut(self):
        made = self.sweep("s")
        points = {point["name"]: point for point in made["points"]}
        self.assertEqual({name: point["cut"]["after"] for name, point
                          in points.items() if "cut" in point},
                         {"few": 1, "some": 1, "wide": 3})
        self.assertNotIn("score", points["few"])
        said = self.finished("sweep", self.file, "--out", self.root / "s",
                             "--quiet")
        self.assertRegex(said, r"few +0/2 .* after iteration 1 \(reward 0\.\d+\)")
        said = self.finished("compare", self.root / "s")
        self.assertIn("wide: 2 of 2 runs cut after iteration 3", said)
        told = json.loads(self.finished("compare", self.root / "s", "--json"))
        self.assertEqual(len(told["cut"]), 6)
        self.finished("report", self.root / "s")
        text = (self.root / "s" / "report.md").read_text(encoding="utf-8")
        self.assertIn("cut after iteration 1", text)
        self.assertNotIn("not finished", text)

    def test_an_estimate_says_what_halving_leaves(self):
        lines = self.finished("sweep", self.file, "--estimate", "--json")
        told = json.loads(lines)
        self.assertEqual(told["halving"]["points"], [4, 2, 1])
        # 4 to 1, 2 on to 3, 1 on to 5; of two seeds.
        self.assertEqual(told["halving"]["iterations"], 2 * (4 + 4 + 2))
        self.assertEqual(told["halving"]["iterations_alone"], 2 * 4 * 5)
        for less, more in zip(told["halving"]["rollouts"],
                              told["rollouts_alone"]):
            self.assertLess(less, more)
        text = self.finished("sweep", self.file, "--estimate")
        self.assertIn("4 points to iteration 1, 2 to iteration 3, 1 to the "
                      "end: 20 of 40 iterations of runs", text)
        self.assertIn(" rollouts if each ran alone\n", text)

    def test_a_bad_section_is_one_line_and_writes_nothing(self):
        self.file = self.write(after=[1, 5])
        line = self.refused("sweep", self.file, "--out", self.root / "s",
                            code=2)
        self.assertIn("sweep.toml:22: after: 5 is not below search.iterations "
                      "= 5 of point few", line)
        self.assertFalse((self.root / "s").exists())


if __name__ == "__main__":
    sweep_test.BREWERY = sys.argv.pop(1)
    unittest.main()
