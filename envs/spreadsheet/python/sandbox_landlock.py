"""Landlock: which files a process may open, whoever it runs as."""

import errno
import os
import stat
import struct
from dataclasses import dataclass
from typing import Tuple

from sandbox_libc import call

# The same numbers on every architecture.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1

(EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE, MAKE_CHAR,
 MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM, REFER,
 TRUNCATE, IOCTL_DEV) = (1 << bit for bit in range(16))

# Rights known since version 1, 2, 3 and 5; all of them are taken away.
HANDLED = {1: (1 << 13) - 1, 2: REFER, 3: TRUNCATE, 5: IOCTL_DEV}
NET_TCP = 3       # bind and connect, since version 4
SCOPED = 3        # abstract sockets and signals, since version 6

READ = READ_FILE | READ_DIR
# Neither symbolic links nor FIFOs nor sockets: whoever reads the workspace
# afterwards finds plain files and directories.
WRITE = (READ | WRITE_FILE | TRUNCATE | MAKE_REG | MAKE_DIR | REMOVE_FILE
         | REMOVE_DIR | REFER)
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

# What Python and its libraries read. Without mime.types openpyxl cannot save.
READABLE = ["/usr", "/lib", "/lib64", "/etc/mime.types", "/etc/localtime",
            "/etc/timezone", "/etc/ld.so.cache", "/etc/alternatives",
            "/dev/urandom", "/dev/random", "/dev/zero"]
DEVICES = ["/dev/null"]  # also written


class LandlockError(OSError):
    pass


@dataclass(frozen=True)
class View:
    """What may be opened beside what Python needs."""

    writable: Tuple[str, ...] = ()  # directories
    readable: Tuple[str, ...] = ()
    programs: Tuple[str, ...] = ()  # directories from which some may start
    sockets: Tuple[str, ...] = ()   # directories in which some may be bound


def version():
    """Of what the running Linux offers; 0: nothing. With the reason."""
    found, failure = call(CREATE_RULESET, 0, 0, VERSION_FLAG)
    if found > 0:
        return found, ""
    if failure == errno.EOPNOTSUPP:
        return 0, "it is switched off at boot (see the kernel's lsm= option)"
    if failure == errno.ENOSYS:
        return 0, "this Linux does not have it (5.13 or later does)"
    return 0, os.strerror(failure)


def _handled(abi):
    rights = 0
    for since, those in HANDLED.items():
        if abi >= since:
            rights |= those
    return rights


def _allow(ruleset, path, rights):
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= FILE_RIGHTS
        rule = struct.pack("=Qi", rights, place)
        result, failure = call(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0)
        if result < 0:
            raise LandlockError(failure, f"Landlock refused a rule for {path}")
    finally:
        os.close(place)


def _rules(view):
    for paths, rights in ((READABLE, READ), (view.readable, READ),
                          (DEVICES, READ_FILE | WRITE_FILE),
                          (view.programs, READ | EXECUTE),
                          (view.sockets, MAKE_SOCK), (view.writable, WRITE)):
        for path in paths:
            yield path, rights


def restrict(view):
    """From here on this thread, and what it starts, opens only what Python
    needs and `view`; needs no_new_privs."""
    abi, why = version()
    if abi < 1:
        raise LandlockError(errno.ENOSYS, "no Landlock: " + why)
    handled = _handled(abi)
    attributes = struct.pack("=QQQ", handled, NET_TCP if abi >= 4 else 0,
                             SCOPED if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset, failure = call(CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        raise LandlockError(failure, "Landlock refused its rights")
    try:
        for path, rights in _rules(view):
            _allow(ruleset, path, rights & handled)
        result, failure = call(RESTRICT_SELF, ruleset, 0)
        if result < 0:
            raise LandlockError(failure, "Landlock could not be entered")
    finally:
        os.close(ruleset)
