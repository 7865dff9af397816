"""Everything a process gives up before it runs code of a model or opens a
workbook of one: its user, its capabilities, files but its own, system calls,
and resources without end."""

import ctypes
import os
import resource
import signal
import struct
from dataclasses import dataclass
from typing import Optional

import sandbox_landlock
import sandbox_seccomp
from sandbox_libc import (PR_SET_NO_NEW_PRIVS,
                                 PR_SET_PDEATHSIG, call, prctl)

CAPGET, CAPSET = 125, 126  # x86-64, as all of the filter's table
CAPABILITY_VERSION_3 = 0x20080522
CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_KILL, CAP_SETGID, CAP_SETUID = (
    0, 1, 3, 5, 6, 7)
CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE = 19, 40


@dataclass(frozen=True)
class Limits:
    memory_mb: int = 2048
    file_mb: int = 64
    cpu_s: Optional[int] = 1800  # over all calls
    threads: int = 64
    open_files: int = 64


def threads_of_user():
    """Those of this user that /proc shows, as Linux counts them together. The
    owner of a directory in /proc would not do: it is root for kernels."""
    found, user = 0, str(os.getuid())
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/status", encoding="utf-8") as lines:
                facts = dict(line.split(":", 1) for line in lines)
        except (OSError, ValueError):
            continue  # it has ended meanwhile
        if facts["Uid"].split()[0] == user:
            found += int(facts["Threads"])
    return found


def set_limits(limits, threads):
    def fix(what, value):
        _, most = resource.getrlimit(what)
        if most != resource.RLIM_INFINITY:
            value = min(value, most)
        resource.setrlimit(what, (value, value))

    fix(resource.RLIMIT_AS, limits.memory_mb << 20)
    fix(resource.RLIMIT_FSIZE, limits.file_mb << 20)
    fix(resource.RLIMIT_NOFILE, limits.open_files)
    fix(resource.RLIMIT_NPROC, threads)
    if limits.cpu_s is not None:
        fix(resource.RLIMIT_CPU, limits.cpu_s)
    fix(resource.RLIMIT_CORE, 0)
    fix(resource.RLIMIT_MEMLOCK, 0)
    fix(resource.RLIMIT_MSGQUEUE, 0)
    # Beyond a limit a write fails, which Python can tell; the signal kills.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _capability_header():
    return struct.pack("=Ii", CAPABILITY_VERSION_3, 0)


def permitted_capabilities():
    """As a mask."""
    sets = ctypes.create_string_buffer(24)
    result, failure = call(CAPGET, _capability_header(),
                           ctypes.c_void_p(ctypes.addressof(sets)))
    if result < 0:
        raise OSError(failure, "capabilities cannot be read")
    low, high = struct.unpack("=4xI8xI4x", sets.raw)
    return high << 32 | low


def keep_capabilities(*kept):
    """Of those that it has, and no others, for good: no program that is
    started has more."""
    mask = permitted_capabilities() & sum(1 << number for number in kept)
    low, high = mask & 0xFFFFFFFF, mask >> 32
    sets = struct.pack("=IIIIII", low, low, 0, high, high, 0)
    result, failure = call(CAPSET, _capability_header(), sets)
    if result < 0:
        raise OSError(failure, "capabilities cannot be dropped")
    failure = prctl(PR_SET_NO_NEW_PRIVS, 1)
    if failure:
        raise OSError(failure, "no_new_privs cannot be set")


def die_with_parent(parent: Optional[int]):
    """`parent` is checked against a parent that died before this call; None
    where it has no number here."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(0)


def become(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def confine(view, user: Optional[int], limits: Limits, parent: Optional[int],
            filter_calls=sandbox_seccomp.restrict):
    """For good; returns what `filter_calls` does. `view`: of
    sandbox_landlock. `user`: an id to change to, or None to stay as it is. The
    process must be single-threaded: Landlock binds a thread."""
    threads = limits.threads
    if user is None:
        threads += threads_of_user()
    else:
        become(user)
    # A change of user clears the first of these, so they come after it.
    die_with_parent(parent)
    set_limits(limits, threads)
    keep_capabilities()
    sandbox_landlock.restrict(view)
    return filter_calls()
