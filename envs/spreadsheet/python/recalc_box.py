"""Files in a directory that belongs to LibreOffice, which may have been taken
over: what has a name there may be a link to anywhere, a FIFO or a directory."""

from __future__ import annotations

import os

import workbook_guard


class Taken(Exception):
    """Something else has the name."""


class Box:
    def __init__(self, path: str):
        self._path = path

    def write(self, name: str, content: bytes) -> None:
        """A new file."""
        try:
            descriptor = os.open(
                os.path.join(self._path, name), os.O_WRONLY | os.O_CREAT
                | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            raise Taken(f"its directory has a {name} already") from None
        with os.fdopen(descriptor, "wb") as file:
            owner = os.stat(self._path)
            if owner.st_uid != os.geteuid():
                os.fchown(descriptor, owner.st_uid, owner.st_gid)
            file.write(content)

    def read(self, name: str, max_bytes: int) -> bytes:
        """Refused: it is no file that was made there."""
        path = os.path.join(self._path, name)
        file = workbook_guard.read_file(path, max_bytes)
        # Read first: the name is not looked up again for anything but this.
        if os.stat(path, follow_symlinks=False).st_nlink != 1 or (
                file.owner != os.stat(self._path).st_uid):
            raise workbook_guard.Refused("has a name elsewhere, or another "
                                         "owner")
        return file.content

    def remove(self, *names: str) -> None:
        """And the files that say they are open."""
        for name in names:
            for one in (name, f".~lock.{name}#"):
                path = os.path.join(self._path, one)
                try:
                    os.unlink(path)
                except FileNotFoundError:
                    pass
                except (IsADirectoryError, PermissionError):
                    pass  # the next write refuses it, and the box is made anew
