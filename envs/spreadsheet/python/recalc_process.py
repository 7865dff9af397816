"""The program: where LibreOffice is, how it is started, kept in and killed.

It works in `home/box`, which is made anew for each and belongs to the user that
it runs as. Everything else in `home` is out of its reach. The ladder of
isolation is that of kernels (sandbox_probe); without a rung only the limits on
memory and file size are left.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import sandbox
import sandbox_launch
import sandbox_probe
import sandbox_start

MODULES = ("recalc_profile", "recalc_desktop", "recalc_end")
READABLE = ("/etc/fonts", "/etc/libreoffice", "/etc/ld.so.cache",
            "/etc/localtime", "/var/lib/libreoffice",
            "/var/spool/libreoffice", "/var/cache/fontconfig")
SUBJECT = sandbox_probe.Subject("--profile", program=True, readable=READABLE)


class NotHere(Exception):
    """There is no LibreOffice that can be started; the text says what to do."""


def find(office: str) -> str:
    """The binary itself. The script around it would be one process more that
    has to be killed."""
    found = shutil.which(office)
    if found is None:
        raise NotHere(f"no program {office!r}: install libreoffice-calc and "
                      "python3-uno, or say --office PATH")
    real = os.path.realpath(found)
    binary = real if real.endswith(".bin") else real + ".bin"
    if not os.access(binary, os.X_OK):
        raise NotHere(f"{binary} is not there or not a program: {office!r} is "
                      "not LibreOffice's soffice")
    return binary


def version(binary: str) -> str:
    parent = os.getpid()
    said = subprocess.run(
        [binary, "--version"], capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: sandbox.die_with_parent(parent)).stdout
    number = re.search(r"\d+(?:\.\d+)+", said)
    if number is None:
        raise NotHere(f"{binary} --version says {said[:100]!r}, no version")
    return number.group()


class Cell(NamedTuple):
    """What it is kept in."""

    rung: str
    user: Optional[int] = None  # of its own; None: that of this process


class Process:
    """The worker and its LibreOffice. Started by the thread that lives longest:
    the kernel kills the worker when that thread ends, and LibreOffice with it.
    """

    def __init__(self, binary: str, version: str, home: str, cell: Cell):
        self._ready = False
        self.box = _new_box(home, cell.user)
        self._cell = cell
        self._log_path = os.path.join(home, "office.log")
        installation = os.path.dirname(os.path.dirname(binary))
        programs = ("/usr", "/lib", "/lib64", installation)
        readable = (*READABLE, installation)
        plan = sandbox_launch.Plan("recalc_worker", MODULES, self.box,
                                   readable, _environment(self.box),
                                   user=cell.user)
        with open(self._log_path, "wb") as log:
            self._launched = sandbox_launch.launch(
                cell.rung, plan,
                {"binary": binary, "box": self.box, "version": version,
                 "programs": programs, "readable": readable,
                 "confined": cell.rung != "none"}, log)

    def wait_until_ready(self, timeout_s: float) -> None:
        """After it, it starts nothing and opens no socket. TimeoutError, or
        ConnectionError once it has ended."""
        deadline = time.monotonic() + timeout_s
        if self._cell.rung != "none":
            self._launched.control.settimeout(timeout_s)
            said, listeners, _, _ = socket.recv_fds(self._launched.control,
                                                    1 << 16, 1)
            if not said or not listeners:
                raise ConnectionError("it has ended")
            try:
                if not sandbox_start.allow_until(
                        listeners[0], self._launched.control,
                        lambda: max(0, 1000 * (deadline - time.monotonic()))):
                    raise TimeoutError()
            finally:
                os.close(listeners[0])
        self.answer(max(0.001, deadline - time.monotonic()))
        self._unbind()
        self._ready = True

    def send(self, request: Dict[str, Any]) -> None:
        self._launched.control.send(json.dumps(request).encode())

    def answer(self, timeout_s: float) -> Dict[str, Any]:
        """TimeoutError, or ConnectionError once it has ended."""
        self._launched.control.settimeout(timeout_s)
        said = self._launched.control.recv(1 << 16)
        if not said:
            raise ConnectionError("it has ended")
        reply = json.loads(said)
        if not isinstance(reply, dict):
            raise ValueError("no reply of the worker")
        return reply

    def last_words(self) -> str:
        try:
            with open(self._log_path, "rb") as log:
                said = log.read(65536).decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return " | ".join(line for line in said if line.strip())[-300:]

    def kill(self) -> None:
        """The whole group, at once. Safe from any thread and repeatedly."""
        if not self._ready:
            self._unbind()
        self._launched.kill()

    def resident_bytes(self) -> int:
        """Of everything it started."""
        return sum(map(_resident, _family(self._launched.process.pid)))

    def _unbind(self) -> None:
        """Removes the sockets that it is bound to outside a /tmp of its own:
        its client is connected, and nobody else shall be."""
        if self._cell.user is not None:
            _remove_sockets_of(self._cell.user)
            return
        inodes = set()
        for pid in _family(self._launched.process.pid):
            inodes |= _open_sockets(pid)
        with open("/proc/net/unix", encoding="utf-8") as table:
            rows = [row.split() for row in table][1:]
        for row in rows:
            if len(row) > 7 and row[6] in inodes and os.path.basename(
                    row[7]).startswith("OSL_PIPE_"):
                try:
                    os.unlink(row[7])
                except FileNotFoundError:
                    pass  # a connection to it has the same name


def clear(home: str) -> str:
    """Removes the box, whatever LibreOffice made of it; where it was. NotHere:
    that is impossible."""
    box = os.path.join(home, "box")
    if os.path.isdir(box):
        # Directories may be closed, and deeper than a stack of Python's.
        for words in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*words, "--", box], stderr=subprocess.DEVNULL)
    if os.path.lexists(box):
        raise NotHere(f"{box} cannot be removed: remove it")
    return box


def _new_box(home: str, user: Optional[int]) -> str:
    box = clear(home)
    os.mkdir(box, 0o700)
    if user is not None:
        os.chown(box, user, user)
    return box


def _environment(box: str) -> Dict[str, str]:
    return {**sandbox_launch.VARIABLES, "HOME": box, "TMPDIR": f"{box}/tmp",
            "SAL_USE_VCLPLUGIN": "svp",
            # What it stores is read at once and thrown away.
            "SAL_DISABLE_FSYNC": "1"}


def _open_sockets(pid: int) -> set:
    found = set()
    try:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            target = os.readlink(entry.path)
            if target.startswith("socket:["):
                found.add(target[len("socket:["):-1])
    except OSError:
        pass  # it has ended meanwhile, or is none of ours
    return found


def _remove_sockets_of(user: int) -> None:
    """Also those that killed processes left, which no table names."""
    for entry in os.scandir("/tmp"):
        try:
            if (entry.name.startswith("OSL_PIPE_")
                    and entry.stat(follow_symlinks=False).st_uid == user):
                os.unlink(entry.path)
        except FileNotFoundError:
            pass  # somebody else's, which has just gone


def _family(pid: int) -> List[int]:
    found = [pid]
    for one in found:
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children") as children:
                    found += map(int, children.read().split())
        except OSError:
            continue  # it has ended meanwhile
    return found


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm") as facts:
            return int(facts.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0
