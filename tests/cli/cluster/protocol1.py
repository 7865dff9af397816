"""A peer of protocol 1, for tests of a rolling upgrade.

What a worker of that protocol says and understands is written down here, field
by field, and stays as it is for as long as protocol 1 is served: nothing of it
is made from today's structs, so a change of those cannot change this peer. No
build that spoke only protocol 1 was ever released, so there is no old program
to keep; the frames in RECORDED are the bytes that such a worker sends.

`Relay` stands between a real worker and a coordinator and lets through only
what protocol 1 has, in either direction: fields it does not know are gone, a
field it needs and does not get ends the test. What jobs and results hold
passes as it is; it is not the protocol's but the log's (schema_version).
"""

import socket
import threading

from support.log_reader import unpacked, unzipped
from zmtp import pack, read_zmtp, unpack, zmtp

KEY = {"search": bytes, "job": bytes, "attempt": int, "epoch": int}
HELD = {"key": KEY, "finished": bool}
OFFER = {"name": bytes, "fingerprint": bytes}

HELLO, HEARTBEAT, RESULT, BLOB_REQUEST, GOODBYE = range(5)
FROM_WORKER = {
    HELLO: {"sequence": int, "protocol_min": int, "protocol_max": int,
            "build": bytes, "worker": bytes, "incarnation": bytes,
            "slots": int, "roles": [bytes], "benchmarks": [OFFER],
            "held": [HELD]},
    HEARTBEAT: {"session": int, "sequence": int, "held": [HELD],
                "draining": bool},
    RESULT: {"session": int, "key": KEY, "result": bytes, "error": bytes},
    BLOB_REQUEST: {"session": int, "hashes": [bytes]},
    GOODBYE: {"session": int, "handed_back": [KEY], "reason": bytes},
}

WELCOME, REFUSAL, GRANT, BEAT_REPLY, ACK, CANCEL, DRAIN, BLOB = range(5, 13)
FROM_COORDINATOR = {
    WELCOME: {"hello": int, "protocol": int, "session": int, "epoch": int,
              "lease_ms": int, "heartbeat_ms": int, "adopted": [KEY]},
    REFUSAL: {"session": int, "reason": bytes, "hello_again": bool},
    GRANT: {"session": int, "key": KEY, "setup": bytes, "work": bytes},
    BEAT_REPLY: {"session": int, "sequence": int, "cancelled": [KEY]},
    ACK: {"session": int, "key": KEY, "verdict": int},
    CANCEL: {"session": int, "key": KEY},
    DRAIN: {"session": int, "reason": bytes},
    BLOB: {"hash": bytes, "found": bool, "content": bytes},
}

# One of each, as it is on the wire: fields and frame.
LEASE = {"search": "s", "job": "j", "attempt": 3, "epoch": 2}
RECORDED = {
    HELLO: (
        {"sequence": 1, "protocol_min": 1, "protocol_max": 1, "build": "0.1",
         "worker": "w", "incarnation": "i", "slots": 2, "roles": ["rollout"],
         "benchmarks": [{"name": "toy", "fingerprint": "f"}],
         "held": [{"key": LEASE, "finished": True}]},
        "425701008aa873657175656e636501ac70726f746f636f6c5f6d696e01ac70726f746f"
        "636f6c5f6d617801a56275696c64a3302e31a6776f726b6572a177ab696e6361726e61"
        "74696f6ea169a5736c6f747302a5726f6c657391a7726f6c6c6f7574aa62656e63686d"
        "61726b739182a46e616d65a3746f79ab66696e6765727072696e74a166a468656c6491"
        "82a36b657984a6736561726368a173a36a6f62a16aa7617474656d707403a565706f63"
        "6802a866696e6973686564c3"),
    HEARTBEAT: (
        {"session": 300, "sequence": 9, "held": [{"key": LEASE,
                                                  "finished": False}],
         "draining": False},
        "4257010184a773657373696f6ecd012ca873657175656e636509a468656c649182a36b"
        "657984a6736561726368a173a36a6f62a16aa7617474656d707403a565706f636802a8"
        "66696e6973686564c2a8647261696e696e67c2"),
    RESULT: (
        {"session": 300, "key": LEASE, "result": "r", "error": ""},
        "4257010284a773657373696f6ecd012ca36b657984a6736561726368a173a36a6f62a1"
        "6aa7617474656d707403a565706f636802a6726573756c74a172a56572726f72a0"),
    BLOB_REQUEST: (
        {"session": 300, "hashes": ["h"]},
        "4257010382a773657373696f6ecd012ca668617368657391a168"),
    GOODBYE: (
        {"session": 300, "handed_back": [LEASE], "reason": "told to stop"},
        "4257010483a773657373696f6ecd012cab68616e6465645f6261636b9184a673656172"
        "6368a173a36a6f62a16aa7617474656d707403a565706f636802a6726561736f6eac74"
        "6f6c6420746f2073746f70"),
}


def only(shape, value):
    """The value with the fields of protocol 1 and no others."""
    if isinstance(shape, list):
        return [only(shape[0], item) for item in value]
    if isinstance(shape, dict):
        missing = shape.keys() - value.keys()
        if missing:
            raise ValueError(f"protocol 1 needs {sorted(missing)}")
        return {name: only(part, value[name]) for name, part in shape.items()}
    if type(value) is not shape:
        raise ValueError(f"{value!r} is no {shape.__name__}")
    return value


def frame(kind, fields):
    return b"BW\x01" + bytes([kind]) + pack(fields)


class Relay:
    """`roles`: what the worker offers, in place of all that a worker of today
    does."""

    def __init__(self, coordinator, roles=None):
        self.roles = roles
        self.granted = []  # jobs
        host, port = coordinator.removeprefix("tcp://").rsplit(":", 1)
        self.coordinator = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        self.problems = []
        self.passed = set()  # kinds of messages
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()
        for stream in self.open:
            self.hang_up(stream)

    def accept(self):
        while True:
            try:
                worker, _ = self.listener.accept()
            except OSError:
                return
            try:
                coordinator = socket.create_connection(self.coordinator, 5)
            except OSError:  # it is down: the worker tries again
                worker.close()
                continue
            coordinator.settimeout(None)
            self.open += [worker, coordinator]
            for ends in ((worker, coordinator, FROM_WORKER),
                         (coordinator, worker, FROM_COORDINATOR)):
                threading.Thread(target=self.carry, args=ends,
                                 daemon=True).start()

    def hang_up(self, stream):
        try:
            stream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the other thread was first

    def carry(self, source, target, shapes):
        try:
            left = 64  # the greeting: each side waits for parts of the other's
            while left > 0:
                part = source.recv(left)
                if not part:
                    raise EOFError
                left -= len(part)
                target.sendall(part)
            while True:
                flags, body = read_zmtp(source)
                if not flags & 4:  # not a command of ZeroMQ's own
                    body = self.translate(body, shapes)
                target.sendall(zmtp(body, flags & 5))
        except (OSError, EOFError):
            pass
        except (ValueError, KeyError) as problem:
            self.problems.append(repr(problem))
        self.hang_up(source)
        self.hang_up(target)

    def translate(self, body, shapes):
        kind = body[3]
        self.passed.add(kind)
        fields = only(shapes[kind], unpack(body[4:]))
        if kind == HELLO:
            fields["protocol_min"] = fields["protocol_max"] = 1
            fields["roles"] = self.roles or fields["roles"]
        if kind == GRANT:
            self.granted.append(unpacked(unzipped(fields["work"])))
        if kind == WELCOME and fields["protocol"] != 1:
            raise ValueError(f"welcomed with protocol {fields['protocol']}")
        return frame(kind, fields)
