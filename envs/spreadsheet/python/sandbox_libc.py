"""System calls that Python has no name for."""

import ctypes

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def call(number, *arguments):
    """(result, error number); the result is -1 when there is an error."""
    ctypes.set_errno(0)
    words = [value if isinstance(value, (ctypes._SimpleCData, bytes))
             else ctypes.c_long(value) for value in arguments]
    result = _libc.syscall(ctypes.c_long(number), *words)
    return result, ctypes.get_errno() if result < 0 else 0


def prctl(option, second=0, third=0, fourth=0, fifth=0):
    """The error number, 0 for none."""
    ctypes.set_errno(0)
    words = [ctypes.c_ulong(value) for value in (second, third, fourth, fifth)]
    result = _libc.prctl(ctypes.c_int(option), *words)
    return ctypes.get_errno() if result < 0 else 0
