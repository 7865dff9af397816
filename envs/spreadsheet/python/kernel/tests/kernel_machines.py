"""Machines that lack something, emulated: a filter on the system calls of the
host and all it starts, as a container's runtime sets one."""

import ctypes
import errno
import os
import struct

import kernel_testing  # noqa: F401  (finds the modules)
import sandbox_seccomp as seccomp
from sandbox_libc import PR_SET_NO_NEW_PRIVS, prctl

NAMESPACES = 0x7E020000  # CLONE_NEW*
CLONE, UNSHARE, MOUNT, SETNS, CLONE3 = 56, 272, 165, 308, 435
LANDLOCK = (444, 445, 446)


def _install(steps):
    steps = [seccomp._step(seccomp.LOAD, 0)] + steps
    steps.append(seccomp._end(seccomp.ALLOW))
    data = b"".join(struct.pack("=HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(data, len(data))
    block = ctypes.create_string_buffer(
        struct.pack("@HP", len(data) // 8, ctypes.addressof(held)))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    failure = prctl(seccomp.PR_SET_SECCOMP, seccomp.SECCOMP_MODE_FILTER,
                    ctypes.addressof(block))
    if failure:
        os._exit(99)


def _refuse(numbers, error):
    steps = []
    for number in numbers:
        steps += [seccomp._step(seccomp.EQUAL, number, 0, 1),
                  seccomp._fail(error)]
    return steps


def without_landlock():
    _install(_refuse(LANDLOCK, errno.ENOSYS))


def as_in_a_pod():
    """What containers get without privileges: no new namespaces, no mounts."""
    body = [seccomp._argument(0),
            seccomp._step(seccomp.ANY_BIT, NAMESPACES, 0, 1),
            seccomp._fail(errno.EPERM), seccomp._end(seccomp.ALLOW)]
    _install(_refuse((UNSHARE, MOUNT, SETNS), errno.EPERM)
             + _refuse((CLONE3,), errno.ENOSYS)
             + [seccomp._step(seccomp.EQUAL, CLONE, 0, len(body))] + body)
