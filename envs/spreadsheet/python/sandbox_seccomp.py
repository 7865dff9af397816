"""The system calls a process may make: an allow list, as a seccomp filter.

A list of what is forbidden would miss what a later Linux adds. What is not
named here fails with EPERM, what is newer than the table with ENOSYS, so that
the C library takes the older way.
"""

import ctypes
import errno
import os
import platform
import struct

from sandbox_calls import (ALLOWED, AT_START, NEWEST, NUMBERS, OF_PROGRAM,
                           OF_ZYGOTE, REFUSED_TO_HOST)
from sandbox_libc import call, prctl

AUDIT_ARCH_X86_64 = 0xC000003E
X32_BIT = 0x40000000  # x32 numbers: the same architecture to seccomp

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_NEW_LISTENER = 8
ALLOW = 0x7FFF0000
ASK = 0x7FC00000  # the listener; ENOSYS once there is none
ERRNO = 0x00050000  # in the low 16 bits the error; 0: looks like success

LOAD, EQUAL, ABOVE, AT_LEAST, ANY_BIT, RETURN = (
    0x20, 0x15, 0x25, 0x35, 0x45, 0x06)

CLONE_THREAD = 0x00010000
CLONE_VFORK = 0x00004000
# New namespaces, a traced child, a suspended parent, a pidfd.
CLONE_REFUSED = 0x7E020000 | 0x00002000 | CLONE_VFORK | 0x00001000
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, the locks, F_DUPFD_CLOEXEC and
# F_GETPIPE_SZ. Not F_SETOWN and F_SETSIG: with them Linux sends any signal to
# any process of the same user.
FCNTL = [0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032]
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
IOCTL = [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]
# PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA.
# Not PR_SET_PDEATHSIG: a kernel ends with its parent.
PRCTL = [2, 3, 15, 16, 0x53564D41]
PR_SET_PDEATHSIG = 1
AF_UNIX, AF_NETLINK = 1, 16

# A program of such a mode runs as its owner, whoever starts it.
MODE_REFUSED = 0o7000  # set-user-ID, set-group-ID, sticky
# O_CREAT, and what O_TMPFILE has of its own: only with these there is a mode.
OPEN_CREATES = 0o100 | 0o20000000
# Which argument is the mode of what is made.
MODES = {"fchmod": 1, "creat": 1, "mkdir": 1, "mkdirat": 2}
FLAGS_AND_MODES = {"open": (1, 2), "openat": (2, 3)}


class SeccompError(OSError):
    pass


def machine_known():
    return platform.machine() == "x86_64"


def _step(code, value, yes=0, no=0):
    return (code, yes, no, value)


def _end(action):
    return _step(RETURN, action)


def _fail(number):
    return _end(ERRNO | number)


def _argument(index, high=False):
    return _step(LOAD, 16 + 8 * index + (4 if high else 0))


def _one_of(index, values, otherwise=errno.EPERM):
    """Allowed with one of these values of an argument of 32 bits."""
    steps = [_argument(index)]
    for value in values:
        steps += [_step(EQUAL, value, 0, 1), _end(ALLOW)]
    return steps + [_fail(otherwise)]


def _threads_only(refused=CLONE_REFUSED, processes=_fail(errno.EPERM)):
    """A thread of its own, and no new process, or one if `processes` says."""
    return [_argument(0),
            _step(ANY_BIT, refused, 0, 1), _fail(errno.EPERM),
            _step(ANY_BIT, CLONE_THREAD, 0, 1), _end(ALLOW), processes]


def _without_path():
    """utimensat of an open file; by path it does nothing (see `pretended`)."""
    return [_argument(1), _step(EQUAL, 0, 1, 0), _fail(0),
            _argument(1, high=True), _step(EQUAL, 0, 1, 0), _fail(0),
            _end(ALLOW)]


def _plain_mode(mode):
    """Allowed but with bits of MODE_REFUSED in that argument."""
    return [_argument(mode), _step(ANY_BIT, MODE_REFUSED, 0, 1),
            _fail(errno.EPERM), _end(ALLOW)]


def _opened(flags, mode):
    return [_argument(flags), _step(ANY_BIT, OPEN_CREATES, 1, 0), _end(ALLOW),
            *_plain_mode(mode)]


def _modes():
    return {**{name: _plain_mode(mode) for name, mode in MODES.items()},
            **{name: _opened(*which)
               for name, which in FLAGS_AND_MODES.items()},
            # Its mode is in memory, where a filter does not see it.
            "openat2": [_fail(errno.ENOSYS)]}


def _common():
    # By path these reach files that Landlock does not guard, and copying a
    # file in Python calls them: they are said to work and do nothing.
    rules = {name: [_fail(0)] for name in
             ("chmod", "fchmodat", "utime", "utimes", "futimesat")}
    return {"fcntl": _one_of(1, FCNTL),
            "ioctl": _one_of(1, IOCTL, errno.ENOTTY),
            "utimensat": _without_path(),
            # glibc then uses clone, whose flags a filter can see.
            "clone3": [_fail(errno.ENOSYS)], **_modes(), **rules}


def _rules_of(pid):
    return {
        **_common(),
        "clone": _threads_only(),
        "prctl": _one_of(0, PRCTL),
        # abort() and raise() signal the process itself.
        "kill": _one_of(0, [pid]),
        "tgkill": _one_of(0, [pid]),
        "prlimit64": _one_of(0, [0, pid]),
    }


def _rules_of_program():
    """Its processes have numbers that are not known yet: none may signal."""
    ask = _end(ASK)
    return {
        **_common(),
        **{name: [ask] for name in AT_START},
        # To wait for a new process is its parent's business.
        "clone": _threads_only(CLONE_REFUSED & ~CLONE_VFORK, ask),
        "socket": [_argument(0), _step(EQUAL, AF_UNIX, 0, 1), ask,
                   _fail(errno.EPERM)],
        "prctl": [_argument(0), _step(EQUAL, PR_SET_PDEATHSIG, 0, 1), ask]
        + _one_of(0, PRCTL),
        "prlimit64": _one_of(0, [0]),
    }


def _native():
    """Calls as x86-64 makes them; then the number is loaded."""
    return [_step(LOAD, 4), _step(EQUAL, AUDIT_ARCH_X86_64, 1, 0),
            _fail(errno.EPERM),
            _step(LOAD, 0), _step(AT_LEAST, X32_BIT, 0, 1),
            _fail(errno.EPERM)]


def _packed(steps):
    """As the bytes that Linux takes."""
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _assembled(allowed, rules):
    steps = _native()
    for name in allowed:
        steps += [_step(EQUAL, NUMBERS[name], 0, 1), _end(ALLOW)]
    for name, body in rules.items():
        steps += [_step(EQUAL, NUMBERS[name], 0, len(body))] + body
    steps += [_step(ABOVE, NEWEST, 0, 1), _fail(errno.ENOSYS),
              _fail(errno.EPERM)]
    return _packed(steps)


def program_of_zygote():
    """For a process that forks others, which confine themselves further."""
    rules = {**_common(),
             "clone": _threads_only(processes=_end(ALLOW))}
    return _assembled([*ALLOWED, *OF_ZYGOTE], rules)


def program_of_host():
    """For a process that starts programs, bubblewrap as well: only a list of
    what none of them does."""
    steps = _native()
    for name in REFUSED_TO_HOST:
        steps += [_step(EQUAL, NUMBERS[name], 0, 1), _fail(errno.EPERM)]
    # Bubblewrap asks Linux over netlink for its loopback.
    body = _one_of(0, [AF_UNIX, AF_NETLINK])
    steps += [_step(EQUAL, NUMBERS["socket"], 0, len(body))] + body
    return _packed([*steps, _end(ALLOW)])


def program(pid, more=()):
    """The filter for the process `pid`, which starts no other."""
    return _assembled([*ALLOWED, *more], _rules_of(pid))


def _with_header(filter_bytes, install):
    """What `install` does with the address of what Linux takes."""
    held = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    header = struct.pack("@HP", len(filter_bytes) // 8, ctypes.addressof(held))
    block = ctypes.create_string_buffer(header, len(header))
    return install(ctypes.addressof(block))


def restrict(more=()):
    """From here on, for this process and its threads; needs no_new_privs.
    `more`: names of calls that are allowed as well."""
    enter(program(os.getpid(), more))


def enter(filter_bytes):
    """For good; needs no_new_privs."""
    failure = _with_header(filter_bytes, lambda address: prctl(
        PR_SET_SECCOMP, SECCOMP_MODE_FILTER, address))
    if failure:
        raise SeccompError(failure, "seccomp refused the filter")


def restrict_with_start():
    """For this process and all it starts; the descriptor of a listener, who
    decides what of AT_START is done (see sandbox_start). Nothing of it can be
    done once the listener is closed."""
    listener, failure = _with_header(
        _assembled(ALLOWED + OF_PROGRAM, _rules_of_program()),
        lambda address: call(
            NUMBERS["seccomp"], SECCOMP_SET_MODE_FILTER,
            SECCOMP_FILTER_FLAG_NEW_LISTENER, address))
    if listener < 0:
        why = (": another filter has a listener already"
               if failure == errno.EBUSY else "")
        raise SeccompError(failure, "seccomp refused the filter" + why)
    return listener
