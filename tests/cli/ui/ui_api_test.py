#!/usr/bin/env python3
"""What `brewery ui` serves as JSON is what the other commands print, and it is
served to nobody else.

  ui_api_test.py PATH_OF_BREWERY [unittest arguments]
"""

import base64
import json
import os
import re
import socket
import sys
import unittest
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.older_log import without  # noqa: E402
from support.page_server import ask, items_of, page_of  # noqa: E402
from support.program import (ScratchCase, done_by,  # noqa: E402
                             files_below)

BREWERY = os.path.abspath(sys.argv.pop(1))
brewery = partial(done_by, BREWERY)
TOKEN = "a-token-of-some-length"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Api(ScratchCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = cls.root / "runs"
        for run in ("r", "s"):
            # A challenge's fresh trials would be among a version's rollouts.
            brewery("run", cls.config, "--id", run, "--quiet", "--set",
                    f"run.runs_dir={cls.runs}", "--set", "economy.confirm=0")
        (cls.root / "secret").write_text("secret")
        served = page_of(BREWERY, cls.runs)
        cls.page = served.__enter__()
        cls.addClassCleanup(served.__exit__, None, None, None)

    def get(self, path, status=200, page=None, **headers):
        answered, given, body = ask(page or self.page, path, **headers)
        self.assertEqual(answered, status, (path, body[:300]))
        self.assertLessEqual(len(body), 1 << 20)
        self.assertEqual(given["X-Content-Type-Options"], "nosniff")
        self.assertTrue(given["Content-Security-Policy"]
                        .startswith("default-src 'self';"))
        return (json.loads(body) if given["Content-Type"] == "application/json"
                else body.decode())

    def test_runs_are_those_of_brewery_runs(self):
        listed = lines(brewery("runs", "--runs-dir", self.runs,
                               "--json"))
        for run in listed:
            run.pop("event"), run.pop("spend", None)
        self.assertEqual(items_of(self.page, "/api/runs"), listed[::-1])
        one = self.get("/api/runs/r")
        self.assertEqual(one["learner"], "brew")
        self.assertEqual([(p["strategy"], p["iteration"])
                          for p in one["progress"] if p["strategy"] == "mcts"],
                         [("mcts", i) for i in range(5)])
        self.assertEqual([p["reward"] for p in one["progress"]
                          if p["strategy"] == "mcts"][-1], one["reward"])

    def test_trees_are_those_of_brewery_tree(self):
        trees = lines(brewery("tree", "r", "--runs-dir", self.runs,
                              "--json"))
        listed = items_of(self.page, "/api/runs/r/trees")
        self.assertEqual([(t["strategy"], t["concept"], t["versions"])
                          for t in listed],
                         [(t["strategy"], t["concept"], len(t["versions"]))
                          for t in trees])
        for tree in trees:
            nodes = items_of(self.page, "/api/runs/r/trees/"
                             f"{tree['strategy']}/{tree['concept']}")
            self.assertEqual([n["id"] for n in nodes if n["best"]],
                             tree["published"][-1:])
            for node in nodes:
                published = node.pop("published")
                self.assertEqual(published, node["id"] in tree["published"]
                                 and "empty" not in node)
                node.pop("best"), node.pop("refused")
            self.assertEqual(nodes, tree["versions"])
        report = (self.runs / "r/report.md").read_text()
        for tree in listed:
            rows = report.split(f"### Trees of `{tree['strategy']}`")[1]
            self.assertEqual(tree["versions"], int(re.search(
                rf"^\| {re.escape(tree['title'])} \| (\d+) \|", rows,
                re.MULTILINE)[1]))

    def test_a_tree_of_an_older_release_is_not_recorded(self):
        older = self.root / "older/runs/o"
        older.parent.mkdir(parents=True)
        self.assertEqual(len(items_of(self.page, "/api/runs/r/trees")), 6)
        self.assertGreater(without(self.runs / "r", older, "tree_record",
                                   "purpose_record"), 6)
        with page_of(BREWERY, older) as page:
            for tree in items_of(page, "/api/runs/o/trees"):
                self.assertEqual((tree["whole"], tree["versions"]), (False, 0))
            tree = self.get("/api/runs/o/trees/mcts/0", page=page)
            self.assertEqual((tree["whole"], tree["total"]), (False, 0))
            self.get("/api/runs/o/trees/mcts/0/0", 404, page=page)
            self.assertEqual(
                items_of(page, "/api/runs/o/provenance/0"),
                items_of(self.page, "/api/runs/r/provenance/0"))

    def test_a_version_has_its_tasks_and_what_it_took(self):
        by_job = {r["id"]: r for r in items_of(self.page,
                                               "/api/runs/r/rollouts")}
        compared = whole = 0
        for tree in items_of(self.page, "/api/runs/r/trees"):
            path = f"/api/runs/r/trees/{tree['strategy']}/{tree['concept']}"
            nodes = items_of(self.page, path)
            took = {}
            for node in nodes:
                one = self.get(f"{path}/{node['id']}?limit=1000")
                took[node["id"]] = one
                for task in one["items"]:
                    compared += "change" in task
                    for side in ("here", "parent"):
                        played = task.get(side, {"jobs": []})
                        grades = [by_job[j]["reward"] for j in played["jobs"]]
                        if grades:
                            self.assertAlmostEqual(
                                played["reward"], sum(grades) / len(grades))
                # Of a version whose rollouts are all named, and that was scored
                # whole: as many for each task.
                if (node["rollouts"] == one["own"]["score"] > 0
                        and "reward_least" not in node
                        and "raced" not in node):
                    here = [t["here"]["reward"] for t in one["items"]
                            if t["here"]["rollouts"]]
                    self.assertAlmostEqual(sum(here) / len(here),
                                           node["correctness"])
                    whole += 1
            # A second search begins as the first did, and has its scores.
            self.assertEqual(took[0]["own"]["score"], nodes[0]["rollouts"])
            self.assertEqual(took[0]["below"]["score"], sum(
                one["own"]["score"] for one in took.values()))
            self.assertAlmostEqual(took[0]["below"]["seconds"], sum(
                one["own"]["seconds"] for one in took.values()))
        self.assertGreater(compared, 0)
        self.assertGreater(whole, 10)
        self.get("/api/runs/r/trees/mcts/0/999", 404)

    def test_every_version_of_every_tree_has_a_text(self):
        seen = set()
        for tree in items_of(self.page, "/api/runs/r/trees"):
            nodes = items_of(self.page, "/api/runs/r/trees/"
                             f"{tree['strategy']}/{tree['concept']}")
            for node in nodes:
                document = self.get("/api/runs/r/documents/" + node["document"])
                self.assertEqual(len(document["text"].encode()),
                                 document["bytes"])
                seen.add(document["text"])
                parent = nodes[node["parent"]]["document"]
                diff = self.get(f"/api/runs/r/documents/{node['document']}"
                                f"/diff/{parent}")["diff"]
                self.assertEqual(diff == "", node["document"] == parent)
        for row in lines(brewery("kb", "list", self.runs / "r",
                                 "--json")):
            shown = brewery("kb", "show", self.runs / "r", row["concept"])
            self.assertIn(shown, seen)

    def test_provenance_is_that_of_brewery_kb_show(self):
        for row in lines(brewery("kb", "list", self.runs / "r",
                                 "--json")):
            shown, = lines(brewery("kb", "show", self.runs / "r",
                                   row["concept"], "--json"))
            path = f"/api/runs/r/provenance/{row['concept']}"
            self.assertEqual(items_of(self.page, path), shown["lines"])
            self.assertEqual(items_of(self.page, path + "?strategy=mcts"),
                             shown["lines"])
            self.assertEqual(
                self.get(path + "?strategy=greedy")["strategy"], "greedy")
        self.get("/api/runs/r/provenance/99", 404)
        self.get("/api/runs/r/provenance/0?strategy=..", 404)

    def test_rollouts_are_those_of_the_report(self):
        run = self.get("/api/runs/r")
        rollouts = items_of(self.page, "/api/runs/r/rollouts")
        self.assertEqual(len({r["id"] for r in rollouts}), len(rollouts))
        for arm in run["evaluations"]:
            of_arm = items_of(self.page,
                              "/api/runs/r/rollouts?arm=" + quote(arm["name"]))
            self.assertEqual(len(of_arm), 2 * arm["tasks"])
            self.assertAlmostEqual(
                sum(r["reward"] for r in of_arm) / len(of_arm), arm["reward"])
        search = items_of(self.page, "/api/runs/r/rollouts?arm=search")
        arms = [r for r in rollouts if r["arms"]]
        self.assertEqual(len(search) + len(arms), len(rollouts))
        by_grade = [items_of(self.page, "/api/runs/r/rollouts?grade=" + grade)
                    for grade in ("full", "less", "none")]
        self.assertEqual(sorted(r["id"] for some in by_grade for r in some),
                         sorted(r["id"] for r in rollouts))
        self.assertTrue(all(r["reward"] >= 1 for r in by_grade[0]))
        self.assertTrue(all(r["reward"] < 1 for r in by_grade[1]))
        self.get("/api/runs/r/rollouts?grade=good", 400)
        self.get("/api/runs/r/rollouts?seconds=soon", 400)
        self.get("/api/runs/r/rollouts?text=" + "x" * 5000, 400)
        self.assertEqual(items_of(self.page,
                                  "/api/runs/r/rollouts?seconds=1000"), [])
        # By what agents did, in large or small letters; "observation" is a
        # name in the log and no text of theirs.
        calls = {r["id"]: {d.get("tool") for d in items_of(
            self.page, "/api/runs/r/rollouts/" + r["id"])} for r in arms[:20]}
        tool = next(iter(calls[arms[0]["id"]] - {None}))
        found = {r["id"] for r in items_of(
            self.page, "/api/runs/r/rollouts?text=" + tool.upper())}
        self.assertEqual({r for r, tools in calls.items() if tool in tools},
                         found & set(calls))
        said = self.get("/api/runs/r/rollouts?arm=search&text=observation")
        self.assertEqual((said["total"], said["chosen"], said["searched"]),
                         (0, len(search), len(search)))
        one = arms[0]
        shown, = lines(brewery("rollout", "show", self.runs / "r", one["task"],
                               "--trial", one["trial"] + 1, "--arm",
                               one["arms"][0], "--json"))
        done = items_of(self.page, "/api/runs/r/rollouts/" + one["id"])
        played = shown["rollout"]
        self.assertEqual([d["observation"] for d in done if "step" in d],
                         [s["observation"] for s in played["steps"]])
        self.assertEqual([d["query"] for d in done if "query" in d],
                         [q["query"] for q in played["retrievals"]])
        where = f"/api/runs/r/rollouts/{one['id']}?limit=9&step="
        for step in range(1, len(played["steps"]) + 1):
            page = self.get(f"{where}{step}")
            self.assertEqual(page["items"],
                             done[page["offset"]:][:len(page["items"])])
            at = [item.get("step") for item in page["items"]].index(step)
            self.assertEqual(at, min(5, done.index(page["items"][at])))
        self.get(f"{where}{len(played['steps']) + 1}", 404)
        self.get(where + "x", 400)

    def test_one_run_alone_and_nothing_is_changed(self):
        before = files_below(self.runs / "r")
        with page_of(BREWERY, self.runs / "r") as page:
            self.assertEqual([r["id"] for r in items_of(page, "/api/runs")],
                             ["r"])
            self.get("/api/runs/r/rollouts", page=page)
            self.get("/api/runs/s", 404, page=page)
        after = files_below(self.runs / "r")
        for name in ("events.db-wal", "events.db-shm"):
            for files in (before, after):
                files.pop(name, None)
        self.assertEqual(before, after)

    def test_paths_lead_nowhere_else(self):
        for path in ("/../secret", "/%2e%2e/secret", "/api/runs/..%2fsecret",
                     "/api/runs/%2e%2e", "/api/runs/r%2f..%2fs",
                     "/api/runs/r/documents/..%2f..%2fconfig.toml",
                     "/config.toml", "/api/runs/r/rollouts/..", "/app.js/../x"):
            self.get(path, 404)
        for path in ("/api/runs/%", "/api/runs/%zz", "/api/runs/r%00",
                     "/api/runs?limit=0", "/api/runs?" + "a" * 6000):
            self.get(path, 400)
        self.assertEqual(ask(self.page, "/api/runs?" + "a" * 9000)[0], 431)
        self.assertEqual(ask(self.page, "/api/runs", method="POST")[0], 405)

    def test_hosts_of_others_are_refused(self):
        port = urlsplit(self.page).port
        for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"):
            self.get("/api/runs", Host=host)
        for host in ("evil.example", f"evil.example:{port}", "localhost",
                     f"localhost:{port + 1}"):
            self.assertIn("localhost", self.get("/api/runs", 421, Host=host))

    def test_an_absolute_target_is_of_the_host_that_it_names(self):
        port = urlsplit(self.page).port
        self.get(f"http://127.0.0.1:{port}/api/runs/r", Host="evil.example")
        for host in ("evil.example", f"evil.example:{port}",
                     f"127.0.0.1:{port}@evil.example",
                     f"evil.example@127.0.0.1:{port}"):
            self.get(f"http://{host}/api/runs", 421, Host=f"127.0.0.1:{port}")
        self.get(f"http://127.0.0.1:{port}/api/runs", 403,
                 Origin="http://evil.example")

    def test_a_page_for_others_has_a_token(self):
        said = brewery("ui", self.runs, "--listen", "0.0.0.0:0", code=2)
        self.assertIn("give a token", said)
        self.assertEqual(said.count("\n"), 1)
        self.assertIn("use at least 16", brewery(
            "ui", self.runs, "--listen", "0.0.0.0:0", code=2,
            variables={"BREWERY_UI_TOKEN": "short"}))
        file = self.root / "token"
        file.write_text(TOKEN + "\n")
        file.chmod(0o644)
        self.assertIn("can be read by others", brewery(
            "ui", self.runs, "--token-file", file, code=1))
        file.chmod(0o600)
        password = base64.b64encode(f"brewery:{TOKEN}".encode()).decode()
        for how in ({"words": ("--token-file", file)},
                    {"variables": {"BREWERY_UI_TOKEN": TOKEN}}):
            with page_of(BREWERY, self.runs, *how.get("words", ()),
                         listen="0.0.0.0:0",
                         variables=how.get("variables")) as page:
                for path in ("/", "/api/runs"):
                    self.get(path, 401, page=page)
                    self.get(path, 401, page=page,
                             Authorization="Bearer " + TOKEN[1:])
                    self.get(path, page=page, Authorization="Bearer " + TOKEN)
                    self.get(path, page=page, Host="brewery.example",
                             Authorization="Basic " + password)

    def test_bad_arguments_are_one_line(self):
        for words, code, says in (
                (("rr", "--runs-dir", self.runs), 1, "did you mean r?"),
                ((self.root / "toy.toml",), 1, "no run directory"),
                ((self.runs, "--listen", "8420"), 2, "expected ADDRESS:PORT"),
                ((self.runs, "--listen", "here:80"), 2, "not an IP address")):
            said = brewery("ui", *words, code=code,
                           variables={"BREWERY_UI_TOKEN": TOKEN})
            self.assertIn(says, said)
            self.assertEqual(said.count("\n"), 1)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            where = f"127.0.0.1:{taken.getsockname()[1]}"
            self.assertIn("choose another port", brewery(
                "ui", self.runs, "--listen", where, code=1))


if __name__ == "__main__":
    unittest.main()
