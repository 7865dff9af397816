"""One kernel as the host sees it: opened, asked to run cells, closed; and told
of what happens to its process. Nothing it writes is trusted: its frames are
small and in turn or it is ended, its output is counted and cut.

A kernel runs only during a call. In between it is stopped, so threads that a
cell left behind neither change the workspace nor use the processor.
"""

import os
import signal
import socket

import kernel_frames
import kernel_output
import kernel_workspace

FRAME_BYTES_MAX = 4096
PIECE_BYTES = 1 << 16
DRAIN_BYTES_MAX = 1 << 20
OUTPUT_BYTES_MAX = 64 << 20  # of one cell; more is a loop without an end
GRACE_MS = 2000
START_MS = 20_000
CHECK_MS = 250  # between two looks at what the workspace holds


class Run:
    """One call of "run" that is not answered yet."""

    def __init__(self, request, cell, timeout_ms, output_bytes, now_ms):
        self.request, self.cell = request, cell
        self.timeout_ms = timeout_ms
        self.started_ms = now_ms
        self.deadline_ms = now_ms + timeout_ms
        self.check_ms = now_ms + CHECK_MS
        self.output = kernel_output.HeadTail(output_bytes)
        self.interrupted = None  # why, once it was


class Kernel:
    """`service` has: reply(request, fields), watch(what, event handlers),
    unwatch(what), now_ms(), start(kernel, descriptors), quota, gone(kernel).
    """

    def __init__(self, service, number, workspace, slot, request, now_ms):
        self.service, self.number = service, number
        self.workspace, self.slot = workspace, slot
        self.state = "opening"  # then idle, running, ending, dead
        self.cause = None       # of its end
        self.closing = False
        self.attempts = 0
        self._open_request = request
        self._open_deadline_ms = now_ms + START_MS
        self._close_requests = []
        self._run = None
        self._cells = 0
        self._channel = self._output = self._process = None
        self._process_number = None
        self._decoder = None
        self._unsent = bytearray()

    # -- the process

    def start(self):
        """Asks the zygote for a process."""
        self.attempts += 1
        self._let_go()
        self._decoder = kernel_frames.Decoder(FRAME_BYTES_MAX)
        self._channel, theirs = socket.socketpair()
        self._output, written = os.pipe2(os.O_CLOEXEC)
        self._channel.setblocking(False)
        os.set_blocking(self._output, False)
        self.service.watch(self._channel, self._channel_ready)
        try:
            self.service.start(self, [theirs.fileno(), written])
        finally:
            theirs.close()
            os.close(written)

    def started(self, process):
        """`process` is a pidfd. It is ours from now on."""
        self._process = process
        self._process_number = kernel_workspace.process_of(process)
        if self.state == "ending":  # it was given up before
            self._signal(signal.SIGKILL)

    def process(self):
        return self._process

    def kill(self):
        """Without asking the zygote, which may be gone."""
        self._signal(signal.SIGKILL)

    def _signal(self, number):
        if self._process is None:
            return
        try:
            signal.pidfd_send_signal(self._process, number)
        except ProcessLookupError:
            pass  # it has ended, which the zygote will tell

    def end(self, cause):
        """Kills it; `reaped` follows."""
        if self.state in ("ending", "dead"):
            return
        self.state = "ending"
        self.cause = cause
        self.service.unwatch(self._channel)
        self._signal(signal.SIGKILL)

    def reaped(self, status_text):
        """The process is gone."""
        if self.state == "dead":
            return
        self.cause = self.cause or status_text
        self._drain()
        self.state = "dead"
        self._let_go()
        self.service.gone(self)
        if self._open_request is not None:
            self._reply_open({"error": f"the kernel did not start: "
                                       f"{self.cause}"})
        if self._run is not None:
            self._finish("died")
        for request in self._close_requests:
            self.service.reply(request, {})
        self._close_requests = []

    def _let_go(self):
        if self._channel is not None:
            self.service.unwatch(self._channel)
            self._channel.close()
            self.service.unwatch(self._output)
            os.close(self._output)
        if self._process is not None:
            os.close(self._process)
        self._channel = self._output = self._process = None

    # -- what is asked for

    def run(self, request, code, timeout_ms, output_bytes):
        now_ms = self.service.now_ms()
        if self.state in ("ending", "dead"):
            text = f"[the kernel has died: {self.cause}]"
            self.service.reply(request, {"status": "died", "output": text,
                                         "cut_bytes": 0, "elapsed_ms": 0})
            return
        if self.state != "idle":
            self.service.reply(request, {
                "error": f"kernel {self.number} is {self.state}; wait for "
                         "the answer to the request before"})
            return
        self._cells += 1
        self.state = "running"
        self._run = Run(request, self._cells, timeout_ms, output_bytes, now_ms)
        self._signal(signal.SIGCONT)
        self.service.watch(self._output, self._output_ready)
        self._unsent += kernel_frames.encode(
            {"code": code, "cell": self._cells})
        self._send()

    def close(self, request):
        self.closing = True
        if self.state == "dead":
            self.service.reply(request, {})
            return
        self._close_requests.append(request)
        self.end("it was closed")

    def _too_much(self):
        return kernel_workspace.excess(self.workspace, self.service.quota,
                                       self._process_number)

    # -- events

    def _send(self):
        try:
            while self._unsent:
                sent = self._channel.send(self._unsent[:PIECE_BYTES])
                del self._unsent[:sent]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()  # its other end is closed: seen by reading
        self.service.watch(self._channel, self._channel_ready,
                           write=bool(self._unsent))

    def _channel_ready(self, readable, writable):
        if writable and self._unsent:
            self._send()
        if not readable:
            return
        try:
            data = self._channel.recv(PIECE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            # It has ended, and the zygote tells how; or a cell closed the
            # channel, and nothing can be said to it any more.
            self.service.unwatch(self._channel)
            self._channel_closed()
            return
        try:
            for frame in self._decoder.feed(data):
                self._take(frame)
        except kernel_frames.BadFrame as problem:
            self.end(f"a cell wrote to the kernel's channel ({problem})")

    def _channel_closed(self):
        # The cause stays open: the status of the process says more. One that
        # lives on is killed.
        if self.state in ("opening", "idle", "running"):
            self.end(None)

    def _take(self, frame):
        if self.state == "opening" and frame.get("ready") is True:
            self.state = "idle"
            self._reply_open({"kernel": self.number})
            self._pause()
        elif self.state == "opening" and "failed" in frame:
            self.end(str(frame["failed"])[:500])
        elif self.state == "running" and self._run is not None and \
                frame.get("cell") == self._run.cell and \
                frame.get("done") in ("ok", "error", "interrupted"):
            self._done(frame["done"])
        elif self.state not in ("ending", "dead"):
            raise kernel_frames.BadFrame("a frame out of turn")

    def _pause(self):
        self._signal(signal.SIGSTOP)

    def _done(self, status):
        self._pause()
        self._drain()
        too_much = self._too_much()
        if too_much:
            self.end(f"the workspace holds {too_much}")
            return
        if self._run.interrupted is not None:
            status = "error" if self._run.interrupted == "output" \
                else "timeout"
        elif status == "interrupted":
            status = "error"  # a KeyboardInterrupt of the cell's own
        self.state = "idle"
        self._finish(status)

    def _output_ready(self, readable, writable):
        self._take_output()

    def _take_output(self):
        """Whether there may be more."""
        try:
            data = os.read(self._output, PIECE_BYTES)
        except BlockingIOError:
            return 0
        if not data:
            self.service.unwatch(self._output)  # all ends are closed
            return 0
        if self._run is not None:
            self._run.output.add(data)
            if self._run.output.total > OUTPUT_BYTES_MAX:
                self._interrupt("output")
        return len(data)

    def _drain(self):
        taken = 0
        while self._output is not None and taken < DRAIN_BYTES_MAX:
            got = self._take_output()
            if got == 0:
                return
            taken += got

    def _interrupt(self, why):
        run = self._run
        if run.interrupted is None and self.state == "running":
            run.interrupted = why
            run.deadline_ms = self.service.now_ms() + GRACE_MS
            self._signal(signal.SIGINT)

    # -- time

    def next_ms(self):
        """When `tick` is wanted; None: never."""
        if self.state == "opening":
            return self._open_deadline_ms
        if self.state == "running":
            return min(self._run.deadline_ms, self._run.check_ms)
        return None

    def tick(self, now_ms):
        if self.state == "opening" and now_ms >= self._open_deadline_ms:
            self.end(f"not ready within {START_MS // 1000} s")
        if self.state != "running":
            return
        run = self._run
        if now_ms >= run.deadline_ms:
            if run.interrupted is None:
                self._interrupt("time")
            else:
                what = "ran for more than its " \
                    f"{run.timeout_ms / 1000:g} s" \
                    if run.interrupted == "time" else "wrote without an end"
                self.end(f"the cell {what} and did not stop within "
                         f"{GRACE_MS // 1000} s of an interrupt")
                return
        if now_ms >= run.check_ms:
            run.check_ms = now_ms + CHECK_MS
            too_much = self._too_much()
            if too_much:
                self.end(f"the workspace holds {too_much}")

    # -- answers

    def _reply_open(self, fields):
        self.service.reply(self._open_request, fields)
        self._open_request = None

    def _finish(self, status):
        run, self._run = self._run, None
        if self._output is not None:
            self.service.unwatch(self._output)
        text, cut = run.output.text()
        note = None
        if status == "died":
            note = f"[the kernel died: {self.cause}; its variables are lost]"
        elif status == "timeout":
            note = (f"[interrupted after {run.timeout_ms / 1000:g} s; the "
                    "variables are kept]")
        elif run.interrupted == "output":
            note = (f"[interrupted after {OUTPUT_BYTES_MAX >> 20} MiB of "
                    "output; the variables are kept]")
        if note:
            text += ("" if not text or text.endswith("\n") else "\n") + note
        self.service.reply(run.request, {
            "status": status, "output": text, "cut_bytes": cut,
            "elapsed_ms": int(self.service.now_ms() - run.started_ms)})
