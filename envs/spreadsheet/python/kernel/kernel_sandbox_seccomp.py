"""The system calls a kernel may make: an allow list, as a seccomp filter.

A list of what is forbidden would miss what a later Linux adds. What is not
named here fails with EPERM, what is newer than the table with ENOSYS, so that
the C library takes the older way.
"""

import ctypes
import errno
import platform
import struct

from kernel_sandbox_calls import ALLOWED, NEWEST, NUMBERS
from kernel_sandbox_libc import prctl

AUDIT_ARCH_X86_64 = 0xC000003E
X32_BIT = 0x40000000  # x32 numbers: the same architecture to seccomp

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
ALLOW = 0x7FFF0000
ERRNO = 0x00050000  # in the low 16 bits the error; 0: looks like success

LOAD, EQUAL, ABOVE, AT_LEAST, ANY_BIT, RETURN = (
    0x20, 0x15, 0x25, 0x35, 0x45, 0x06)

CLONE_THREAD = 0x00010000
# New namespaces, a traced child, a suspended parent, a pidfd.
CLONE_REFUSED = 0x7E020000 | 0x00002000 | 0x00004000 | 0x00001000
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, the locks, F_DUPFD_CLOEXEC and
# F_GETPIPE_SZ. Not F_SETOWN and F_SETSIG: with them Linux sends any signal to
# any process of the same user.
FCNTL = [0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032]
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
IOCTL = [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]
# PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA.
# Not PR_SET_PDEATHSIG: a kernel ends with its parent.
PRCTL = [2, 3, 15, 16, 0x53564D41]


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


def _threads_only():
    """A thread of its own, and no new process."""
    return [_argument(0),
            _step(ANY_BIT, CLONE_REFUSED, 0, 1), _fail(errno.EPERM),
            _step(ANY_BIT, CLONE_THREAD, 0, 1), _end(ALLOW),
            _fail(errno.EPERM)]


def _without_path():
    """utimensat of an open file; by path it does nothing (see `pretended`)."""
    return [_argument(1), _step(EQUAL, 0, 1, 0), _fail(0),
            _argument(1, high=True), _step(EQUAL, 0, 1, 0), _fail(0),
            _end(ALLOW)]


def program(pid):
    """The filter for the process `pid`, as the bytes that Linux takes."""
    rules = {
        "clone": _threads_only(),
        "fcntl": _one_of(1, FCNTL),
        "ioctl": _one_of(1, IOCTL, errno.ENOTTY),
        "prctl": _one_of(0, PRCTL),
        # abort() and raise() signal the process itself.
        "kill": _one_of(0, [pid]),
        "tgkill": _one_of(0, [pid]),
        "prlimit64": _one_of(0, [0, pid]),
        "utimensat": _without_path(),
        # glibc then uses clone, whose flags a filter can see.
        "clone3": [_fail(errno.ENOSYS)],
    }
    # By path these reach files that Landlock does not guard, and copying a
    # file in Python calls them: they are said to work and do nothing.
    for pretended in ("chmod", "fchmodat", "utime", "utimes", "futimesat"):
        rules[pretended] = [_fail(0)]

    steps = [_step(LOAD, 4), _step(EQUAL, AUDIT_ARCH_X86_64, 1, 0),
             _fail(errno.EPERM),
             _step(LOAD, 0), _step(AT_LEAST, X32_BIT, 0, 1),
             _fail(errno.EPERM)]
    for name in ALLOWED:
        steps += [_step(EQUAL, NUMBERS[name], 0, 1), _end(ALLOW)]
    for name, body in rules.items():
        steps += [_step(EQUAL, NUMBERS[name], 0, len(body))] + body
    steps += [_step(ABOVE, NEWEST, 0, 1), _fail(errno.ENOSYS),
              _fail(errno.EPERM)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def restrict(pid):
    """From here on, for this process and its threads; needs no_new_privs."""
    filter_bytes = program(pid)
    held = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    header = struct.pack("@HP", len(filter_bytes) // 8, ctypes.addressof(held))
    block = ctypes.create_string_buffer(header, len(header))
    failure = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
                    ctypes.addressof(block))
    if failure:
        raise SeccompError(failure, "seccomp refused the filter")
