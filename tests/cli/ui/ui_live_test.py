#!/usr/bin/env python3
"""Runs that go on, followed: nothing is missed or told twice however often the
connection breaks; what a coordinator serves beside its metrics, and what `brewery ui
--connect` asks of it.

  ui_live_test.py PATH_OF_BREWERY [unittest arguments]
"""

import http.client
import json
import os
import socket
import sys
import unittest
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import program  # noqa: E402
from support.page_server import ask, items_of, page_of  # noqa: E402
from support.program import (  # noqa: E402
    TOY, CommandCase, free_port, wait_until)

SLOW = ("--set", "environment.simulated_latency_ms=3")


def stream(address, run, last=0):
    """The events of a stream, as (name, id, data), until it ends."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname, where.port,
                                            timeout=60)
    with closing(connection):
        connection.request("GET", f"/api/runs/{run}/stream",
                           headers={"Last-Event-ID": str(last)} if last else {})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.headers["Content-Type"] == "text/event-stream"
        event = {}
        for line in answer:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                event[name] = value
            else:
                yield (event["event"], int(event.get("id", 0)),
                       json.loads(event["data"]))
                event = {}


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as one:
            one.bind(("::1", 0))
    except OSError:
        return False
    return True


class Followed(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "toy.toml").write_text(TOY)

    def get(self, address, path, status=200):
        answered, _, body = ask(address, path)
        self.assertEqual(answered, status, body)
        return json.loads(body)

    def test_no_event_is_lost_or_doubled_over_twenty_breaks(self):
        run = self.start("run", "toy.toml", "--id", "r", "--quiet", *SLOW)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        wait_until("a log", (self.at / "runs/r/live.json").exists)
        parts, said, last, breaks, over = [], [], 0, 0, False
        with page_of(self.program, self.at / "runs") as page:
            while not over:
                for name, number, data in stream(page, "r", last):
                    over = name == "over"
                    if name == "now":
                        said.append(data)
                    if name != "log":
                        continue
                    self.assertEqual(number, data["to"])
                    parts.append(data)
                    last = number
                    if breaks < 20:
                        breaks += 1
                        break
            run.wait(60)
            about = self.get(page, "/api/runs/r")
            rollouts = items_of(page, "/api/runs/r/rollouts")
            rest = self.get(page, f"/api/runs/r/live?after={last}")
        self.assertEqual(breaks, 20)
        for before, after in zip([{"to": 0}] + parts, parts):
            self.assertEqual(after["from"], before["to"] + 1)
        self.assertEqual(rest["log"]["to"], about["events"])
        parts.append(rest["log"])
        self.assertEqual(sum(p["rollouts"] for p in parts), len(rollouts))
        self.assertAlmostEqual(sum(p["rewards"] for p in parts),
                               sum(r["reward"] for r in rollouts), 3)
        points = [p for part in parts for p in part["points"]]
        for point in points:
            self.assertLessEqual(point.pop("rollouts"), len(rollouts))
        self.assertEqual(points, about["progress"])
        self.assertTrue(any(search["missing"] for now in said
                            for search in now["searches"]), said[-1:])
        self.assertFalse((self.at / "runs/r/live.json").exists())

    def test_a_rollout_says_what_it_was_for(self):
        self.ok("run", "toy.toml", "--id", "r", "--quiet")
        with page_of(self.program, self.at / "runs") as page:
            seen = set()
            for rollout in items_of(page, "/api/runs/r/rollouts"):
                one = self.get(page, "/api/runs/r/rollouts/" + rollout["id"])
                self.assertTrue(one["for"], one)
                self.assertTrue(one["for_recorded"])
                for purpose in one["for"]:
                    seen.add(purpose["what"])
                    if purpose["what"] == "arm":
                        self.assertIn(purpose["name"], one["arms"])
                    elif purpose["what"] != "first":
                        tree = items_of(page, "/api/runs/r/trees/"
                                        f"{purpose['name']}/{purpose['concept']}")
                        version = tree[purpose["version"]]
                        self.assertEqual(version["document"],
                                         purpose["document"])
                        self.assertLessEqual(version["iteration"],
                                             purpose["iteration"])
            self.assertEqual(seen, {"first", "learn", "score",
                                    "confirm", "arm"})

    def coordinator(self, *words, port):
        return self.background(
            f"{self.program} coordinator --listen ipc://{self.at}/socket "
            f"--metrics-listen {words[0]}:{port} {' '.join(words[1:])}",
            "listening on")

    def test_a_coordinator_serves_its_runs_and_says_why_they_wait(self):
        port = free_port()
        self.coordinator("127.0.0.1", port=port)
        where = f"ipc://{self.at}/socket"
        self.ok("submit", "toy.toml", "--connect", where, "--id", "r")
        here = f"http://127.0.0.1:{port}"
        wait_until("it says what it waits for", lambda: "no worker is connected"
                   in self.get(here, "/api/runs")["items"][0].get("waits", ""))
        self.assertEqual(ask(here, "/healthz")[0], 200)
        self.assertIn(b"brewery_", ask(here, "/metrics")[2])
        self.assertEqual(ask(here, "/api/runs", Host="evil.example")[0], 421)
        self.assertEqual(ask(here, "/api/runs", Origin="http://evil")[0], 403)
        self.assertEqual(ask(here, "/healthz", Host="probe")[0], 200)
        with page_of(self.program, "--connect", where) as page:
            for path in ("/api/runs/r/trees", "/api/runs/none",
                         "/api/runs/r/rollouts?limit=0"):
                self.assertEqual(ask(page, path)[::2], ask(here, path)[::2])
            name, _, first = next(stream(page, "r"))
            self.assertEqual((name, first["from"]), ("log", 1))
            self.background(f"{self.program} worker --env toy --connect {where}", "")
            wait_until("it is over", lambda: self.get(
                page, "/api/runs/r")["state"] == "finished")
            self.assertEqual(ask(page, "/api/runs/r")[2],
                             ask(here, "/api/runs/r")[2])
        failed = self.brewery("ui", "--connect", where, "r")
        self.assertEqual(failed.returncode, 2, failed.stderr)

    def test_a_run_of_a_sweep_is_followed_by_way_of_its_coordinator(self):
        (self.at / "sweep.toml").write_text(
            'base = "toy.toml"\nseeds = [1]\n[grid]\n'
            "search.max_width = [2, 3]\n")
        self.ok("sweep", "sweep.toml", "--out", "runs/sw", "--quiet")
        port = free_port()
        self.coordinator("127.0.0.1", port=port)
        with page_of(self.program, "--connect",
                     f"ipc://{self.at}/socket") as page:
            run = "sw%2Fmax_width-2-s1"
            events = self.get(page, "/api/runs/" + run)["events"]
            told = list(stream(page, run))
            rest = self.get(page, f"/api/runs/{run}/live?after={events - 1}")
        self.assertEqual(told[-1][0], "over")
        self.assertEqual(max(number for _, number, _ in told), events)
        self.assertEqual(rest["log"]["from"], events)

    def test_a_coordinator_serves_pages_on_the_other_loopback_too(self):
        if not has_ipv6():
            self.skipTest("this machine has no ::1")
        port = free_port()
        self.coordinator("[::1]", port=port)
        here = f"http://[::1]:{port}"
        self.assertEqual(self.get(here, "/api/runs")["total"], 0)
        self.assertEqual(ask(here, "/healthz")[0], 200)

    def test_others_reach_the_pages_with_a_token_only(self):
        for words, status in (((), 404),
                              (("--ui-token-file", self.at / "token"), 401)):
            with self.subTest(status=status):
                token = self.at / "token"
                token.write_text("a-token-of-some-length\n")
                token.chmod(0o600)
                port = free_port()
                process = self.coordinator("0.0.0.0", *map(str, words),
                                           port=port)
                here = f"http://127.0.0.1:{port}"
                self.assertEqual(ask(here, "/api/runs")[0], status)
                self.assertEqual(ask(here, "/healthz")[0], 200)
                if words:
                    self.assertEqual(ask(
                        here, "/api/runs", Authorization="Bearer "
                        "a-token-of-some-length")[0], 200)
                process.terminate()
                process.wait(30)


if __name__ == "__main__":
    program.main()
