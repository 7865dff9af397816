"""Recalculated workbooks by what they were made from, in a bounded directory.

Several processes may share one: entries appear by renaming and are never
changed, and one that another process evicted is only a miss.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from typing import Optional

import workbook_guard


# Says who saved the file and when, to the second; no formula can ask for it.
_NOT_CONTENT = "docProps/core.xml"


def key(archive: zipfile.ZipFile, office: str) -> str:
    """Of what the parts hold, not of the file: the same code run again writes
    other times of saving."""
    digest = hashlib.sha256(office.encode() + b"\0")
    for name in sorted(set(archive.namelist()) - {_NOT_CONTENT}):
        content = workbook_guard.read_part(archive, name)
        digest.update(f"{len(name.encode())} {len(content)} {name}".encode())
        digest.update(content)
    return digest.hexdigest()


class Cache:
    def __init__(self, folder: str, max_bytes: int):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self._folder, self._max_bytes = folder, max_bytes
        self._bytes = self._evict()

    def get(self, key: str) -> Optional[bytes]:
        path = os.path.join(self._folder, key)
        try:
            content = workbook_guard.read_file(path).content
            os.utime(path)  # the least recently used one is evicted
            return content
        except (workbook_guard.Refused, OSError):
            return None

    def put(self, key: str, content: bytes) -> None:
        """A full disk loses the entry, not the result."""
        if len(content) > self._max_bytes:
            return
        name = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".",
                                             delete=False) as file:
                name = file.name
                file.write(content)
            os.replace(name, os.path.join(self._folder, key))
        except OSError:
            if name:
                _remove(name)
            return
        self._bytes += len(content)
        if self._bytes > self._max_bytes:
            self._bytes = self._evict()

    def _evict(self) -> int:
        """Down to three quarters when there is too much; the bytes left."""
        entries = []
        for entry in os.scandir(self._folder):
            try:
                facts = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            entries.append((facts.st_mtime_ns, facts.st_size, entry.path))
        total = sum(size for _, size, _ in entries)
        if total <= self._max_bytes:
            return total
        for _, size, path in sorted(entries):
            if total <= self._max_bytes * 3 // 4:
                break
            _remove(path)
            total -= size
        return total


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
