#!/usr/bin/env python3
"""What an operator's commands make of the answers of a hostile coordinator.

  false_coordinator_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import socket
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.page_server import ask
from support.program import CommandCase, files_below, main, wait_until
from zmtp import GREETING, pack, read_exactly, read_zmtp, ready, unpack, zmtp

OPERATOR_REPLY = 14
RED = "\x1b[31mRED\x9b0m"


class FalseCoordinator:
    """`answer(verb, arguments)` gives the body and the content of a reply; or
    None, and there is none."""

    def __init__(self, answer):
        self.answer = answer
        self.port = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.port.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                peer, _ = self.port.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(peer,),
                             daemon=True).start()

    def serve(self, peer):
        with peer:
            try:
                peer.sendall(GREETING)
                read_exactly(peer, 64)
                peer.sendall(ready("", b"ROUTER"))
                while True:
                    flags, body = read_zmtp(peer)
                    said = None if flags & 4 else self.reply(unpack(body[4:]))
                    if said:
                        peer.sendall(zmtp(said))
            except (EOFError, OSError):
                pass

    def reply(self, asked):
        words = {name: text.decode()
                 for name, text in asked["arguments"].items()}
        answer = self.answer(asked["verb"].decode(), words)
        if answer is None:
            return None
        body, content = answer
        fields = {"number": asked["number"], "error": "",
                  "body": json.dumps(body)}
        if content:
            fields["content"] = content
        return b"BW\x01" + bytes([OPERATOR_REPLY]) + pack(fields)


class Operator(CommandCase):
    def false(self, answer):
        made = FalseCoordinator(answer)
        self.addCleanup(made.port.close)
        return ("--connect", made.address)

    def test_runs_of_a_group_are_fetched_into_its_directory_only(self):
        for name in (str(self.at / "victim"), "../victim", "..", "", ".ssh",
                     "a/../../victim"):
            asked = []

            def answer(verb, words):
                asked.append(verb)
                runs = [{"id": "good", "state": "finished"},
                        {"id": name, "state": "finished"}]
                return {"name": words.get("name"), "runs": runs}, b""
            done = self.brewery("fetch", "--group", "g", "--into", "out",
                                *self.false(answer))
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(f"the coordinator's list of runs: '{name}' cannot be "
                          "the id of a run", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(asked, ["group"])
            self.assertEqual(files_below(self.at), {})

    def test_what_a_coordinator_says_does_not_steer_the_terminal(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        body = {"id": RED, "directory": RED, "state": RED, "group": RED,
                "weight": 1.0, "priority": 0, "cancelled": 1, "workers": 1,
                "changed": [{"option": RED, "from": RED, "to": RED}]}
        where = self.false(lambda verb, words: (body, b""))
        for words in (("submit", "toy.toml"), ("submit", "--resume", "r"),
                      ("set", "r", "--weight", "1"), ("cancel", "r"),
                      ("cancel", "--group", "g"), ("drain", "w")):
            said = self.ok(*words, *where)
            self.assertNotIn("\x1b", said, words)
            self.assertNotIn("\x9b", said, words)
            if words[0] != "drain":
                self.assertIn("?[31mRED?0m", said)

    def test_a_submission_without_an_answer_is_repeated_under_its_name(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n'
                                          '[run]\nname = "wide"\n')
        asked = []

        def answer(verb, words):
            asked.append((verb, words))
            if len(asked) > 1:
                return {"id": words["id"], "directory": "d"}, b""
        said = self.ok("submit", "toy.toml", "--timeout", "60",
                       *self.false(answer))
        self.assertGreaterEqual(len(asked), 2)
        self.assertEqual(asked, [asked[0]] * len(asked))
        words = asked[0][1]
        self.assertRegex(words["id"], r"^\d{8}-\d{6}-wide$")
        self.assertTrue(words["order"])
        self.assertEqual(said, f"run {words['id']} in d\n")

    def test_an_order_without_an_answer_may_have_been_carried_out(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        asked = []
        where = self.false(lambda verb, words: asked.append((verb, words)))

        def error_of(*words):
            for patience in (1, 4, 16, 64):  # until it is connected
                done = self.brewery(*words, "--timeout", patience, *where)
                if "did not answer within" in done.stderr:
                    break
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count("\n"), 1)
            return done.stderr
        hint = "may be carried out all the same: see `brewery status`"
        said = error_of("submit", "toy.toml")
        wait_until("it has got there under that name", lambda: any(
            f"the order submit of {words['id']} {hint}" in said
            for _, words in asked))
        for words, order in ((("cancel", "r"), "cancel of r"),
                             (("cancel", "--group", "g"), "cancel of g"),
                             (("drain", "w"), "drain of w")):
            self.assertIn(f"the order {order} {hint}", error_of(*words))
        for look in ("status", "workers"):
            self.assertNotIn("carried out", error_of(look))

    def test_a_page_that_no_page_of_runs_is_becomes_one_line(self):
        page = {"status": 200, "type": "application/json"}
        where = self.false(lambda verb, words: (page, b"[]"))
        ui = self.start("ui", "--listen", "127.0.0.1:0", *where)
        self.addCleanup(ui.communicate)
        self.addCleanup(ui.kill)
        address = ui.stdout.readline().strip()
        good = "application/json"
        for status, kind in ((70000, good), (2**32 + 200, good), (101, good),
                             (0, good), (600, good), (200, "x" * 70000),
                             (200, "text/html"), (200, "text/javascript"),
                             (200, good + "\r\nSet-Cookie: a=b")):
            page.update(status=status, type=kind)
            answered, headers, said = ask(address, "/api/runs")
            self.assertEqual(answered, 502, (status, kind[:80]))
            self.assertNotIn("Set-Cookie", headers)
            self.assertIn("is it a coordinator of yours?",
                          json.loads(said)["error"])
        page.update(status=404, type=good)
        self.assertEqual(ask(address, "/api/runs")[0], 404)
        self.assertIsNone(ui.poll())


if __name__ == "__main__":
    main()
