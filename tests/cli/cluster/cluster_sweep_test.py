#!/usr/bin/env python3
"""Sweeps whose runs a coordinator plays, as a group.

  cluster_sweep_test.py PATH_OF_BREWERY [unittest arguments]

The rule: its documents are those of the sweep in one process, whatever dies.
"""

import json
import random
import subprocess
import sys
import time
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, brewery
from support.page_server import ask, page_of
from support.program import clean_environment, wait_until
from sweep_case import RUNS, SweepCase

class ClusterSweep(SweepCase):
    def test_a_coordinator_plays_a_sweep_like_one_process(self):
        c = self.cluster()
        self.on(c, "fetched")
        self.assertEqual(set(self.undisturbed), set(RUNS))
        self.assertEqual(self.documents("fetched"), self.undisturbed)
        # First rollouts and the test without documents, of the second point
        # of both seeds, at the least.
        group = self.group(c)
        self.assertGreaterEqual(group["rollouts_shared"],
                                2 * (24 * 10 + 24 * 2))
        self.assertEqual(group["runs"], {"finished": 4})
        self.assertIn("group g: 4 finished; rollouts shared: ",
                      c.order("status").stdout)
        # Scores and states are those of the sweep in one process.
        def ends(name, root=self.root):
            state = json.loads((root / name / "sweep.json").read_text())
            return [(run["run"], run["state"], run["rollouts"], run["score"])
                    for point in state["points"] for run in point["runs"]]
        self.assertEqual(ends("fetched"), ends("whole"))
        self.assertEqual(self.tables("fetched"), self.tables("whole"))
        # The same command again does nothing, also after a restart.
        for _ in range(2):
            before = self.group(c)["rollouts_shared"]
            self.on(c, "fetched")
            self.assertEqual(self.group(c)["rollouts_shared"], before)
            c.coordinator.kill()
            c.start_coordinator()
            self.assertEqual(self.group(c)["runs"], {"finished": 4})
        listed = brewery("runs", "--runs-dir", c.root / "runs", "--group",
                         "g", "--json")
        self.assertEqual({json.loads(line)["id"]
                          for line in listed.stdout.splitlines()},
                         {f"g.{run}" for run in RUNS})
        c.order("fetch", "--group", "g", "--into", c.root / "copies")
        copies = c.root / "copies"
        self.assertEqual({p.name for p in copies.iterdir()},
                         {f"g.{run}" for run in RUNS} | {"sweep.json", "lock"})
        # It is read like the sweep itself.
        self.assertEqual([(name.removeprefix("g."), *rest)
                          for name, *rest in ends("copies", c.root)],
                         ends("whole"))
        self.assertEqual(self.compared(copies), self.compared("whole"))
        said = brewery("report", copies)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("4 of 4", (copies / "report.html").read_text())
        # Where the coordinator is, the group is a sweep of the page, too.
        with page_of(BREWERY, "--connect", c.address) as page:
            def shown(path):
                status, _, body = ask(page, path)
                self.assertEqual(status, 200, body)
                return json.loads(body)
            one, = shown("/api/sweeps")["items"]
            self.assertEqual((one["id"], one["points"], one["states"]),
                             ("g", 2, {"finished": 4}))
            wait_until("its runs are read",
                       lambda: "items" in shown("/api/sweeps/g"))
            points = shown("/api/sweeps/g")["items"]
            whole = {point["name"]: point for point in json.loads(
                (self.root / "whole" / "sweep.json").read_text())["points"]}
            self.assertEqual(
                {p["name"]: [seed["score"] for seed in p["seeds"]]
                 for p in points},
                {name: [run["score"] for run in point["runs"]]
                 for name, point in whole.items()})
            for seed in points[0]["seeds"]:
                shown(f"/api/runs/{seed['run']}")
            self.assertEqual(len(shown("/api/compare?runs=g")["contenders"]), 2)
            shown("/api/sweeps/g/charts")
        # A sweep's own directory is left alone.
        mixed = c.order("fetch", "--group", "g", "--into", self.root / "whole",
                        check=False)
        self.assertIn("which is not of this group", mixed.stderr)

    def test_a_sweep_survives_its_coordinator_and_workers(self):
        draw = random.Random(11)
        c = self.cluster()
        said = brewery("sweep", self.file, "--group", "g", "--connect",
                       c.address)
        self.assertEqual(said.stdout, "group g: 4 runs, 4 new\n")
        for _ in range(20):
            time.sleep(draw.uniform(0.02, 0.5))
            if draw.random() < 0.5:
                c.coordinator.kill()
                c.start_coordinator()
            else:
                name = f"w{draw.randrange(2)}"
                c.workers[name].kill()
                c.start_worker(name)
        self.on(c, "survived")
        self.assertEqual(self.documents("survived"), self.undisturbed)
        self.assertEqual(self.tables("survived"), self.tables("whole"))
        for run in RUNS:
            rows, jobs = c.results(f"g.{run}")
            self.assertEqual(rows, jobs)

    def test_a_changed_point_is_for_another_group(self):
        c = self.cluster(workers=0)
        brewery("sweep", self.file, "--group", "g", "--connect", c.address)
        text = self.file.read_text()
        try:
            self.file.write_text(text.replace("max_width = 2", "max_width = 3"))
            self.refused(c, says="give the point another name, or the sweep "
                         "another --group", code=2)  # as without a coordinator
        finally:
            self.file.write_text(text)

    def test_a_cancelled_group_goes_on_by_the_same_command(self):
        c = self.cluster(workers=0)
        brewery("sweep", self.file, "--group", "g", "--connect", c.address)
        said = c.order("cancel", "--group", "g").stdout
        self.assertEqual(
            said, "4 runs of group g cancelled; finished work is saved\n")
        self.assertEqual(self.group(c)["runs"], {"cancelled": 4})
        self.assertIn("no run of group g is running",
                      c.order("cancel", "--group", "g", check=False).stderr)
        c.coordinator.kill()
        c.start_coordinator()
        self.assertEqual(self.group(c)["runs"], {"cancelled": 4})
        for i in range(2):
            c.start_worker(f"w{i}")
        self.on(c, "cancelled")
        self.assertEqual(self.documents("cancelled"), self.undisturbed)

    def test_points_of_a_group_are_in_the_order_of_the_file(self):
        c = self.cluster()
        text = self.file.read_text()
        self.addCleanup(self.file.write_text, text)
        self.file.write_text(text.replace('"narrow"', '"zebra"'))
        self.on(c, "ordered")
        c.order("fetch", "--group", "g", "--into", c.root / "copies")
        state = json.loads((c.root / "copies" / "sweep.json").read_text())
        self.assertEqual([point["name"] for point in state["points"]],
                         ["zebra", "wide"])

    def test_what_was_cancelled_is_fetched_as_far_as_it_is(self):
        c = self.cluster(workers=1, slots=1)
        self.addCleanup(self.write)
        self.write(also="environment.simulated_latency_ms = 20")
        waiting = subprocess.Popen(
            [BREWERY, "sweep", self.file, "--group", "g", "--connect",
             c.address, "--out", self.root / "part", "--quiet"],
            env=clean_environment(), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(waiting.kill)
        wait_until("a run has played", lambda: any(
            run["rollouts"] for run in c.status()["runs"]))
        c.order("cancel", "--group", "g")
        said = waiting.communicate(timeout=60)[1]
        self.assertEqual(waiting.returncode, 1, said)
        self.assertIn(" was cancelled\n", said)
        self.assertNotIn("failed", said)
        begun = 0
        for run, state, rollouts, _ in self.cuts("part"):
            if state == "finished":
                continue
            about = json.loads((c.root / "runs" / f"g.{run}" /
                                "status.json").read_text())
            self.assertEqual(rollouts, about["rollouts"])
            self.assertEqual(state, "begun" if rollouts else "waiting")
            self.assertEqual((self.root / "part" / run / "events.db").exists(),
                             rollouts > 0)
            begun += rollouts > 0
        self.assertGreater(begun, 0)

    def test_runs_of_a_group_wait_for_their_turn(self):
        c = self.cluster(workers=0)
        text = self.file.read_text()
        try:
            self.file.write_text("at_once = 1\n" + text)
            brewery("sweep", self.file, "--group", "g", "--connect", c.address)
            self.assertLessEqual(self.group(c)["runs"].get("running", 0), 1)
            c.coordinator.kill()
            c.start_coordinator()
            seen = self.group(c)["runs"]
            self.assertLessEqual(seen.get("running", 0), 1)
            self.assertIn("queued", seen)
            queued = [run for run in RUNS if c.state_of(f"g.{run}") is None]
            c.order("cancel", f"g.{queued[-1]}")
            self.assertEqual(self.group(c)["runs"]["cancelled"], 1)
            for name in ("w0", "w1"):  # before, no run could end
                c.start_worker(name)
            self.on(c, "in-turn")
        finally:
            self.file.write_text(text)
        self.assertEqual(self.documents("in-turn"), self.undisturbed)

    def test_points_are_cut_as_in_one_process_whatever_dies(self):
        text = self.file.read_text()
        rungs = "[halving]\nafter = [1, 2]\n"
        try:
            self.file.write_text(
                text.replace("[[points]]", '[[points]]\nname = "few"\n'
                             "search.initial_trials = 2\n[[points]]", 1)
                + rungs)
            self.sweep("halved")
            expected = self.cuts("halved")
            self.assertEqual({state for _, state, _, _ in expected},
                             {"cut", "finished"})
            c = self.cluster()
            self.refused(c, says="with --out DIRECTORY", code=2)
            words = ("sweep", self.file, "--group", "g", "--connect",
                     c.address, "--out", self.root / "held", "--quiet")
            def wait_with(until):
                waiting = subprocess.Popen(
                    [BREWERY, *map(str, words)], env=clean_environment(),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                until()
                waiting.kill()
                waiting.wait()
            states = lambda: (self.group(c) or {"runs": {}})["runs"]
            wait_with(lambda: wait_until("one is held",
                                         lambda: "held" in states()))
            # What is held can be cancelled, like what runs.
            c.order("cancel", "--group", "g")
            self.assertEqual(set(states()), {"cancelled"})
            draw = random.Random(5)
            for _ in range(6):
                wait_with(lambda: time.sleep(draw.uniform(0.2, 1.2)))
                c.coordinator.kill()
                c.start_coordinator()
            self.on(c, "held")
            self.assertEqual(self.cuts("held"), expected)
            self.assertEqual(self.documents("held"), self.documents("halved"))
            self.assertEqual(self.tables("held"), self.tables("halved"))
            for run, *_ in expected:
                rows, jobs = c.results(f"g.{run}")
                self.assertEqual(rows, jobs)
            # What was cut has ended, and says why unless it was cancelled
            # before, also after a restart.
            ended = Counter("cancelled" if state == "cut" else state
                            for _, state, *_ in expected)
            self.assertEqual(self.group(c)["runs"], ended)
            for run, state, _, cut in expected:
                about = json.loads((c.root / "runs" / f"g.{run}"
                                    / "status.json").read_text())
                self.assertIn(about["reason"], ("", state == "cut" and (
                    f"cut by halving after iteration {cut['after']}")))
            c.coordinator.kill()
            c.start_coordinator()
            self.assertEqual(self.group(c)["runs"], ended)
            # Without rungs what was cut goes on, and pays nothing twice.
            self.file.write_text(self.file.read_text().replace(rungs, ""))
            self.on(c, "held")
            self.assertEqual({state for _, state, *_ in self.cuts("held")},
                             {"finished"})
            self.assertEqual({run: files for run, files
                              in self.documents("held").items()
                              if run in self.undisturbed}, self.undisturbed)
        finally:
            self.file.write_text(text)

    def test_a_run_that_is_cancelled_meanwhile_is_not_a_result(self):
        c = self.cluster(workers=0)
        brewery("sweep", self.file, "--group", "g", "--connect", c.address)
        c.order("cancel", "g.wide-s2")
        self.assertEqual(self.group(c)["runs"],
                         {"cancelled": 1, "running": 3})
        c.order("cancel", "--group", "g")
        file = self.root / "other.toml"
        file.write_text(self.toy)
        c.order("submit", file, "--id", "r", "--group", "g")
        self.assertEqual(self.group(c)["runs"],
                         {"cancelled": 4, "running": 1})

    def test_a_sweep_on_a_coordinator_is_extended(self):
        c = self.cluster()
        self.on(c, "extended")
        try:
            self.write(seeds=(1, 2, 3), iterations=6)
            self.on(c, "extended")
            self.sweep("longer")
        finally:
            self.write()
        longer = self.documents("longer")
        self.assertEqual(len(longer), 6)
        self.assertEqual(self.documents("extended"), longer)

    def test_a_point_without_a_search_is_fetched_like_the_others(self):
        text = self.file.read_text()
        self.file.write_text(text + '[[points]]\nname = "without"\n'
                             'search.strategies = []\n')
        try:
            self.on(self.cluster(), "unlearned")
            self.sweep("here")
        finally:
            self.file.write_text(text)
        self.assertTrue((self.root / "unlearned/without-s2/report.md").exists())
        self.assertEqual(self.documents("unlearned"), self.documents("here"))
        self.assertEqual(self.compared("unlearned"), self.compared("here"))

    def test_a_budget_is_one_for_the_group(self):
        c = self.cluster(workers=0)
        text = self.file.read_text()
        try:
            # All side by side; and one after the other, of which three wait.
            for group, also in (("g", ""), ("queue", "at_once = 1\n")):
                self.file.write_text(also + text
                                     + "[budget]\nmax_hours = 0.0001\n")
                done = self.on(c, f"limited-{group}", code=1, group=group)
                self.assertEqual(
                    done.stderr.splitlines()[-1],
                    f"brewery: group {group}: [budget] max_hours = 0.0001 have "
                    f"passed; raise it and continue with `brewery sweep {self.file} --out "
                    f"{self.root / ('limited-' + group)} --group {group}`")
            self.assertEqual(self.group(c)["runs"], {"interrupted": 4})
            self.file.write_text(text + "[budget]\nmax_hours = 1.0\n")
            for i in range(2):
                c.start_worker(f"w{i}")
            self.on(c, "limited-g")
        finally:
            self.file.write_text(text)
        self.assertEqual(self.documents("limited-g"), self.undisturbed)

    def test_an_extended_run_is_not_finished_after_a_restart(self):
        c = self.cluster()
        self.on(c, "before")
        for worker in c.workers.values():
            worker.kill()
        try:
            self.write(iterations=6)
            brewery("sweep", self.file, "--group", "g", "--connect", c.address)
            c.coordinator.kill()
            c.start_coordinator()
            self.assertEqual(self.group(c)["runs"], {"running": 4})
            c.start_worker("w2")
            self.on(c, "after")
            self.sweep("six")
        finally:
            self.write()
        self.assertEqual(self.documents("after"), self.documents("six"))

    def test_a_run_killed_between_report_and_status_writes_both(self):
        c = self.cluster()
        self.on(c, "reported")
        c.coordinator.kill()
        status = c.root / "runs" / "g.wide-s1" / "status.json"
        ended = json.loads(status.read_text())
        status.write_text(json.dumps({**ended, "state": "running"}))
        c.start_coordinator()
        wait_until("the status is written", lambda: json.loads(
            status.read_text())["state"] == "finished")
        self.on(c, "reported")
        self.assertEqual(self.documents("reported"), self.undisturbed)

    def test_what_a_coordinator_cannot_play_is_one_line(self):
        c = self.cluster(workers=0)
        self.refused(c, group="a/b", says="--group 'a/b': cannot be the name "
                     "of a group", code=2)
        self.refused(c, "--out", self.root, says="is not empty")
        text = self.file.read_text()
        try:
            self.file.write_text(text.replace("= 6", "= 6\nseach.width = 1"))
            self.refused(c, says="sweep.toml:13: seach.width", code=2)
        finally:
            self.file.write_text(text)
        self.assertEqual(c.status()["runs"], [])
        # A name that is taken, and a group that is not there.
        file = self.root / "taken.toml"
        file.write_text(self.toy)
        c.order("submit", file, "--id", "g.narrow-s1")
        self.refused(c, says="g.narrow-s1 is there already, and not of group g")
        for words in (("cancel", "--group", "none"),
                      ("fetch", "--group", "none")):
            done = c.order(*words, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn('no run of group "none"', done.stderr)
        for command in ("cancel", "fetch"):
            done = c.order(command, check=False)
            self.assertIn("RUN or --group NAME", done.stderr)


if __name__ == "__main__":
    unittest.main()
