"""Workspaces as the host sees them: whose they are and what they hold. Files
are looked at, never opened: what is inside was made by code of a model."""

import errno
import os
import stat
import sys
from dataclasses import dataclass

import kernel_hidden

DEPTH_MAX = 32
FREE_FILES_MIN = 16


# What code can make of its files, so that they cannot be walked.
OF_CODE = (errno.ENAMETOOLONG, errno.EACCES, errno.ELOOP, errno.ENOTDIR)


class BadWorkspace(ValueError):
    """One line: what is wrong with it."""


class RefusedContent(BadWorkspace):
    """What is wrong is in it: code has made it."""


@dataclass(frozen=True)
class Quota:
    total_mb: int = 256
    files: int = 2000
    file_mb: int = 64  # of one file


def check(workspaces, path):
    """`path`, if a kernel may have it."""
    if not isinstance(path, str) or not path.startswith("/") or "\0" in path:
        raise BadWorkspace(f"workspace {path!r:.200} is no absolute path")
    try:
        real = os.path.realpath(path)
        directory = stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "no path"
        raise BadWorkspace(f"workspace {path!r:.200}: {reason}; make it "
                           "before it is opened") from None
    if not directory:
        raise BadWorkspace(f"workspace {path!r:.200} is not a directory")
    if not real.startswith(workspaces + "/"):
        raise BadWorkspace(f"workspace {path!r:.200} is not below "
                           f"{workspaces!r}, the directory of --workspaces")
    return real


def _walk(path, visit, depth=0):
    """Calls `visit(entry)` for everything below, top down."""
    if depth > DEPTH_MAX:
        raise RefusedContent(f"directories nested more than {DEPTH_MAX} deep")
    with os.scandir(path) as entries:
        for entry in entries:
            visit(entry)
            if entry.is_dir(follow_symlinks=False):
                _walk(entry.path, visit, depth + 1)


def hand_over(path, user):
    """Makes `user` the owner of all of it, before its kernel starts. None: it
    stays whose it is, and is looked at only."""
    def give(entry):
        about = entry.stat(follow_symlinks=False)
        if user is None:
            return
        if not entry.is_dir(follow_symlinks=False) and about.st_nlink > 1:
            # The other name may be in a data set.
            raise BadWorkspace(f"{entry.path!r:.200} has another name (a hard "
                               "link); copy it into the workspace")
        os.chown(entry.path, user, user, follow_symlinks=False)

    try:
        os.chmod(path, 0o700)  # code may have closed it
        _walk(path, give)
        if user is not None:
            os.chown(path, user, user, follow_symlinks=False)
    except OSError as problem:
        if problem.errno in OF_CODE:
            # The agent is shown this, and the path is not for it.
            raise RefusedContent("its files cannot be handed over: "
                                 f"{problem.strerror}") from None
        raise BadWorkspace(f"workspace {path!r:.200} cannot be handed over: "
                           f"{problem.strerror}") from None


def free_bytes(path):
    """Of its disk, for code; 0 when no more files can be made."""
    try:
        about = os.statvfs(path)
    except OSError:
        return sys.maxsize  # without a sandbox code may remove it
    if about.f_files > 0 and about.f_favail < FREE_FILES_MIN:
        return 0
    return about.f_bavail * about.f_frsize


def process_of(handle):
    """The number of the process of a pidfd, None when it has ended."""
    with open(f"/proc/self/fdinfo/{handle}", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("Pid:"):
                number = int(line.split()[1])
                return number if number > 0 else None
    return None


class _TooMuch(Exception):
    pass


class _Sum:
    """What is counted so far, against a quota."""

    def __init__(self, quota):
        self._quota = quota
        self.files = self.bytes = 0

    def add(self, size, where=""):
        self.files += 1
        self.bytes += size
        if self.files > self._quota.files:
            raise _TooMuch(f"more than {self._quota.files} files{where}")
        if self.bytes > self._quota.total_mb << 20:
            raise _TooMuch(f"more than {self._quota.total_mb} MiB{where}")


def held(path, quota, process=None):
    """(bytes, what there is too much of, or None). `process`: of the kernel."""
    found = _Sum(quota)

    def count(entry):
        try:
            about = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # the kernel is running
        found.add(about.st_blocks * 512)

    try:
        if process is not None:
            for size in kernel_hidden.sizes(process, path,
                                            quota.file_mb << 20):
                found.add(size, " in deleted files")
        _walk(path, count)
    except (_TooMuch, BadWorkspace) as problem:
        return found.bytes, str(problem)
    except kernel_hidden.TooManyPieces:
        return found.bytes, "memory in more pieces than can be looked at"
    except FileNotFoundError:
        pass  # a directory that went while it was walked
    except OSError as problem:
        return (found.bytes,
                f"a directory that cannot be read ({problem.strerror})")
    return found.bytes, None
