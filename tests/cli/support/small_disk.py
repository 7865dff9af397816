"""A small disk for a test, in a mount namespace of the test's own."""

import ctypes
import os
import subprocess

CLONE_NEWNS = 0x20000


def lacking():
    """Makes the namespace; why it cannot be had."""
    if os.geteuid() != 0 or ctypes.CDLL(None).unshare(CLONE_NEWNS) != 0:
        return "no mount namespace can be had here\n"
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    return ""


def mount(case, place, size_mb):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mb}m,mode=711",
                    "none", place], check=True)
    case.addCleanup(subprocess.run, ["umount", "-l", place])
