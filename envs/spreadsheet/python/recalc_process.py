"""The program: where LibreOffice is, how it is started, kept in and killed.

It runs in a private directory, `home`, that holds its profile and copies of the
files it works on. Where bubblewrap works it sees nothing else of this machine
but programs, libraries and fonts, and no network; the limits on memory and file
size hold in any case.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from typing import Any, Dict, List

import service_lines

_INSIDE, _CODE = "/tmp/office", "/tmp/code"
_ADDRESS_SPACE_BYTES = 6 << 30
_LARGEST_FILE_BYTES = 1 << 30
# Loaded here: nothing may be loaded between fork and exec.
_LIBC = ctypes.CDLL(None)

# What differs from the defaults: macros never run, nothing outside is followed,
# no recovery of what a killed predecessor had open. Without the version of its
# last start it takes itself for newly upgraded and tries out its drawing, each
# time: that is most of a start, and a killed one does not save it.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="AutoSave" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/AutoSave"><prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/RecoveryInfo"><prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product"><prop oor:name="ooSetupLastVersion" oor:op="fuse"><value>{version}</value></prop></item>
</oor:items>
"""


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
    said = subprocess.run([binary, "--version"], capture_output=True, text=True,
                          timeout=60, stdin=subprocess.DEVNULL).stdout
    number = re.search(r"\d+(?:\.\d+)+", said)
    if number is None:
        raise NotHere(f"{binary} --version says {said[:100]!r}, no version")
    return number.group()


def bubblewrap_works() -> bool:
    try:
        return subprocess.run(
            ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc",
             "true"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def make_profile(home: str, office: str) -> None:
    """`office`: its version, in full."""
    user = os.path.join(home, "profile", "user")
    os.makedirs(user, mode=0o700, exist_ok=True)
    settings = os.path.join(user, "registrymodifications.xcu")
    if not os.path.exists(settings):
        with open(settings, "w", encoding="utf-8") as file:
            # What it compares is the version without patch levels.
            file.write(_SETTINGS.format(
                version=".".join(office.split(".")[:2])))


class Process:
    """The worker and its LibreOffice. Started by the thread that lives longest:
    the kernel kills the worker when that thread ends, and LibreOffice with it.
    """

    def __init__(self, binary: str, home: str, wrapped: bool):
        modules = os.path.dirname(os.path.abspath(__file__))
        parent = os.getpid()
        inside, code, above = home, modules, parent
        words: List[str] = []
        if wrapped:
            # In its own process namespace it cannot see who started it.
            inside, code, above = _INSIDE, _CODE, 0
            words = _bubblewrap(binary, home, modules)
        # One that was ended leaves its temporary files behind.
        shutil.rmtree(os.path.join(home, "tmp"), ignore_errors=True)
        os.makedirs(os.path.join(home, "tmp"))
        self._log_path = os.path.join(home, "office.log")
        with open(self._log_path, "wb") as log:
            self._child = subprocess.Popen(
                words + [sys.executable, "-B", f"{code}/recalc_worker.py",
                         binary, inside, str(above)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                bufsize=0, start_new_session=True, cwd=home,
                env=_environment(inside), preexec_fn=lambda: _limit(parent))
        self._buffer = b""
        self.sockets: List[str] = []

    def ask(self, request: Dict[str, Any], timeout_s: float) -> Dict[str, Any]:
        """TimeoutError, or ConnectionError once it has ended."""
        self._child.stdin.write(json.dumps(request).encode() + b"\n")
        return self.answer(timeout_s)

    def answer(self, timeout_s: float) -> Dict[str, Any]:
        deadline = time.monotonic() + timeout_s
        output = self._child.stdout
        while b"\n" not in self._buffer:
            left = max(0, deadline - time.monotonic())
            if not select.select([output], [], [], left)[0]:
                raise TimeoutError()
            some = output.read(65536)
            if not some:
                raise ConnectionError("it has ended")
            self._buffer += some
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def last_words(self) -> str:
        try:
            with open(self._log_path, "rb") as log:
                said = log.read(65536).decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return " | ".join(line for line in said if line.strip())[-300:]

    def kill(self) -> None:
        """The whole group, at once. Safe from any thread and repeatedly."""
        if self._child.poll() is None:
            try:
                os.killpg(self._child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._child.wait()
        for socket in self.sockets:
            try:
                os.unlink(socket)
            except FileNotFoundError:
                pass

    def resident_bytes(self) -> int:
        """Of everything it started."""
        return sum(map(_resident, _family(self._child.pid)))


def _limit(parent: int) -> None:
    service_lines.die_with_parent(parent, _LIBC)
    for what, limit in ((resource.RLIMIT_AS, _ADDRESS_SPACE_BYTES),
                        (resource.RLIMIT_FSIZE, _LARGEST_FILE_BYTES),
                        (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (limit, limit))


def _environment(home: str) -> Dict[str, str]:
    return {"HOME": home, "TMPDIR": f"{home}/tmp", "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC",
            "SAL_USE_VCLPLUGIN": "svp",
            # What it stores is read at once and thrown away.
            "SAL_DISABLE_FSYNC": "1"}


def _bubblewrap(binary: str, home: str, modules: str) -> List[str]:
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session",
             "--ro-bind", "/usr", "/usr", "--dev", "/dev", "--proc", "/proc",
             "--tmpfs", "/tmp", "--bind", home, _INSIDE, "--chdir", _INSIDE,
             "--ro-bind", modules, _CODE]
    for folder in ("/lib", "/lib64", "/lib32", "/bin", "/sbin"):
        if os.path.islink(folder):
            words += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            words += ["--ro-bind", folder, folder]
    for shared in ("/etc/fonts", "/etc/libreoffice", "/etc/ld.so.cache",
                   "/etc/localtime", "/var/lib/libreoffice",
                   "/var/cache/fontconfig"):
        words += ["--ro-bind-try", shared, shared]
    installation = os.path.dirname(os.path.dirname(binary))
    if not installation.startswith("/usr/"):
        words += ["--ro-bind", installation, installation]
    return words


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
