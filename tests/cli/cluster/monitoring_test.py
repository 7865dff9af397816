#!/usr/bin/env python3
"""Dashboards and alerts against what a cluster really serves: a real Prometheus
scrapes a coordinator and four workers that play runs with and without a
language model (a script), lose a worker and restart the coordinator.

  monitoring_test.py PATH_OF_BREWERY [unittest arguments]

Skips without Debian's package prometheus. What Grafana itself does with a
dashboard is checked by its SDK (PyPI: grafana-foundation-sdk), if it is there or
in the folder that BREWERY_GRAFANA_SDK names.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import Case
from support.cluster import SLOW_TOY
from support.model_case import CONFIG, SAYS_NO, kind_of
from support.model_script import CATALOG, KEY, ModelScript
from support.program import SOURCE, free_port, wait_until

MONITORING = SOURCE / "k8s/monitoring"
DASHBOARDS = sorted((MONITORING / "dashboards").glob("*.json"))
VARIABLES = {"$__rate_interval": "4s", "$coordinator": ".*coordinator.*",
             "$worker": ".*worker.*", "$run": ".*"}


def read(url):
    with urllib.request.urlopen(url, timeout=60) as reply:
        return reply.read().decode()


class Prometheus:
    """A server of its own, on a port and a folder of its own."""

    def __init__(self, folder, targets):
        self.url = f"http://127.0.0.1:{free_port()}"
        folder.mkdir()
        config = ["global: {scrape_interval: 500ms}", "scrape_configs:"]
        for job, ports in targets.items():
            hosts = ", ".join(f'"127.0.0.1:{port}"' for port in ports)
            config += [f"  - job_name: {job}",
                       f"    static_configs: [{{targets: [{hosts}]}}]"]
        (folder / "prometheus.yml").write_text("\n".join(config) + "\n")
        self.log = open(folder / "log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml",
             f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address={self.url.removeprefix('http://')}"],
            stdout=self.log, stderr=self.log)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.log.close()

    def ready(self):
        try:
            return "Ready" in read(self.url + "/-/ready")
        except (urllib.error.URLError, ConnectionError):
            return False

    def series(self, expression, since):
        """How many series it has; or what is wrong with it."""
        query = urllib.parse.urlencode({
            "query": expression, "start": since, "end": time.time(),
            "step": 1})
        try:
            answer = json.loads(read(f"{self.url}/api/v1/query_range?{query}"))
        except urllib.error.HTTPError as problem:
            return problem.read().decode()
        return len(answer["data"]["result"])


def filled_in(expression):
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


def queries(dashboard):
    """Title and query of each panel and each variable."""
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], filled_in(target["expr"])
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            metric = re.fullmatch(r"label_values\((.*), \w+\)",
                                  variable["query"]["query"]).group(1)
            yield f"${variable['name']}", metric


def missing(prometheus, since):
    """Queries without a series."""
    out = []
    for file in DASHBOARDS:
        for title, expression in queries(json.loads(file.read_text())):
            found = prometheus.series(expression, since)
            if not isinstance(found, int) or found == 0:
                out.append((file.name, title, expression, found))
    return out


class Monitoring(Case):
    def watched_cluster(self):
        """A coordinator, four workers, and the Prometheus that reads them."""
        ports = [free_port() for _ in range(5)]
        c = self.cluster(workers=0, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{ports[0]}",
            "--models", self.root / "models.toml"))
        for i, port in enumerate(ports[1:]):
            c.worker_words = ("--metrics-listen", f"127.0.0.1:{port}")
            c.start_worker(f"w{i}", 2)
        prometheus = Prometheus(self.root / "prometheus", {
            "brewery-coordinator": ports[:1], "brewery-worker": ports[1:]})
        self.addCleanup(prometheus.stop)
        wait_until("Prometheus is ready", prometheus.ready)
        return c, prometheus

    def scripted_model(self):
        """It turns some calls away, and its first review is no use."""
        model = ModelScript(latency_s=0.05)
        model.__enter__()
        self.addCleanup(model.__exit__)
        (self.root / "models.toml").write_text(CATALOG.format(url=model.url))
        os.environ["SCRIPT_KEY"] = KEY
        refused = []

        def change(asked, reply):
            if kind_of(asked) == "review" and not refused:
                refused.append(asked)
                reply["choices"][0]["message"]["content"] = SAYS_NO
            return reply
        model.change = change
        model.refuse(3)

    @unittest.skipUnless(shutil.which("prometheus"),
                         "Prometheus is not installed (apt: prometheus)")
    def test_every_query_of_every_dashboard_has_a_series(self):
        since = time.time()
        self.scripted_model()
        c, prometheus = self.watched_cluster()
        runs = {"toy": SLOW_TOY.format(latency=20),
                "script": CONFIG + "[budget]\nmax_cost_usd = 100\n"}
        for name, config in runs.items():
            c.submit(config, name)
        c.workers["w0"].kill()

        def unseen():
            # What a run shows ends with it, and who looks every half second
            # may look once too seldom on a busy machine: it is played again.
            for name in list(runs):
                if c.state_of(name) == "finished":
                    runs[name + "x"] = runs.pop(name)
                    c.submit(runs[name + "x"], name + "x")
            return missing(prometheus, since)
        # What is counted once needs two looks for a rate.
        try:
            wait_until("all is seen", lambda: not unseen(), 400)
        except AssertionError:
            self.fail(f"not within 400 s: {missing(prometheus, since)}")
        c.coordinator.end()
        c.start_coordinator()
        for name in runs:
            c.wait_for(name)
        self.assertEqual(missing(prometheus, since), [])
        # The same check finds a name that nobody serves, and broken PromQL.
        self.assertEqual(prometheus.series("brewery_rolouts_total", since), 0)
        self.assertIn("parse error", prometheus.series("sum(", since))

    def test_a_run_can_be_chosen_from_its_first_job_on(self):
        port = free_port()
        c = self.cluster(workers=0, coordinator_words=(
            "--metrics-listen", f"127.0.0.1:{port}"))
        c.submit(SLOW_TOY.format(latency=20), "toy")
        metric = dict(queries(json.loads(
            (MONITORING / "dashboards/brewery-run.json").read_text())))["$run"]
        wait_until(f"{metric} has the run", lambda: re.search(
            rf'^{metric}{{.*run="toy"', read(f"http://127.0.0.1:{port}/metrics"),
            re.MULTILINE))

    @unittest.skipUnless(shutil.which("promtool"),
                         "promtool is not installed (apt: prometheus)")
    def test_each_alert_fires_when_it_should_and_else_is_silent(self):
        for words in (("check", "rules", "--lint=all", "--lint-fatal",
                       "rules.yml"), ("test", "rules", "rules_test.yml"),
                      ("check", "config", "prometheus.yml")):
            done = subprocess.run(["promtool", *words], cwd=MONITORING,
                                  text=True, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rules = (MONITORING / "rules.yml").read_text()
        alerts = re.findall(r"- alert: (\w+)", rules)
        tried = re.findall(r"alertname: (\w+)",
                           (MONITORING / "rules_test.yml").read_text())
        self.assertEqual(alerts, list(dict.fromkeys(tried)))
        runbook = (SOURCE / "docs/runbook.md").read_text()
        sections = {title.lower().replace(" ", "-") for title
                    in re.findall(r"^## (.+)$", runbook, re.MULTILINE)}
        links = re.findall(r'runbook: "docs/runbook.md#(.+)"', rules)
        self.assertEqual(len(links), len(alerts))
        self.assertEqual(set(links), sections)
        for alert in alerts:
            self.assertIn(f"`{alert}`", runbook)

    def test_dashboards_are_what_their_source_writes(self):
        done = subprocess.run([sys.executable, MONITORING / "dashboards.py",
                               "--check"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        ids = set()
        for file in DASHBOARDS:
            board = json.loads(file.read_text())
            self.assertEqual(board["uid"], file.stem)
            for panel in board["panels"]:
                with self.subTest(board=board["uid"], panel=panel["title"]):
                    self.assertTrue(panel["fieldConfig"]["defaults"]["unit"])
                    self.assertEqual(panel["datasource"]["uid"],
                                     "${datasource}")
                    for target in panel["targets"]:
                        self.assertNotIn("worker=", target["expr"])
                        # A range of its own would miss or smear points.
                        self.assertNotRegex(target["expr"], r"\[\d")
            ids.add(board["uid"])
        self.assertEqual(len(ids), len(DASHBOARDS))

    def test_the_sdk_of_grafana_loses_nothing_of_a_dashboard(self):
        sys.path.append(os.environ.get("BREWERY_GRAFANA_SDK", ""))
        try:
            from grafana_foundation_sdk.cog import encoder, plugins
            from grafana_foundation_sdk.models.dashboard import Dashboard
        except ImportError:
            self.skipTest("Grafana's SDK is not installed (PyPI: "
                          "grafana-foundation-sdk)")
        plugins.register_default_plugins()
        for file in DASHBOARDS:
            board = json.loads(file.read_text())
            back = json.loads(encoder.JSONEncoder().encode(
                Dashboard.from_json(board)))
            self.assertEqual(lost(board, back), [])


def lost(before, after, at=""):
    """What of `before` is not in `after`."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [one for key, value in before.items() for one in (
            lost(value, after[key], f"{at}/{key}") if key in after
            else [f"{at}/{key}"])]
    if isinstance(before, list) and isinstance(after, list) and len(
            before) == len(after):
        return [one for i, pair in enumerate(zip(before, after))
                for one in lost(*pair, f"{at}/{i}")]
    return [] if before == after else [f"{at}: {before!r}, then {after!r}"]


if __name__ == "__main__":
    unittest.main()
