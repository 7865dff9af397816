"""What tests of kernels look at processes with, and wait for."""

import os
import select
import signal
import time

# How long is waited for what has to come: a busy machine takes its time, and
# nothing is gained by giving up early.
PATIENCE_S = 60


def descendants(root):
    """Numbers of all processes below the process `root`."""
    children = {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open(f"/proc/{name}/stat", "rb") as facts:
                    after = facts.read().rpartition(b")")[2].split()
                children.setdefault(int(after[1]), []).append(int(name))
        except OSError:
            pass
    found, unvisited = [], [root]
    while unvisited:
        for child in children.get(unvisited.pop(), []):
            found.append(child)
            unvisited.append(child)
    return found


def watched(processes):
    """Process number -> pidfd."""
    found = {}
    for number in processes:
        try:
            found[number] = os.pidfd_open(number)
        except ProcessLookupError:
            pass
    return found


def left_over(handles, patience_s=PATIENCE_S):
    """The processes of `watched` that do not end in time."""
    left = []
    for number, handle in handles.items():
        ready, _, _ = select.select([handle], [], [], patience_s)
        if not ready:
            left.append(number)
        os.close(handle)
    return left


def await_true(condition, what):
    """Until `condition()` holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never: {what}")
        time.sleep(0.005)


def stopped(process):
    """Whether none of its threads can run."""
    def state(thread):
        with open(f"/proc/{process}/task/{thread}/stat", "rb") as facts:
            return facts.read().rpartition(b")")[2].split()[0]

    return all(state(thread) == b"T"
               for thread in os.listdir(f"/proc/{process}/task"))


def kill(number):
    os.kill(number, signal.SIGKILL)
