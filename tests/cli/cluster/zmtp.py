"""Brewery's frames by hand: ZMTP 3.0 without encryption and msgpack, in plain
Python, so that what a test says to a coordinator depends on nothing of ours."""

import socket
import struct

GREETING = (b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0")
            + bytes(32))


def pack(value):
    """The msgpack of Brewery's codec: shortest integers, text as str."""
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        for limit, head, form in ((1 << 7, b"", ">B"), (1 << 8, b"\xcc", ">B"),
                                  (1 << 16, b"\xcd", ">H"),
                                  (1 << 32, b"\xce", ">I"),
                                  (1 << 64, b"\xcf", ">Q")):
            if 0 <= value < limit:
                return head + struct.pack(form, value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return head_of(len(value), 0xa0, 32, 0xd9) + value
    if isinstance(value, list):
        return head_of(len(value), 0x90, 16, 0xdb) + b"".join(map(pack, value))
    if isinstance(value, dict):
        return head_of(len(value), 0x80, 16, 0xdd) + b"".join(
            pack(part) for item in value.items() for part in item)
    raise TypeError(f"no msgpack for {value!r}")


def head_of(size, short, limit, wide):
    """Lengths: short form, (for text) 8 bits, 16 bits, 32 bits."""
    if size < limit:
        return bytes([short | size])
    if wide == 0xd9 and size < 1 << 8:
        return bytes([wide, size])
    if size < 1 << 16:
        return bytes([wide + 1]) + struct.pack(">H", size)
    return bytes([wide + 2]) + struct.pack(">I", size)


def unpack(data):
    """One value; text stays bytes, as Brewery sends any bytes as text."""
    value, end = unpack_at(data, 0)
    if end != len(data):
        raise ValueError("bytes follow")
    return value


def unpack_at(data, at):
    first = data[at]
    at += 1
    if first < 0x80:
        return first, at
    if first in (0xc2, 0xc3):
        return first == 0xc3, at
    if 0xcc <= first <= 0xcf:
        size = 1 << (first - 0xcc)
        return int.from_bytes(data[at:at + size], "big"), at + size
    if first == 0xcb:
        return struct.unpack(">d", data[at:at + 8])[0], at + 8
    for short, mask, wide, widths in ((0xa0, 0x1f, 0xd9, (1, 2, 4)),
                                      (0x90, 0x0f, 0xdc, (2, 4)),
                                      (0x80, 0x0f, 0xde, (2, 4))):
        if first & ~mask == short:
            size = first & mask
        elif 0 <= first - wide < len(widths):
            width = widths[first - wide]
            size = int.from_bytes(data[at:at + width], "big")
            at += width
        else:
            continue
        if short == 0xa0:
            return data[at:at + size], at + size
        out = []
        for _ in range(size * (2 if short == 0x80 else 1)):
            item, at = unpack_at(data, at)
            out.append(item)
        if short == 0x90:
            return out, at
        return {k.decode(): v for k, v in zip(out[::2], out[1::2])}, at
    raise ValueError(f"byte {first:#x} begins nothing that Brewery writes")


def read_exactly(stream, size):
    out = b""
    while len(out) < size:
        part = stream.recv(min(size - len(out), 1 << 16))
        if not part:
            raise EOFError
        out += part
    return out


def read_zmtp(stream):
    """Flags and body of one ZMTP frame: flag 4 is a command, 1 is more."""
    flags = read_exactly(stream, 1)[0]
    size = int.from_bytes(read_exactly(stream, 8 if flags & 2 else 1), "big")
    return flags, read_exactly(stream, size)


def zmtp(body, flags=0):
    if len(body) > 255:
        return bytes([flags | 2]) + struct.pack(">Q", len(body)) + body
    return bytes([flags & ~2, len(body)]) + body


def ready(name, kind=b"DEALER"):
    fields = b"".join(bytes([len(k)]) + k + struct.pack(">I", len(v)) + v
                      for k, v in ((b"Socket-Type", kind),
                                   (b"Identity", name.encode())))
    return zmtp(b"\x05READY" + fields, 4)


class Peer:
    """A connection to a coordinator that says what it is told to say."""

    def __init__(self, address, name="peer", limit=60):
        host, port = address.removeprefix("tcp://").rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)), limit)
        self.stream.sendall(GREETING)
        read_exactly(self.stream, 64)
        self.stream.sendall(ready(name))
        read_zmtp(self.stream)

    def close(self):
        self.stream.close()

    def send(self, frame):
        self.stream.sendall(zmtp(frame))

    def say(self, kind, fields):
        self.send(b"BW\x01" + bytes([kind]) + pack(fields))

    def hear(self):
        """Kind and fields of the next message."""
        while True:
            flags, body = read_zmtp(self.stream)
            if not flags & 4:
                return body[3], unpack(body[4:])

    def hears_nothing(self, seconds=0.5):
        """Also when it is hung up on."""
        self.stream.settimeout(seconds)
        try:
            self.hear()
        except (TimeoutError, EOFError, ConnectionError):
            return True
        return False
