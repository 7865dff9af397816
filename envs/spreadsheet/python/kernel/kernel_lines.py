"""JSON lines with whoever started the host: requests in, replies out, neither
ever waited for."""

import json
import os

LINE_BYTES_MAX = 16 << 20
PIECE_BYTES = 1 << 16


class BadLine(ValueError):
    """One line: what is wrong with a request. `request`: its id, or None."""

    def __init__(self, text, request=None):
        super().__init__(text)
        self.request = request


class LineReader:
    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._held = bytearray()
        self._skipping = False  # the rest of a line that was too long

    def read(self):
        """(lines, whether the end was reached). A line is bytes, or None for
        one too long."""
        try:
            data = os.read(self._descriptor, PIECE_BYTES)
        except BlockingIOError:
            return [], False
        if not data:
            return [], True
        lines = []
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._hold(piece, lines)
            if not self._skipping:
                lines.append(bytes(self._held))
            self._held.clear()
            self._skipping = False
        self._hold(pieces[-1], lines)
        return lines, False

    def _hold(self, piece, lines):
        if self._skipping:
            return
        self._held += piece
        if len(self._held) > LINE_BYTES_MAX:
            lines.append(None)
            self._held.clear()
            self._skipping = True


class LineWriter:
    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._unsent = bytearray()

    def pending(self):
        return len(self._unsent)

    def add(self, value):
        self._unsent += json.dumps(value).encode("ascii") + b"\n"
        self.send()

    def send(self):
        """As much as is taken without waiting. Raises BrokenPipeError."""
        try:
            while self._unsent:
                sent = os.write(self._descriptor,
                                self._unsent[:PIECE_BYTES])
                del self._unsent[:sent]
        except BlockingIOError:
            pass


def parse(line):
    """A request: an object with a number as its "id" and an "op"."""
    if line is None:
        raise BadLine(f"a request of more than {LINE_BYTES_MAX} bytes")
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine(f"no JSON: {line[:80]!r}") from None
    if not isinstance(asked, dict):
        raise BadLine(f"a request is an object, not {line[:80]!r}")
    request = asked.get("id")
    if type(request) is not int:
        raise BadLine('a request needs a whole number as its "id"')
    return asked


def whole(asked, name, least, most, otherwise=None):
    """A whole number of a request; `otherwise` None: it must be there."""
    value = asked.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or \
            not least <= value <= most:
        raise BadLine(f'"{name}" is {value!r:.80}; it has to be a whole number '
                      f"from {least} to {most}", asked["id"])
    return value


def text(asked, name):
    value = asked.get(name)
    if not isinstance(value, str):
        raise BadLine(f'"{name}" is missing or no text', asked["id"])
    return value
