"""Stands between `brewery` and its model servers, passes everything on and
writes down what was asked, what it cost and whether the answer arrived.

  with CountingProxy({"agent": url, "schema": url, "document": url,
                      "embedding": url}) as proxy:
      proxy.url, proxy.calls, proxy.before_reply = a function of a call
"""

import hashlib
import http.client
import json
import select
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass
class Call:
    kind: str    # agent, schema, document or embedding
    digest: str  # equal for equal requests
    turns: int   # messages of the request
    status: int = 0
    arrived: bool = False  # the whole reply was taken by a client that lives
    prompt: int = 0
    cached: int = 0  # of the prompt
    completion: int = 0
    finish: str = ""
    text: str = ""
    tools: list = field(default_factory=list)  # arguments of the calls
    vectors: int = 0

    def paid(self):
        return self.status == 200

    def read(self, reply):
        """A whole reply, or a piece of a stream."""
        usage = reply.get("usage") or {}
        self.prompt = usage.get("prompt_tokens", self.prompt)
        details = usage.get("prompt_tokens_details") or {}
        self.cached = details.get("cached_tokens", self.cached)
        self.completion = usage.get("completion_tokens", self.completion)
        self.vectors = len(reply.get("data") or [])
        for choice in reply.get("choices") or []:
            said = choice.get("message") or choice.get("delta") or {}
            self.text += said.get("content") or ""
            self.finish = choice.get("finish_reason") or self.finish
            for part in said.get("tool_calls") or []:
                at = part.get("index", len(self.tools))
                while len(self.tools) <= at:
                    self.tools.append("")
                function = part.get("function") or {}
                self.tools[at] += function.get("arguments") or ""


def kind_of(path, asked):
    if path.endswith("/embeddings"):
        return "embedding"
    if asked.get("tools"):
        return "agent"
    return "schema" if "response_format" in asked else "document"


def digest(asked):
    """Equal for equal questions, in whatever way the reply is to come."""
    same = {k: v for k, v in asked.items()
            if k not in ("stream", "stream_options")}
    return hashlib.sha256(json.dumps(same).encode()).hexdigest()


def gone(connection):
    """True if the other side has closed: there is an end to read."""
    readable, _, _ = select.select([connection], [], [], 0)
    if not readable:
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True


class CountingProxy:
    def __init__(self, servers):
        self.calls = []
        self.before_reply = lambda call: None
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked = json.loads(body)
                call = Call(kind_of(self.path, asked),
                            digest(asked),
                            len(asked.get("messages", [])))
                proxy.calls.append(call)
                to = urlsplit(servers[call.kind]).netloc
                server = http.client.HTTPConnection(to)
                server.request("POST", self.path, body,
                               {"Content-Type": "application/json"})
                reply = server.getresponse()
                call.status = reply.status
                stream = "event-stream" in reply.getheader("Content-Type", "")
                proxy.before_reply(call)
                try:
                    (self.pass_stream if stream else self.pass_whole)(
                        call, reply)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                server.close()

            def pass_whole(self, call, reply):
                data = reply.read()
                if reply.status == 200:
                    call.read(json.loads(data))
                self.head(reply, "Content-Length", str(len(data)))
                self.check_client()
                call.arrived = True
                self.wfile.write(data)

            def pass_stream(self, call, reply):
                self.head(reply, "Transfer-Encoding", "chunked")
                for line in reply:
                    self.check_client()
                    piece = line.strip().removeprefix(b"data:").strip()
                    if piece.startswith(b"{"):
                        call.read(json.loads(piece))
                    if piece == b"[DONE]":  # all is said: it may hang up now
                        call.arrived = True
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
                self.wfile.write(b"0\r\n\r\n")

            def head(self, reply, name, value):
                self.send_response(reply.status)
                self.send_header("Content-Type",
                                 reply.getheader("Content-Type", ""))
                self.send_header(name, value)
                self.end_headers()

            def check_client(self):
                if gone(self.connection):
                    raise BrokenPipeError

            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """Clients are killed here: their connections break."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
