"""One call of "run": its output, its deadlines and, in the end, its answer."""

import sys

import kernel_output
import kernel_workspace

GRACE_MS = 2000  # after an interrupt, then the kernel is killed
CHECK_MS = 250   # between two looks at what the workspace holds
FULL_BYTES = 1 << 20  # a disk with less than this is full
NO_SPACE = "No space left on device"
OUTPUT_BYTES_MAX = 16 << 20  # of one cell; more is a loop without an end


class Run:
    def __init__(self, request, cell, timeout_ms, output_bytes, now_ms):
        self.request, self.cell = request, cell
        self._timeout_ms = timeout_ms
        self._started_ms = now_ms
        self.deadline_ms = now_ms + timeout_ms
        self.check_ms = now_ms + CHECK_MS
        self._output = kernel_output.HeadTail(output_bytes)
        self._interrupted = None  # "time" or "output", once it was
        self._free_bytes = sys.maxsize  # the least that the disk had

    def add(self, data):
        """False when it is more than a cell may write."""
        self._output.add(data)
        return self._output.total <= OUTPUT_BYTES_MAX

    # -- interrupts

    def interrupt(self, why, now_ms):
        """Whether it is the first one; there is no second."""
        if self._interrupted is not None:
            return False
        self._interrupted = why
        self.deadline_ms = now_ms + GRACE_MS
        return True

    def is_interrupted(self):
        return self._interrupted is not None

    def _reason(self):
        if self._interrupted == "time":
            return f"ran for more than its {self._timeout_ms / 1000:g} s"
        return f"wrote more than {OUTPUT_BYTES_MAX >> 20} MiB"

    def stubborn(self):
        """The cause of a kernel's end that did not stop."""
        return (f"the cell {self._reason()} and did not stop within "
                f"{GRACE_MS // 1000} s of an interrupt")

    def cause(self, otherwise):
        """The same for a kernel that ended by itself."""
        if self._interrupted is None:
            return otherwise
        return f"the cell {self._reason()} and was interrupted; {otherwise}"

    def status(self, told):
        """What is answered when the kernel says "ok", "error" or
        "interrupted"."""
        if self._interrupted is not None:
            return "timeout" if self._interrupted == "time" else "error"
        # Without our interrupt it is a KeyboardInterrupt of the cell's own.
        return "error" if told == "interrupted" else told

    # -- the disk

    def look(self, workspace, quota, process):
        """The cause of an end, for a workspace that holds too much. Otherwise
        it is noted what the disk has. `process`: of the kernel, or None."""
        held_bytes, too_much = kernel_workspace.held(workspace, quota, process)
        if too_much is not None:
            # What the disk lacked were its own files.
            self._free_bytes = sys.maxsize
            return f"the workspace holds {too_much}"
        # One that holds more than half of what it may has filled the disk
        # itself.
        if held_bytes <= quota.total_mb << 19:
            self._free_bytes = min(kernel_workspace.free_bytes(workspace),
                                   self._free_bytes)
        return None

    def _disk_full(self, text, quota_bytes):
        """Whether others have used what code may use. What code says counts
        only on a disk that cannot hold its workspace: anything can be said."""
        return self._free_bytes < FULL_BYTES or (
            self._free_bytes < quota_bytes and NO_SPACE in text)

    # -- the answer

    def answer(self, status, cause, now_ms, quota_bytes):
        text, cut = self._output.text()
        full = self._disk_full(text, quota_bytes)
        note = None
        if status == "died":
            note = f"[the kernel died: {cause}; its variables are lost]"
        elif self._interrupted is not None:
            what = f"{self._timeout_ms / 1000:g} s" \
                if self._interrupted == "time" \
                else f"{OUTPUT_BYTES_MAX >> 20} MiB of output"
            note = f"[interrupted after {what}; the variables are kept]"
        if note:
            text += ("" if not text or text.endswith("\n") else "\n") + note
        answer = {"status": status, "output": text, "cut_bytes": cut,
                  "elapsed_ms": int(now_ms - self._started_ms)}
        return {**answer, "disk_full": True} if full else answer


def answer_of_dead(cause):
    return {"status": "died", "output": f"[the kernel has died: {cause}]",
            "cut_bytes": 0, "elapsed_ms": 0}
