"""Files of a kernel that have no name any more and still take space: those that
it holds open and those that it has only mapped."""

import os
import re
import stat

# Linux allows 65,530 pieces of memory, each with a path of up to 4 KiB. What is
# more than this is not read: all kernels wait while it is, four times a second.
# numpy and pandas need a tenth of it.
MAPS_BYTES_MAX = 1 << 20
_DELETED = b" (deleted)"
_MAPPING = re.compile(rb"([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ (\d+) +(/.*)")


class TooManyPieces(Exception):
    pass


def sizes(process, workspace, unknown_bytes):
    """Of each such file. `unknown_bytes`: counted for one that only a process
    with more rights than this one can measure. Nothing where this one may not
    look at the other's files at all."""
    seen = set()
    # In this order: a file can go from a descriptor to a mapping, not back.
    for about in _open_files(process):
        if stat.S_ISREG(about.st_mode) and about.st_nlink == 0 \
                and about.st_ino not in seen:
            seen.add(about.st_ino)
            yield about.st_blocks * 512
    for place, inode in _mappings(process, workspace):
        if inode in seen:
            continue
        try:
            about = os.stat(place)
        except PermissionError:
            seen.add(inode)
            yield unknown_bytes
        except OSError:
            continue  # it has gone meanwhile
        else:
            seen.add(inode)
            # One that is there can have a name that ends like this.
            if about.st_nlink == 0:
                yield about.st_blocks * 512


def _open_files(process):
    # Each thread, as it may have taken a table of its own.
    for thread in _names(f"/proc/{process}/task"):
        place = f"/proc/{process}/task/{thread}/fd"
        for name in _names(place):
            try:
                yield os.stat(f"{place}/{name}")
            except OSError:
                continue


def _names(place):
    try:
        return os.listdir(place)
    except OSError:
        return []


def _mappings(process, workspace):
    """(name below /proc, inode) of what is deleted in the workspace. A library
    that was replaced while it is in use is not of the episode."""
    inside = os.fsencode(workspace) + b"/"
    for line in _maps(process).split(b"\n"):
        if not line.endswith(_DELETED):
            continue
        found = _MAPPING.match(line)
        if found is not None and found[4].startswith(inside):
            first, last = (int(found[part], 16) for part in (1, 2))
            yield (f"/proc/{process}/map_files/{first:x}-{last:x}",
                   int(found[3]))


def _maps(process):
    try:
        with open(f"/proc/{process}/maps", "rb") as file:
            text = file.read(MAPS_BYTES_MAX + 1)
    except OSError:
        return b""
    if len(text) > MAPS_BYTES_MAX:
        raise TooManyPieces()
    return text
