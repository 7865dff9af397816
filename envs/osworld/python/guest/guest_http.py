"""The transport of the in-guest server: requests with limits, replies, the
token. What is answered is in guest_calls.

Threads: each connection has one. Nothing is shared between them but what
guest_calls guards.
"""

import email.parser
import email.policy
import hmac
import json
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

BODY_BYTES_MAX = 512 << 20
IDLE_S = 600  # a connection without requests


class Refused(Exception):
    """An answer that is not 200: its status, and text or an object."""

    def __init__(self, status, what):
        super().__init__(status)
        self.status, self.what = status, what


class Reply:
    def __init__(self, body, kind, status=200, name=""):
        self.body, self.kind, self.status, self.name = body, kind, status, name


def as_reply(what, status=200):
    """Text, bytes or an object -> what is sent."""
    if isinstance(what, Reply):
        return what
    if isinstance(what, str):
        return Reply(what.encode(), "text/html; charset=utf-8", status)
    return Reply(json.dumps(what).encode() + b"\n", "application/json", status)


class Request:
    def __init__(self, kind, body):
        self._kind, self.body = kind, body

    def object(self):
        try:
            read = json.loads(self.body)
        except ValueError as problem:
            raise Refused(400, f"the body is not JSON: {problem}") from None
        if not isinstance(read, dict):
            raise Refused(400, "the body is not a JSON object")
        return read

    def form(self):
        """Field -> text, or bytes of a file."""
        if self._kind.startswith("multipart/form-data"):
            return self._parts()
        try:
            return dict(parse_qsl(self.body.decode(), keep_blank_values=True))
        except ValueError:
            raise Refused(400, "the form is not UTF-8") from None

    def _parts(self):
        head = f"Content-Type: {self._kind}\r\n\r\n".encode()
        read = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(
            head, headersonly=True)
        boundary = read.get_boundary()
        if not boundary:
            raise Refused(400, "the multipart body has no boundary")
        fields = {}
        mark = b"\r\n--" + boundary.encode()
        for part in (b"\r\n" + self.body).split(mark)[1:-1]:
            header, _, content = part[2:].partition(b"\r\n\r\n")
            told = email.parser.BytesParser(
                policy=email.policy.HTTP).parsebytes(header + b"\r\n\r\n")
            name = told.get_param("name", header="content-disposition")
            if name is None:
                continue
            is_file = told.get_filename() is not None
            fields[str(name)] = content if is_file else content.decode(
                "utf-8", "replace")
        return fields


def make_server(listening, token, calls):
    """`calls`: (method, path) -> function(Request) -> reply."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version, sys_version = "desktop", ""
        timeout = IDLE_S
        disable_nagle_algorithm = True

        def log_message(self, *_):
            pass  # paths may hold what is nobody's business

        def do_GET(self):
            self._answer("GET")

        def do_POST(self):
            self._answer("POST")

        def _answer(self, method):
            try:
                body = self._body()
                self._check_token()
                call = calls.get((method, urlsplit(self.path).path))
                if call is None:
                    raise Refused(404, "Not Found")
                kind = self.headers.get("Content-Type", "")
                reply = as_reply(call(Request(kind, body)))
            except Refused as refused:
                reply = as_reply(refused.what, refused.status)
            except Exception as problem:
                traceback.print_exc()
                reply = as_reply({"status": "error", "message":
                                  f"{type(problem).__name__}: {problem}"}, 500)
            self._send(reply)

        def _body(self):
            try:
                size = int(self.headers.get("Content-Length", 0))
            except ValueError:
                size = -1
            if not 0 <= size <= BODY_BYTES_MAX:
                self.close_connection = True
                raise Refused(413, "the body is larger than "
                                   f"{BODY_BYTES_MAX >> 20} MiB")
            return self.rfile.read(size)

        def _check_token(self):
            given = self.headers.get("Authorization", "")
            if token and not hmac.compare_digest(
                    given.encode("utf-8", "replace"),
                    b"Bearer " + token.encode()):
                self.close_connection = True
                raise Refused(401, "the token is missing or wrong")

        def _send(self, reply):
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.kind)
                self.send_header("Content-Length", str(len(reply.body)))
                if reply.name:
                    self.send_header("Content-Disposition", "attachment")
                self.end_headers()
                self.wfile.write(reply.body)
            except OSError:
                self.close_connection = True  # the caller has left

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            pass  # a connection that broke

    server = Server(listening.getsockname(), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    return server
