"""Users of their own for kernels, where this process may give them away."""

import os

import kernel_sandbox

KERNELS_MAX = 200
RANGE = 256  # ids of one host: for the zygote the first, then one per kernel
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
            kernel_sandbox.become(user)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return status == 0


def find_base(workspaces):
    """The first id of the range for kernels, or None with the reason why they
    have to share the user of this process."""
    if os.geteuid() != 0:
        return None, "the host is not root"
    base = choose_base()
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
    if not _may_become(base):
        return None, f"setresuid to {base} fails"
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
