"""The life of one kernel, in a process that the zygote has just forked."""

import os
import random
import sys
import tempfile

import kernel_cell
import kernel_frames
import sandbox
import sandbox_landlock

CODE_BYTES_MAX = 16 << 20  # of a frame with code in it
# Cells that draw without a seed of their own get the same numbers each time.
SEED = 0


def _own_descriptors(channel, output):
    """The channel as 3, the output as 1 and 2, nothing else."""
    nothing = os.open("/dev/null", os.O_RDWR)
    # Out of the way of 0 to 3 first: any of them may be one of those.
    high = [os.dup(one) for one in (nothing, output, output, channel)]
    while min(high) <= 3:
        high = [os.dup(one) for one in high]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place, inheritable=False)
    os.closerange(4, 4096)
    return 3


def _own_settings(workspace):
    os.chdir(workspace)
    os.umask(0o022)
    os.environ.update(HOME=workspace, TMPDIR=workspace, PWD=workspace)
    tempfile.tempdir = None  # it is found anew, with TMPDIR
    sys.path.insert(0, "")   # a cell may write a module and import it
    sys.argv = [""]
    random.seed(SEED)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(SEED)


def _why(problem):
    text = f"{type(problem).__name__}: {problem}"
    return text[:500]


def live(workspace, user, limits, parent, channel, output):
    """Does not return. `limits` None: the sandbox is left out."""
    try:
        channel = _own_descriptors(channel, output)
        if limits is not None:
            view = sandbox_landlock.View(writable=(workspace,))
            sandbox.confine(view, user, limits, parent)
        else:
            sandbox.die_with_parent(parent)
        _own_settings(workspace)  # the directory is open to its user only
        cells = kernel_cell.Cells()
    except BaseException as problem:
        kernel_frames.write_frame(channel, {"failed": _why(problem)})
        os._exit(1)
    kernel_frames.write_frame(channel, {"ready": True})
    while True:
        asked = kernel_frames.read_frame(channel, CODE_BYTES_MAX)
        if asked is None:
            os._exit(0)
        status = cells.run(asked["code"])
        kernel_frames.write_frame(
            channel, {"done": status, "cell": asked["cell"]})
