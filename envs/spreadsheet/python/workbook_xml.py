"""Tags of XML that a stranger wrote, in time that grows with its size only.

No parser: what is found here decides what a parser may be given. A tag ends at
the next one at the latest (`<` may stand nowhere else, not even in quotes), so
that no byte is looked at from two tags.
"""

from __future__ import annotations

import html
import re
from typing import Iterator, NamedTuple, Optional

_TAG_STOP = re.compile(rb"[>\"']")
_ATTRIBUTE = re.compile(rb"\s([^\s=\"'/>]{1,80})\s*=\s*"
                        rb"(?:\"([^\"]*)\"|'([^']*)')")


_ROOT = re.compile(rb"<(?:[^<>\s/:]*:)?([^<>\s/:]+)")
# What may stand before it, and how that ends.
_BEFORE_ROOT = {b"<?": b"?>", b"<!--": b"-->"}


class Tag(NamedTuple):
    inside: bytes  # from the name to the closing bracket
    text: bytes  # from there to the next tag
    # That is none that ends the element, and more of its text may follow.
    in_pieces: bool = False

    def attribute(self, name: bytes) -> Optional[str]:
        for key, double, single in _ATTRIBUTE.findall(self.inside):
            if key == name:
                return plain(double or single)
        return None


def tags(xml: bytes, name: bytes) -> Iterator[Tag]:
    """Each tag of that name, with any prefix, that begins an element."""
    pattern = re.compile(rb"<(?:[^<>\s/:]*:)?" + name + rb"(?=[\s/>])([^<]*)")
    for found in pattern.finditer(xml):
        piece = found.group(1)
        end = _end(piece)
        if end >= 0:
            inside = piece[:end]
            yield Tag(inside, piece[end + 1:], not inside.endswith(b"/")
                      and not xml.startswith(b"</", found.end()))


def root(xml: bytes) -> bytes:
    """The name of the outermost element, without its prefix; b"": there is
    none."""
    at = xml.find(b"<")
    while at >= 0:
        opening = next((start for start in _BEFORE_ROOT
                        if xml.startswith(start, at)), None)
        if opening is None:
            found = _ROOT.match(xml, at)
            return found.group(1) if found else b""
        # After its start: `<!-->` is a comment that goes on.
        end = xml.find(_BEFORE_ROOT[opening], at + len(opening))
        at = xml.find(b"<", end) if end >= 0 else -1
    return b""


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
