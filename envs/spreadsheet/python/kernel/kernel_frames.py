"""Frames: how the host and a kernel talk. Four bytes of length, most
significant first, and as much JSON: an object."""

import json
import os

LENGTH_BYTES = 4


class BadFrame(ValueError):
    """The other side does not speak frames; says how."""


def encode(value):
    body = json.dumps(value).encode("ascii")
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class Decoder:
    """Bytes in, objects out. Nothing larger than `most_bytes` is waited for."""

    def __init__(self, most_bytes):
        self._most = most_bytes
        self._held = bytearray()

    def feed(self, data):
        """The objects that are complete now. Raises BadFrame."""
        self._held += data
        found = []
        while len(self._held) >= LENGTH_BYTES:
            length = int.from_bytes(self._held[:LENGTH_BYTES], "big")
            if length > self._most:
                raise BadFrame(f"a frame of {length} bytes")
            end = LENGTH_BYTES + length
            if len(self._held) < end:
                break
            found.append(self._parse(bytes(self._held[LENGTH_BYTES:end])))
            del self._held[:end]
        return found

    @staticmethod
    def _parse(body):
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            raise BadFrame("a frame that is no JSON") from None
        if not isinstance(value, dict):
            raise BadFrame("a frame that is no object")
        return value


def read_frame(channel, most_bytes):
    """The next object from a blocking descriptor; None at its end."""
    def exactly(count):
        held = bytearray()
        while len(held) < count:
            piece = os.read(channel, min(count - len(held), 1 << 16))
            if not piece:
                return None
            held += piece
        return bytes(held)

    head = exactly(LENGTH_BYTES)
    if head is None:
        return None
    length = int.from_bytes(head, "big")
    if length > most_bytes:
        raise BadFrame(f"a frame of {length} bytes")
    body = exactly(length)
    return None if body is None else Decoder._parse(body)


def write_frame(channel, value):
    data = encode(value)
    while data:
        data = data[os.write(channel, data):]
