#!/usr/bin/env python3
"""Hostile bytes at a coordinator's live port.

  hostile_test.py PATH_OF_BREWERY [unittest arguments]

Whatever arrives, a good worker is served, the run ends with the documents of an
undisturbed one, and the coordinator's memory stays what a cluster needs.
"""

import os
import random
import socket
import struct
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import Case
from support.cluster import SLOW_TOY, json_lines
from support.program import wait_until
from zmtp import GREETING, Peer, pack, zmtp

HELLO, RESULT, BLOB_REQUEST, WELCOME, REFUSAL, GRANT = 0, 2, 3, 5, 6, 7
OPERATOR_REQUEST, OPERATOR_REPLY = 13, 14
FRAME_MAX = 64 << 20

# Of the coordinator, at most: a few frames of the largest size and the run.
MEMORY_MAX_KB = 150_000


def hello(**changes):
    out = {"sequence": 1, "protocol_min": 1, "protocol_max": 2, "build": "x",
           "worker": "eve", "incarnation": os.urandom(4).hex(), "slots": 1,
           "roles": ["integrate"], "benchmarks": [], "held": [], "host": "h"}
    out.update(changes)
    return {name: value for name, value in out.items() if value is not None}


class Hostile(Case):
    def start(self, latency=2, **options):
        self.c = self.cluster(workers=1, **options)
        wait_until("it joins", lambda: self.c.status()["workers"] == 1)
        self.c.submit(SLOW_TOY.format(latency=latency), "a")
        return self.c

    def finish(self):
        self.c.wait_for("a")
        self.check(self.c, "a")
        self.assertTrue(self.c.coordinator.alive())
        self.assertLess(self.peak(), MEMORY_MAX_KB)

    def peak(self):
        """The most memory the coordinator ever had, in kB."""
        pid = self.c.coordinator.process.pid
        text = Path(f"/proc/{pid}/status").read_text()
        return int(text.split("VmHWM:")[1].split()[0])

    def peer(self, name="eve"):
        made = Peer(self.c.address, name)
        self.addCleanup(made.close)
        return made

    def pour(self, *parts):
        """Bytes on a connection of their own; being hung up on is fine."""
        host, port = self.c.address.removeprefix("tcp://").rsplit(":", 1)
        with socket.create_connection((host, int(port)), 5) as stream:
            try:
                for part in parts:
                    stream.sendall(part)
            except OSError:
                pass

    # -- versions and fields --

    def test_a_range_of_protocols_with_none_in_common_is_told_both(self):
        self.start()
        for low, high in ((8, 9), (0, 0), (2**32 - 1, 2**32 - 1)):
            peer = self.peer()
            peer.say(HELLO, hello(protocol_min=low, protocol_max=high))
            kind, said = peer.hear()
            self.assertEqual(kind, REFUSAL)
            self.assertIn(f"protocol {low} to {high}".encode(), said["reason"])
            self.assertIn(b"this coordinator 1 to 7", said["reason"])
            self.assertFalse(said["hello_again"])
        peer = self.peer()
        peer.say(HELLO, hello(protocol_min=2, protocol_max=1))
        self.assertEqual(peer.hear()[0], REFUSAL)
        self.finish()

    def test_of_many_protocols_the_newest_common_one_is_spoken(self):
        self.start()
        for low, high, spoken in ((1, 9, 7), (5, 5, 5), (0, 1, 1), (2, 2, 2), (1, 1, 1)):
            peer = self.peer(f"eve{low}{high}")
            peer.say(HELLO, hello(protocol_min=low, protocol_max=high))
            kind, said = peer.hear()
            self.assertEqual((kind, said.get("protocol")), (WELCOME, spoken))
            peer.close()
        self.finish()

    def test_fields_of_a_later_protocol_are_ignored(self):
        self.start()
        peer = self.peer()
        peer.say(HELLO, hello(mood="bad", deep={"a": [{"b": 1}]}))
        self.assertEqual(peer.hear()[0], WELCOME)
        peer.close()
        self.finish()

    def test_a_hello_without_a_field_is_refused_with_its_name(self):
        self.start()
        for name in ("slots", "protocol_min", "held", "incarnation"):
            peer = self.peer()
            peer.say(HELLO, hello(**{name: None}))
            kind, said = peer.hear()
            self.assertEqual(kind, REFUSAL)
            self.assertIn(f"'{name}'".encode(), said["reason"])
            self.assertFalse(said["hello_again"])
        peer = self.peer("eve-host")
        peer.say(HELLO, hello(host=None))  # not in protocol 1
        self.assertEqual(peer.hear()[0], WELCOME)
        peer.close()
        self.finish()

    def test_an_impossible_offer_is_refused(self):
        self.start()
        for changes in ({"slots": 0}, {"slots": 2**31}, {"incarnation": ""},
                        {"roles": []}):
            peer = self.peer()
            peer.say(HELLO, hello(**changes))
            self.assertEqual(peer.hear()[0], REFUSAL, changes)
        self.finish()

    def test_names_from_outside_cannot_forge_lines_of_the_log(self):
        self.start(lease_ms=None)  # it must not expire before it leaves
        forged = "x\n[2026-01-01] [info] all is well\x1b[2J"
        peer = self.peer()
        peer.say(HELLO, hello(worker=forged, host=forged))
        _, said = peer.hear()
        peer.say(4, {"session": said["session"], "handed_back": [],
                     "reason": forged})
        wait_until("it has left", lambda: " left: " in
                   self.c.coordinator.said())
        text = self.c.coordinator.said()
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\n[2026-01-01] [info] all is well", text)
        self.finish()

    # -- bytes --

    def test_bytes_that_are_no_zeromq_do_no_harm(self):
        self.start()
        draw = random.Random(1)
        for i in range(60):
            self.pour(draw.randbytes(draw.randrange(1, 3000)))
            self.pour(GREETING[:draw.randrange(64)])
            self.pour(GREETING, draw.randbytes(500))
        self.finish()

    def test_connections_that_say_nothing_take_no_worker_away(self):
        few = ("sh", "-c", 'ulimit -n 80; exec "$@"', "sh")
        self.start(where=lambda role: few if role == "coordinator" else ())
        host, port = self.c.address.removeprefix("tcp://").rsplit(":", 1)
        idle = [socket.socket() for _ in range(300)]
        for stream in idle:
            stream.setblocking(False)
            stream.connect_ex((host, int(port)))  # refused at times
        wait_until("there is no descriptor left", lambda: (
            "no descriptors left" in self.c.coordinator.said()))
        before = self.c.results("a")[0]
        # On a machine so busy that its session ends meanwhile, it comes back
        # when the coordinator has given up on those that say nothing.
        wait_until("the worker's results count all the same", lambda: (
            self.c.results("a")[0] > before + 20))
        for stream in idle:
            stream.close()
        self.finish()

    def test_a_claim_of_a_gigabyte_takes_no_memory(self):
        self.start()
        peers = []
        for claim in (1 << 30, (1 << 63) - 1, (1 << 64) - 1, FRAME_MAX):
            for i in range(20):
                peer = self.peer(f"eve{claim}-{i}")
                peer.stream.sendall(b"\x02" + struct.pack(">Q", claim)
                                    + b"BW\x01\x00")
                peers.append(peer)  # the rest of it never comes
        self.finish()

    def test_lengths_inside_a_message_take_no_memory(self):
        self.start()
        claims = [bytes([head]) + b"\xff\xff\xff\xff" for head in
                  (0xdb, 0xdd, 0xdf, 0xc6, 0xc9)]
        for kind in range(19):
            peer = self.peer(f"eve{kind}")
            for claim in claims:
                peer.send(b"BW\x01" + bytes([kind]) + claim)
                peer.send(b"BW\x01" + bytes([kind]) + b"\x81\xa4held" + claim)
                peer.send(b"BW\x01" + bytes([kind]) + b"\x81" + claim)
        self.finish()

    def test_nesting_and_wide_lists_take_no_memory(self):
        self.start()
        peer = self.peer()
        for body in (b"\x91" * 1_000_000, b"\x81\xa1x" * 1_000_000,
                     b"\xdd\x00\x0f\xff\xff" + b"\x90" * 1_048_575,
                     b"\x81\xa4held\xdd\x00\x0f\xff\xff" + b"\x80" * 1_048_575):
            for _ in range(5):
                peer.send(b"BW\x01\x00" + body)
        self.finish()

    def test_a_frame_above_the_limit_is_hung_up_on(self):
        self.start()
        for _ in range(5):
            peer = self.peer()
            try:
                peer.send(bytes(FRAME_MAX + 1))
            except OSError:
                pass
            self.assertTrue(peer.hears_nothing())
        self.finish()

    def test_frames_of_other_formats_and_kinds_are_not_answered(self):
        self.start()
        peer = self.peer()
        body = pack(hello())
        for frame in (b"", b"B", b"BW\x01", b"BW\x02\x00" + body,
                      b"BW\x00\x00" + body, b"XW\x01\x00" + body,
                      b"BW\x01\x13" + body, b"BW\x01\xff" + body):
            peer.send(frame)
        # Several parts are one message too many.
        peer.stream.sendall(zmtp(b"BW\x01\x00" + body, 1) + zmtp(b"x"))
        self.assertTrue(peer.hears_nothing())
        self.finish()

    def test_messages_for_workers_are_of_no_use_to_a_coordinator(self):
        self.start()
        peer = self.peer()
        peer.say(HELLO, hello())
        session = peer.hear()[1]["session"]
        key = {"search": "a", "job": "j", "attempt": 1, "epoch": 1}
        for kind, fields in (
                (WELCOME, {"hello": 1, "protocol": 2, "session": session,
                           "epoch": 1, "lease_ms": 1, "heartbeat_ms": 1,
                           "adopted": [key]}),
                (GRANT, {"session": session, "key": key, "setup": "",
                         "work": "", "time_limit_ms": 1}),
                (11, {"session": session, "reason": "go"})):
            peer.say(kind, fields)
        # Another's session, and one that nobody has.
        for other in (session ^ 1, 0, 2**64 - 1):
            peer.say(RESULT, {"session": other, "key": key, "result": "",
                              "error": ""})
        for _ in range(3):
            kind, said = peer.hear()
            while kind == GRANT:
                kind, said = peer.hear()
            self.assertEqual(kind, REFUSAL)
            self.assertTrue(said["hello_again"])
        peer.close()
        self.finish()

    # -- a worker that lies --

    def test_answers_that_do_not_fit_their_job_count_as_failures(self):
        c = self.start(lease_ms=None)  # it must not expire while it lies
        offers = json_lines(c.order("workers", "--json").stdout)[0]
        good = {"id": "", "error": "", "rollout": [], "integrate": [],
                "embed": []}
        lies = [{}, {"error": "quarantined: by me"},
                {"embed": [{"id": "", "vectors": []}]},
                {"integrate": [{"id": "", "body": "x", "evidence": []}]}]
        peer = self.peer()
        peer.say(HELLO, hello(roles=["rollout", "integrate", "embed"],
                              slots=4, benchmarks=[
                                  {"name": "toy", "fingerprint": print_}
                                  for print_ in offers["benchmarks"]]))
        session = peer.hear()[1]["session"]
        told = 0

        def lie():
            nonlocal told
            try:
                while True:
                    kind, said = peer.hear()
                    if kind != GRANT:
                        continue
                    answer = {**good, "id": said["key"]["job"],
                              **lies[told % len(lies)]}
                    peer.say(RESULT, {"session": session, "key": said["key"],
                                      "result": pack(answer), "error": ""})
                    told += 1
            except (OSError, EOFError):
                pass

        threading.Thread(target=lie, daemon=True).start()
        wait_until("some lies are told", lambda: told >= 4)
        # A second honest worker: what failed on one is tried on another.
        c.start_worker("w1")
        wait_until("its answers are seen through", lambda: any(
            w["name"] == "eve" and w["failed"] > 0 for w in
            json_lines(c.order("workers", "--json").stdout)))
        peer.close()
        self.finish()

    def test_random_bytes_on_the_live_port_do_no_harm(self):
        c = self.cluster()
        c.submit(SLOW_TOY.format(latency=2), "a")
        host, port = "127.0.0.1", int(c.address.rsplit(":", 1)[1])
        # The ZMTP greeting makes the rest look like frames to ZeroMQ.
        greeting = (b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16)
                    + bytes(32))
        sent = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"[:27]
        for i in range(60):
            with socket.socket() as s:
                s.settimeout(2)
                s.connect((host, port))
                try:
                    if i % 3 == 0:
                        s.sendall(os.urandom(2000))
                    elif i % 3 == 1:  # a frame that claims 1 GB
                        s.sendall(greeting + sent + b"\x02"
                                  + (1 << 30).to_bytes(8, "big") + b"BW\x01")
                    else:
                        s.sendall(greeting + sent + b"\x00\x40"
                                  + b"BW\x01\x00" + os.urandom(60))
                except OSError:
                    pass  # hung up on, as it should be
        c.wait_for("a")
        self.check(c, "a")
        self.assertTrue(c.coordinator.alive())


if __name__ == "__main__":
    unittest.main(verbosity=1)
