"""Workspaces as the host sees them: whose they are and what they hold. Files
are looked at, never opened: what is inside was made by code of a model."""

import errno
import os
import stat
import sys
from dataclasses import dataclass

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
        kind = RefusedContent if problem.errno in OF_CODE else BadWorkspace
        raise kind(f"workspace {path!r:.200} cannot be handed over: "
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


def _hidden_bytes(process):
    """Of files that it holds open and has deleted. 0 where this process may
    not look at its descriptors."""
    found = {}
    place = f"/proc/{process}/fd"
    try:
        names = os.listdir(place)
    except OSError:
        return 0
    for name in names:
        try:
            about = os.stat(f"{place}/{name}")
        except OSError:
            continue
        if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
            found[about.st_dev, about.st_ino] = about.st_blocks * 512
    return sum(found.values())


def excess(path, quota, process=None):
    """What there is too much of, or None. `process`: of the kernel."""
    hidden = 0 if process is None else _hidden_bytes(process)
    found = {"files": 0, "bytes": hidden}

    class TooMuch(Exception):
        pass

    def count(entry):
        try:
            about = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # the kernel is running
        found["files"] += 1
        found["bytes"] += about.st_blocks * 512
        if found["files"] > quota.files:
            raise TooMuch(f"more than {quota.files} files")
        if found["bytes"] > quota.total_mb << 20:
            raise TooMuch(f"more than {quota.total_mb} MiB")

    try:
        _walk(path, count)
        if hidden > quota.total_mb << 20:
            return f"more than {quota.total_mb} MiB in deleted files"
    except (TooMuch, BadWorkspace) as problem:
        return str(problem)
    except FileNotFoundError:
        pass  # a directory that went while it was walked
    except OSError as problem:
        return f"a directory that cannot be read ({problem.strerror})"
    return None
