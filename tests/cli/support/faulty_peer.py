"""A model server between the program and model_script.py that does something
wrong, before, during or after the bytes of an answer. Each connection has a
thread; requests are counted in the order in which they arrive.

  with FaultyPeer(script) as peer:
      peer.fault, peer.hits = FAULTS["hang"]["during"], lambda n: n >= 10
"""

import json
import random
import socket
import struct
import threading

PAUSE_S = 0.03  # between the pieces of a slow reply
PIECES = 8


def refusal(status, message):
    body = json.dumps({"error": {"message": message, "code": status}}).encode()
    head = (f"HTTP/1.1 {status} No\r\nContent-Type: application/json\r\n"
            f"Retry-After: 0\r\nContent-Length: {len(body)}\r\n\r\n")
    return head.encode() + body


def noise():
    return random.Random(1).randbytes(200)


def in_half(raw):
    """The head with the first half of the body, of a stream whole events."""
    at = raw.index(b"\r\n\r\n") + 4
    half = at + (len(raw) - at) // 2
    if is_stream(raw):
        return raw[:max(at, raw.rfind(b"\n\n\r\n", at, half) + 4)]
    return raw[:half]


def is_stream(raw):
    return b"text/event-stream" in raw[:raw.index(b"\r\n\r\n")]


class FaultyPeer:
    """Owns a listening socket on loopback. `fault(self, conn, forward)` answers
    one request; `forward()` asks the script and gives the raw reply; it returns
    whether the connection goes on."""

    def __init__(self, script):
        self.script = script
        self.fault = None
        self.hits = lambda number: False
        self.lock = threading.Lock()
        self.arrived = 0
        self.done = 0  # faults
        self.closed = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.closed.set()
        self.listener.close()

    def mend(self):
        self.hits = lambda number: False

    def accept(self):
        while not self.closed.is_set():
            try:
                conn, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(conn,),
                             daemon=True).start()

    def serve(self, conn):
        with conn:
            try:
                while (request := read_request(conn)) is not None:
                    if not self.answer(conn, request):
                        return
            except OSError:
                pass  # the program has gone

    def answer(self, conn, request):
        with self.lock:
            self.arrived += 1
            hit = self.hits(self.arrived)
            self.done += hit
        forward = lambda: self.forward(request)
        if hit:
            return self.fault(self, conn, forward)
        conn.sendall(forward())
        return True

    def forward(self, request):
        host, port = self.script.server.server_address[:2]
        with socket.create_connection((host, port)) as up:
            up.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            pieces = []
            while piece := up.recv(65536):
                pieces.append(piece)
        return b"".join(pieces)

    def silence(self, conn):
        """Until the other side gives up."""
        while not self.closed.is_set() and conn.recv(65536):
            pass
        return False


def read_request(conn):
    """Head and body, or nothing at the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = conn.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n")
                  if line.lower().startswith(b"content-length:"))
    while len(body) < length:
        body += conn.recv(65536)
    return head + b"\r\n\r\n" + body


def drip(peer, conn, data):
    size = len(data) // PIECES + 1
    for at in range(0, len(data), size):
        conn.sendall(data[at:at + size])
        peer.closed.wait(PAUSE_S)


def reset(conn):
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                    struct.pack("ii", 1, 0))
    return False


def instead(data, goes_on):
    def fault(peer, conn, forward):
        conn.sendall(data)
        return goes_on
    return fault


def amid(then, data=b"", event=b""):
    """Half of the answer, then `data`; in a stream, `event` as its next."""
    def fault(peer, conn, forward):
        raw = forward()
        end = data
        if event and is_stream(raw):
            end = b"%x\r\n%s\r\n" % (len(event), event)
        conn.sendall(in_half(raw) + end)
        return then(peer, conn)
    return fault


def behind(then, data=b""):
    """In one piece: what follows the answer is there when it is read."""
    def fault(peer, conn, forward):
        conn.sendall(forward() + data)
        return then(peer, conn)
    return fault


def closing(peer, conn):
    return False


def error_event(status, message):
    return ("data: " + json.dumps({"error": {
        "message": message, "code": status}}) + "\n\n").encode()


def refusing(status, message):
    return {"before": instead(refusal(status, message), True),
            "during": amid(closing, event=error_event(status, message)),
            "after": behind(closing, refusal(status, message))}


def dripped(peer, conn, forward):
    drip(peer, conn, forward())
    return True


def dripped_body(peer, conn, forward):
    raw = forward()
    at = raw.index(b"\r\n\r\n") + 4
    conn.sendall(raw[:at])
    drip(peer, conn, raw[at:])
    return True


FAULTS = {
    "429": refusing(429, "slow down"),
    "500": refusing(500, "the engine died"),
    "503": refusing(503, "no machine is free"),
    "wrong model": refusing(404, "The model `small` does not exist"),
    "cut body": {
        "before": instead(b"", False),
        "during": amid(closing),
        "after": behind(lambda peer, conn: reset(conn))},
    "hang": {
        "before": lambda peer, conn, forward: peer.silence(conn),
        "during": amid(FaultyPeer.silence),
        "after": behind(FaultyPeer.silence)},
    "slow drip": {
        "before": dripped,
        "during": dripped_body,
        "after": behind(lambda peer, conn: drip(peer, conn, b"\r\n" * 8))},
    "garbage": {
        "before": instead(noise(), False),
        "during": amid(closing, noise()),
        "after": behind(closing, noise())},
}


# -- what a model writes: of a completion that is called for ------------------


def message_of(reply):
    return reply["choices"][0]["message"]


def schema_ignored(text_of):
    """Words where JSON of a schema was asked for."""
    def twist(asked, reply):
        if "response_format" not in asked:
            return False
        message = message_of(reply)
        message["content"] = text_of(message["content"])
        return True
    return twist


def arguments_broken(text_of):
    def twist(asked, reply):
        calls = message_of(reply).get("tool_calls", [])
        for call in calls:
            call["function"]["arguments"] = text_of(
                call["function"]["arguments"])
        return bool(calls)
    return twist


def choices_set(make):
    def twist(asked, reply):
        reply["choices"] = make(reply["choices"])
        return True
    return twist


TWISTS = {
    "schema ignored": {
        "before": schema_ignored(lambda text: "Gladly! It went very well."),
        "during": schema_ignored(
            lambda text: text[:len(text) // 2] + " and so on."),
        "after": schema_ignored(lambda text: text + "\nI hope this helps!")},
    "empty choices": {
        "before": choices_set(lambda choices: []),
        "during": choices_set(lambda choices: [{"index": 0, "message": {}}]),
        "after": choices_set(lambda choices: [
            *choices, {"index": 1, "message": {}}])},
    "broken call": {
        "before": arguments_broken(lambda text: "not JSON"),
        "during": arguments_broken(lambda text: '{"height": "le'),
        "after": arguments_broken(lambda text: text + "}}")},
}


class Twister:
    """A model_script.py's `change`: the `hits` among the calls that it fits."""

    def __init__(self, twist, hits):
        self.twist = twist
        self.hits = hits
        self.lock = threading.Lock()
        self.fitting = 0
        self.done = 0

    def __call__(self, asked, reply):
        twisted = json.loads(json.dumps(reply))
        if not self.twist(asked, twisted):
            return reply
        with self.lock:
            self.fitting += 1
            hit = self.hits(self.fitting)
            self.done += hit
        return twisted if hit else reply
