"""Tags of XML that a stranger wrote, in time that grows with its size only.

No parser: what is found here decides what a parser may be given. A tag ends at
the next one at the latest (`<` may stand nowhere else, not even in quotes), so
that no byte is looked at from two tags.
"""

from __future__ import annotations

import html
import re
from typing import Callable, Iterator, NamedTuple, Optional

_TAG_STOP = re.compile(rb"[>\"']")
_ATTRIBUTE = re.compile(rb"\s([^\s=\"'/>]{1,80})\s*=\s*"
                        rb"(?:\"([^\"]*)\"|'([^']*)')")
_CHUNK_BYTES = 4 << 20


def no_pause() -> None:
    """For those who have no deadline."""


class Tag(NamedTuple):
    inside: bytes  # from the name to the closing bracket
    text: bytes  # from there to the next tag

    def attribute(self, name: bytes) -> Optional[str]:
        for key, double, single in _ATTRIBUTE.findall(self.inside):
            if key == name:
                return plain(double or single)
        return None


def tags(xml: bytes, name: bytes,
         pause: Callable[[], None] = no_pause) -> Iterator[Tag]:
    """Each tag of that name, with any prefix, that begins an element. `pause`
    is called every few megabytes: it may raise."""
    pattern = re.compile(rb"<(?:[^<>\s/:]*:)?" + name + rb"(?=[\s/>])([^<]*)")
    begin = 0
    while begin < len(xml):
        pause()
        stop = xml.find(b"<", begin + _CHUNK_BYTES)
        stop = len(xml) if stop < 0 else stop
        for found in pattern.finditer(xml, begin, stop):
            piece = found.group(1)
            end = _end(piece)
            if end >= 0:
                yield Tag(piece[:end], piece[end + 1:])
        begin = stop


def plain(xml: bytes) -> str:
    """Text without the escapes of XML."""
    return html.unescape(xml.decode("utf-8", "replace"))


def _end(piece: bytes) -> int:
    """Where the tag is closed, outside of quotes; -1: nowhere."""
    at = piece.find(b">")
    if at < 0 or not (b'"' in piece or b"'" in piece):
        return at
    at = 0
    while stop := _TAG_STOP.search(piece, at):
        if stop.group() == b">":
            return stop.start()
        closing = piece.find(stop.group(), stop.end())
        if closing < 0:
            return -1
        at = closing + 1
    return -1
