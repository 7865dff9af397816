"""Everything a kernel gives up before it runs code of a model: its user, its
capabilities, files but its own, system calls, and resources without end."""

import ctypes
import os
import resource
import signal
import struct
from dataclasses import dataclass
from typing import Optional

import kernel_sandbox_landlock
import kernel_sandbox_seccomp
from kernel_sandbox_libc import (PR_SET_NO_NEW_PRIVS,
                                 PR_SET_PDEATHSIG, call, prctl)

CAPSET = 126  # x86-64; the filter's table is for it alone, too
CAPABILITY_VERSION_3 = 0x20080522
THREADS = 64
OPEN_FILES = 64


@dataclass(frozen=True)
class Limits:
    memory_mb: int = 2048
    file_mb: int = 64
    cpu_s: int = 1800  # over all calls


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
    fix(resource.RLIMIT_NOFILE, OPEN_FILES)
    fix(resource.RLIMIT_NPROC, threads)
    fix(resource.RLIMIT_CPU, limits.cpu_s)
    fix(resource.RLIMIT_CORE, 0)
    fix(resource.RLIMIT_MEMLOCK, 0)
    fix(resource.RLIMIT_MSGQUEUE, 0)
    # Beyond a limit a write fails, which Python can tell; the signal kills.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def drop_capabilities():
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    result, failure = call(CAPSET, ctypes.create_string_buffer(header).raw,
                           bytes(24))
    if result < 0:
        raise OSError(failure, "capabilities cannot be dropped")


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


def confine(workspace, user: Optional[int], limits: Limits, parent: int):
    """For good. `user`: an id to change to, or None to stay as it is. The
    process must be single-threaded: Landlock binds a thread."""
    threads = THREADS
    if user is None:
        threads += threads_of_user()
    else:
        become(user)
    # A change of user clears the first of these, so they come after it.
    die_with_parent(parent)
    set_limits(limits, threads)
    drop_capabilities()
    failure = prctl(PR_SET_NO_NEW_PRIVS, 1)
    if failure:
        raise OSError(failure, "no_new_privs cannot be set")
    kernel_sandbox_landlock.restrict(workspace)
    kernel_sandbox_seccomp.restrict(os.getpid())
