"""Users of their own for what is confined, where this process may give them
away."""

import os

import sandbox

KERNELS_MAX = 200
RANGE = 256  # ids of one service: its own first, then one for each kernel
HIGH, LOW = 1_000_000_000, 50_000
LOW_RANGES = 50


def _ids_known():
    """One more than the highest id of this user namespace."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as lines:
            return max(int(first) + int(count) for first, _, count in
                       (line.split() for line in lines))
    except (OSError, ValueError):
        return 0


def choose_base():
    """The first of RANGE ids which nobody else has, as far as can be known:
    the number of this process makes them its own."""
    high = HIGH + os.getpid() * RANGE
    if _ids_known() >= high + RANGE:
        return high
    return LOW + os.getpid() % LOW_RANGES * RANGE


def _may_become(user):
    """Tried in a child: there is no way back."""
    child = os.fork()
    if child == 0:
        try:
            sandbox.become(user)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return status == 0


def find_user():
    """An id of its own for one process that opens no files, or None with the
    reason why it has to share the user of this one."""
    if os.geteuid() != 0:
        return None, "the service is not root"
    user = choose_base()
    return (user, "") if _may_become(user) else (
        None, f"setresuid to {user} fails")


def find_base(workspaces):
    """The first id of the range for kernels, or None with the reason why they
    have to share the user of this process."""
    base, why = find_user()
    if base is None:
        return None, why
    trial = os.path.join(workspaces, f".owner-{os.getpid()}")
    try:
        os.mkdir(trial, 0o700)
        try:
            os.chown(trial, base, base)
            os.listdir(trial)  # whoever gives it away has to look into it
        finally:
            os.rmdir(trial)
    except OSError as problem:
        return None, ("directories cannot be given to another user "
                      f"({problem.strerror})")
    return base, ""


def closed_directory(path):
    """The first directory above `path` that other users may not pass, or
    None."""
    above = os.path.dirname(path)
    closed = None
    while True:
        if not os.stat(above).st_mode & 0o001:
            closed = above
        if above == "/":
            return closed
        above = os.path.dirname(above)
