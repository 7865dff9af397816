"""What the office's client says when the office does not go on: whether that is
the office's own doing, or somebody else ended it."""

from __future__ import annotations

import os
import signal
import time
from typing import Dict, Union

# Several times what a large workbook takes. Killed beyond that, it has used up
# the machine's memory.
_OWN_DOING_BYTES = 2 << 30
_REAP_TIMEOUT_S = 5


def own_doing(status: int, peak_bytes: int) -> bool:
    """Of a process with this wait status, when it has ended."""
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return not killed or peak_bytes > _OWN_DOING_BYTES


def told(problem: BaseException) -> Dict[str, Union[str, bool]]:
    """By the client, whose one child is the office. `problem`: of its call."""
    said = f"{type(problem).__name__}: {problem}".split("\n")[0][:300]
    deadline = time.monotonic() + _REAP_TIMEOUT_S
    # A lost connection is seen before the end of the process.
    while True:
        pid, status, used = os.wait4(-1, os.WNOHANG)
        if pid:
            own = own_doing(status, used.ru_maxrss << 10)
            how = os.waitstatus_to_exitcode(status)
            return {"broke": f"it ended with {how}: {said}", "own": own}
        if "isposed" not in said or time.monotonic() > deadline:
            # It runs, and would say the same again.
            return {"broke": said, "own": True}
        time.sleep(0.02)
