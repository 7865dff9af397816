"""Reads a run's event log without a line of the program's own code: SQLite rows,
zstd frames by the system's library, msgpack by the 40 lines below."""

import ctypes
import ctypes.util
import functools
import sqlite3
import struct

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


@functools.cache  # finding it starts a program
def library():
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    return zstd


def unzipped(payload):
    if not payload.startswith(ZSTD_MAGIC):
        return payload
    zstd = library()
    size = zstd.ZSTD_getFrameContentSize(payload, ctypes.c_size_t(len(payload)))
    out = ctypes.create_string_buffer(size)
    got = zstd.ZSTD_decompress(out, ctypes.c_size_t(size), payload,
                               ctypes.c_size_t(len(payload)))
    if got != size:
        raise ValueError("a frame that zstd cannot read")
    return out.raw


def unpacked(data):
    value, at = value_at(data, 0)
    if at != len(data):
        raise ValueError("bytes behind the value")
    return value


def value_at(data, at):
    tag = data[at]
    at += 1
    if tag < 0x80:
        return tag, at
    if tag >= 0xe0:
        return tag - 256, at
    if tag < 0x90:
        return pairs_at(data, at, tag & 15)
    if tag < 0xa0:
        return items_at(data, at, tag & 15)
    if tag < 0xc0:
        return text_at(data, at, tag & 31)
    if tag in (0xc0, 0xc2, 0xc3):
        return {0xc0: None, 0xc2: False, 0xc3: True}[tag], at
    numbers = {0xca: ">f", 0xcb: ">d", 0xcc: ">B", 0xcd: ">H", 0xce: ">I",
               0xcf: ">Q", 0xd0: ">b", 0xd1: ">h", 0xd2: ">i", 0xd3: ">q"}
    if tag in numbers:
        size = struct.calcsize(numbers[tag])
        return struct.unpack(numbers[tag], data[at:at + size])[0], at + size
    sizes = {0xc4: (1, bytes_at), 0xc5: (2, bytes_at), 0xc6: (4, bytes_at),
             0xd9: (1, text_at), 0xda: (2, text_at), 0xdb: (4, text_at),
             0xdc: (2, items_at), 0xdd: (4, items_at), 0xde: (2, pairs_at),
             0xdf: (4, pairs_at)}
    if tag not in sizes:
        raise ValueError(f"msgpack tag {tag:#x}")
    width, read = sizes[tag]
    size = int.from_bytes(data[at:at + width], "big")
    return read(data, at + width, size)


def bytes_at(data, at, size):
    return data[at:at + size], at + size


def text_at(data, at, size):
    return data[at:at + size].decode(errors="replace"), at + size


def items_at(data, at, size):
    out = []
    for _ in range(size):
        value, at = value_at(data, at)
        out.append(value)
    return out, at


def pairs_at(data, at, size):
    out = {}
    for _ in range(size):
        key, at = value_at(data, at)
        out[key], at = value_at(data, at)
    return out, at


def rows(run):
    """(number, kind, key, payload) of each event, in order."""
    with sqlite3.connect(f"file:{run / 'events.db'}?mode=ro", uri=True) as log:
        return log.execute("SELECT seq, kind, key, payload FROM events "
                           "ORDER BY seq").fetchall()


def events(run, kind):
    """(number, key, content) of each event of a kind, in order."""
    return [(seq, key, unpacked(unzipped(payload)))
            for seq, of, key, payload in rows(run) if of == kind]
