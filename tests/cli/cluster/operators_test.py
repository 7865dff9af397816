#!/usr/bin/env python3
"""What operators steer and watch: tags, slots of an environment, shares, logs,
metrics by run, the live view.

  operators_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import signal
import sys
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY, Case, brewery
from support.cluster import SLOW_TOY, Process, json_lines
from support.program import free_port, wait_until

NEEDY = SLOW_TOY.replace('kind = "toy"', 'kind = "toy"\nneeds = ["gpu"]')


def metrics(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics",
                                timeout=60) as reply:
        return reply.read().decode()


class Operators(Case):
    def worker(self, c, name, *words, slots=2):
        before, c.worker_words = c.worker_words, words
        c.start_worker(name, slots)
        c.worker_words = before

    def run_of(self, c, run):
        return next(r for r in c.status()["runs"] if r["id"] == run)

    def test_rollouts_go_to_workers_with_the_tags_that_they_need(self):
        c = self.cluster(workers=1)
        c.submit(NEEDY.format(latency=0), "a")
        line = "): no worker has the needed tags: gpu (connected: 1)"
        wait_until("status says so", lambda: line in c.order("status").stdout)
        wait_until("the log says so", lambda: line in c.coordinator.said())
        self.worker(c, "able", "--tag", "gpu", "--tag", "big")
        c.wait_for("a")
        self.check(c, "a")
        self.assertEqual(c.coordinator.said().count(line), 1)
        shown = {w["name"]: w for w in
                 json_lines(c.order("workers", "--json").stdout)}
        self.assertEqual(shown["able"]["tags"], ["big", "gpu"])
        self.assertEqual(shown["w0"]["tags"], [])

    def test_a_run_without_a_coordinator_needs_no_tags(self):
        config = self.root / "needy.toml"
        config.write_text(NEEDY.format(latency=0))
        for words in ((), ("--workers", "1")):
            done = brewery("run", config, "--quiet", *words, "--id",
                           f"needy{len(words)}", "--set",
                           f"run.runs_dir={self.root / 'runs'}")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_environment_takes_only_its_slots_of_a_worker(self):
        c = self.cluster(workers=0, lease_ms=None)
        self.worker(c, "w0", "--slots-for", "toy=2", slots=6)
        c.submit(SLOW_TOY.format(latency=10), "a")
        busy = []

        def plays():  # later phases also write documents, without limit
            return self.run_of(c, "a").get("phase") == "initial rollouts"

        def done():
            before = plays()
            (worker,) = json_lines(c.order("workers", "--json").stdout)
            if before and plays():
                busy.append(worker["busy"])
            return (c.root / "runs" / "a" / "report.md").exists()

        wait_until("the worker has joined", lambda: c.status()["workers"] == 1)
        wait_until("the run ends", done, 300, 0.05)
        self.assertEqual(max(busy, default=0), 2)
        self.check(c, "a")

    def test_wrong_names_tags_and_slots_get_one_line(self):
        base = ("worker", "--env", "toy", "--slots", "4")
        for words, part in (
                (("--tag", "g p"), "letters, digits"),
                (("--name", "a b"), "1 to 100 letters, digits"),
                (("--slots-for", "toy"), "expected KIND=SLOTS with 1 to 4"),
                (("--slots-for", "toy=5"), "expected KIND=SLOTS with 1 to 4"),
                (("--slots-for", "mars=1"), "makes no rollouts of mars")):
            done = brewery(*base, *words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(part, done.stderr.splitlines()[-1])
        done = brewery("config", "check", self.config, "--set",
                       'environment.needs=["g p"]')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("environment.needs", done.stdout + done.stderr)

    def test_weight_and_priority_are_shown_and_changed_while_a_run_goes_on(
            self):
        c = self.cluster(workers=1, slots=1)
        for run in ("a", "b"):
            c.submit(SLOW_TOY.format(latency=30), run, "--weight", "2")
        wait_until("both are held", lambda: len(c.status()["runs"]) == 2)
        self.assertEqual((self.run_of(c, "a")["weight"],
                          self.run_of(c, "a")["priority"]), (2, 0))
        done = c.order("set", "b", "--priority", "5")
        self.assertIn("run b has weight 2, priority 5", done.stdout)
        at = c.results("a")[0]
        wait_until("b gets the worker", lambda: c.results("b")[0] >= 12)
        # What was running when the order came may still end.
        self.assertLessEqual(c.results("a")[0] - at, 2)
        c.order("set", "b", "--weight", "0.5")
        self.assertEqual((self.run_of(c, "b")["weight"],
                          self.run_of(c, "b")["priority"]), (0.5, 5))
        c.coordinator.kill()
        c.start_coordinator()
        self.assertEqual((self.run_of(c, "b")["weight"],
                          self.run_of(c, "b")["priority"]), (0.5, 5))
        for words, part in ((("b",), "nothing to set"),
                            (("nobody", "--weight", "1"), 'no run "nobody"'),
                            (("b", "--weight", "0"), "--weight")):
            refused = c.order("set", *words, check=False)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(part, refused.stderr)

    def test_metrics_count_jobs_by_run_role_and_benchmark(self):
        port = free_port()
        c = self.cluster(workers=0, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"))
        c.submit(SLOW_TOY.format(latency=5), "a")
        pattern = (r'brewery_run_jobs_queued\{benchmark="toy",role="rollout",'
                   r'run="a"\} (\d+)')
        wait_until("the queue is counted",
                   lambda: re.search(pattern, metrics(port)))
        wait_until("it is the whole queue", lambda: (
            int(re.search(pattern, metrics(port))[1])
            == c.status()["jobs"]["queued"]))
        c.start_worker("w0")
        wait_until("done jobs are counted", lambda: re.search(
            r'brewery_run_jobs_done_total\{[^}]*run="a"\} [1-9]',
            metrics(port)))
        c.wait_for("a")
        wait_until("the series end with the run",
                   lambda: 'run="a"' not in metrics(port))

    def test_metrics_count_runs_by_their_state(self):
        port = free_port()
        c = self.cluster(workers=0, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"))

        def counted(**wanted):
            wait_until(f"{wanted} are counted", lambda: {
                state: int(count) for state, count in re.findall(
                    r'^brewery_runs\{state="(\w+)"\} (\d+)$', metrics(port),
                    re.MULTILINE) if count != "0"} == wanted)
        c.submit(SLOW_TOY.format(latency=0), "a")
        counted(running=1)
        c.submit(SLOW_TOY.format(latency=0) + "[budget]\nmax_hours = 1e-6\n",
                 "b")
        counted(running=1, interrupted=1)
        c.order("cancel", "a")
        counted(cancelled=1, interrupted=1)

    def test_runs_beside_each_other_have_barriers_of_their_own(self):
        port = free_port()
        c = self.cluster(workers=0, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"))
        for run in ("a", "b"):
            c.submit(SLOW_TOY.format(latency=4), run)
        for name in ("w0", "w1"):  # not before b is there, too
            c.start_worker(name)
        shown = {}

        def look():
            for name, run, value in re.findall(
                    r'brewery_(barrier_\w+_ratio|iteration)\{run="(\w+)",'
                    r'strategy="mcts"\} (\S+)', metrics(port)):
                shown.setdefault((run, name), set()).add(
                    round(float(value), 6))
            return all(r["state"] == "finished" for r in c.status()["runs"])
        wait_until("both end", look, 120)
        self.assertEqual(sorted(shown), sorted(
            (run, name) for run in "ab" for name in (
                "barrier_efficiency_ratio", "barrier_utilisation_ratio",
                "iteration")))
        for run in "ab":
            # Every tree has more jobs than there are slots, so no job alone
            # bounds a barrier, and both figures are the same.
            ratios = shown[run, "barrier_efficiency_ratio"]
            self.assertTrue(ratios & shown[run, "barrier_utilisation_ratio"])
            for ratio in ratios:
                self.assertGreater(ratio, 0)
                self.assertLess(ratio, 0.9)  # the other run had its share
        wait_until("the series end with the runs",
                   lambda: 'run="' not in metrics(port))

    def test_json_logs_name_run_and_worker(self):
        c = self.cluster(workers=0, coordinator_words=(
            "--log-format", "json", "--log-level", "debug"))
        self.worker(c, "w0", "--log-format", "json")
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.wait_for("a")
        wait_until("it is said", lambda: "run_finished" in
                   c.coordinator.said())
        lines = [json.loads(line) for line in
                 c.coordinator.said().splitlines()
                 if not line.startswith("listening on")]
        for line in lines:
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT[\d:.]+Z$")
        by_event = {line.get("event"): line for line in lines}
        self.assertEqual(by_event["run_submitted"]["run"], "a")
        self.assertEqual(by_event["run_finished"]["run"], "a")
        granted = by_event["lease_granted"]
        self.assertEqual((granted["run"], granted["worker"]), ("a", "w0"))
        self.assertRegex(granted["job"], r"^[0-9a-f]{8,}$")
        self.assertIn("w0", {line.get("worker") for line in lines
                             if line.get("message", "").startswith("joined")})
        own = [json.loads(line) for line in c.workers["w0"].said()
               .splitlines()]
        self.assertEqual({line["worker"] for line in own}, {"w0"})

    def test_what_a_json_line_says_beside_its_keys_is_a_sentence(self):
        c = self.cluster(workers=0, coordinator_words=(
            "--log-format", "json"))
        c.submit(SLOW_TOY.format(latency=0) + "[budget]\nmax_hours = 1e-6\n",
                 "a")
        wait_until("it stops", lambda: '"run_stops"' in c.coordinator.said()
                   and c.state_of("a") == "interrupted")
        (line,) = [line for line in map(json.loads, filter(
            lambda line: line.startswith("{"),
            c.coordinator.said().splitlines()))
            if line.get("event") == "run_stops"]
        self.assertEqual((line["run"], line["message"]),
                         ("a", "rollouts under way end first"))
        self.assertIn("budget.max_hours", line["reason"])

    def test_logs_of_a_run_and_of_a_worker_are_shown(self):
        c = self.cluster(workers=2)
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.submit(SLOW_TOY.format(latency=0), "b")
        c.wait_for("a")
        c.wait_for("b")
        wait_until("the end is logged", lambda: "run_finished" in c.order(
            "logs", "a").stdout)
        lines = json_lines(c.order("logs", "a", "--json").stdout)
        self.assertEqual({line["line"]["run"] for line in lines}, {"a"})
        self.assertIn("run_submitted",
                      {line["line"].get("event") for line in lines})

        def of_worker():
            return [line["line"] for line in json_lines(
                c.order("logs", "w1", "--json", check=False).stdout)
                if "line" in line]

        # Its own lines come with its heartbeats.
        wait_until("the worker's own lines are here", lambda: any(
            line.get("from") == "worker" and "connects to" in line.get("message", "")
            for line in of_worker()))
        self.assertEqual({line["worker"] for line in of_worker()}, {"w1"})
        self.assertTrue(any(line.get("message", "").startswith("joined")
                            for line in of_worker()))
        c.coordinator.kill()
        c.start_coordinator()
        self.assertIn("run_submitted", c.order("logs", "a").stdout)
        self.assertEqual(len(c.order("logs", "a", "--lines",
                                     "1").stdout.splitlines()), 1)
        none = c.order("logs", "nobody", check=False)
        self.assertEqual(none.returncode, 1)
        self.assertIn('run or worker "nobody"', none.stderr)

    def test_logs_are_kept_whatever_is_shown(self):
        c = self.cluster(workers=0, coordinator_words=("--log-level", "warn"))
        self.worker(c, "w0", "--log-level", "warn")
        c.submit(SLOW_TOY.format(latency=0), "a")
        c.wait_for("a")
        wait_until("the end is kept", lambda: "run_finished" in c.order(
            "logs", "a", check=False).stdout)
        wait_until("the worker's lines too", lambda: "connects to" in c.order(
            "logs", "w0", check=False).stdout)
        self.assertNotIn("run_finished", c.coordinator.said())
        self.assertEqual(c.workers["w0"].said(), "")

    def test_top_shows_the_cluster(self):
        c = self.cluster(workers=1)
        c.submit(SLOW_TOY.format(latency=20), "a")
        wait_until("it runs", lambda: c.results("a")[0] > 0)
        c.submit(SLOW_TOY.format(latency=20), "wide." + 40 * "x" + "-s1",
                 "--priority", "-1")
        page = c.order("top", "--once").stdout
        self.assertIn("1 worker, ", page)
        self.assertRegex(page, r"\na +running +0 +1 +\d+ +[12] +\d+ +\d+\.\d ")
        self.assertRegex(page, r"\nw0 +busy +[12]/2 +\d+ +0 +\d+\.\d ")
        self.assertIn("\nwide." + 40 * "x" + "-s1 ", page)
        self.assertNotIn("\x1b", page)
        live = Process(BREWERY, ["top", "--connect", c.address, "--every",
                                 "0.1"], c.root / "top.log")
        self.addCleanup(live.kill)
        wait_until("pages follow", lambda: live.said().count("RUN ") >= 3)
        live.process.send_signal(signal.SIGINT)
        self.assertEqual(live.process.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
