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
import kernel_workspace
from kernel_run import CHECK_MS, Run, answer_of_dead

FRAME_BYTES_MAX = 4096
PIECE_BYTES = 1 << 16
DRAIN_BYTES_MAX = 1 << 20
START_MS = 20_000  # until it is ready
END_MS = 10_000    # from SIGKILL until the zygote tells of its end


class Kernel:
    """`service`: kernel_service.Service, of which it uses reply, watch,
    unwatch, now_ms, start, stuck, gone and quota."""

    def __init__(self, service, number, workspace, slot, request):
        self.service, self.number = service, number
        self.workspace, self.slot = workspace, slot
        self.state = "opening"  # then idle, running, ending, dead
        self.cause = None       # of its end
        self.closing = False
        self.attempts = 0
        self._open_request = request
        self._close_requests = []
        self._deadline_ms = None  # of the start, then of the end
        self._run = None
        self._cells = 0
        self._channel = self._output = None
        self.process = None  # a pidfd
        self._process_number = None
        self._ready = False
        self._decoder = None
        self._unsent = bytearray()

    # -- the process

    def start(self):
        """Asks the zygote for a process."""
        self.attempts += 1
        self._deadline_ms = self.service.now_ms() + START_MS
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
        self.process = process
        self._process_number = kernel_workspace.process_of(process)
        if self.state == "ending":  # it was given up before
            self.kill()
        self._opened_if_complete()

    def kill(self):
        self._signal(signal.SIGKILL)

    def _signal(self, number):
        if self.process is None:
            return
        try:
            signal.pidfd_send_signal(self.process, number)
        except ProcessLookupError:
            pass  # it has ended, which the zygote will tell

    def end(self, cause):
        """Kills it; `reaped` follows. `cause` None: its status tells."""
        if self.state in ("ending", "dead"):
            return
        self.state = "ending"
        self.cause = cause
        self._deadline_ms = self.service.now_ms() + END_MS
        if self._channel is None:
            self.reaped(cause)  # it was not even asked for
            return
        self.service.unwatch(self._channel)
        self.kill()

    def reaped(self, status_text):
        """The process is gone."""
        if self.state == "dead":
            return
        if self.cause is None and self._run is not None:
            self.cause = self._run.cause(status_text)
        self.cause = self.cause or status_text
        self._drain()
        self.state = "dead"
        self.let_go()
        self.service.gone(self)
        if self._open_request is not None:
            self._reply_open({"error": f"the kernel did not start: "
                                       f"{self.cause}"})
        if self._run is not None:
            self._finish("died")
        for request in self._close_requests:
            self.service.reply(request, {})
        self._close_requests = []

    def let_go(self):
        """Forgets the process and its channels."""
        if self._channel is not None:
            self.service.unwatch(self._channel)
            self._channel.close()
            self.service.unwatch(self._output)
            os.close(self._output)
        if self.process is not None:
            os.close(self.process)
        self._channel = self._output = self.process = None
        self._process_number = None
        self._ready = False

    # -- what is asked for

    def run(self, request, code, timeout_ms, output_bytes):
        if self.state in ("ending", "dead"):
            self.service.reply(request, answer_of_dead(self.cause))
            return
        if self.state != "idle":
            self.service.reply(request, {
                "error": f"kernel {self.number} is {self.state}; wait for "
                         "the answer to the request before"})
            return
        self._cells += 1
        self.state = "running"
        self._run = Run(request, self._cells, timeout_ms, output_bytes,
                        self.service.now_ms())
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
            # channel, and it is killed as nothing can be said to it any more.
            self.end(None)
            return
        try:
            for frame in self._decoder.feed(data):
                self._take(frame)
        except kernel_frames.BadFrame as problem:
            self.end(f"a cell wrote to the kernel's channel ({problem})")

    def _take(self, frame):
        if self.state == "opening" and frame.get("ready") is True:
            self._ready = True
            self._opened_if_complete()
        elif self.state == "opening" and "failed" in frame:
            self.end(str(frame["failed"])[:500])
        elif self.state == "running" and \
                frame.get("cell") == self._run.cell and \
                frame.get("done") in ("ok", "error", "interrupted"):
            self._done(frame["done"])
        elif self.state not in ("ending", "dead"):
            raise kernel_frames.BadFrame("a frame out of turn")

    def _opened_if_complete(self):
        """It says that it is ready, and the zygote gave us its handle; either
        comes first."""
        if self.state == "opening" and self._ready and \
                self.process is not None:
            self.state = "idle"
            self._signal(signal.SIGSTOP)
            self._reply_open({"kernel": self.number})

    def _done(self, told):
        # First, so that what is looked at now stays as it is.
        self._signal(signal.SIGSTOP)
        self._drain()
        if self._end_if_too_much():
            return
        self.state = "idle"
        self._finish(self._run.status(told))

    def _output_ready(self, readable, writable):
        self._take_output()

    def _take_output(self):
        """How much it was."""
        try:
            data = os.read(self._output, PIECE_BYTES)
        except BlockingIOError:
            return 0
        if not data:
            self.service.unwatch(self._output)  # all ends are closed
        elif self._run is not None and not self._run.add(data):
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
        if self.state == "running" and \
                self._run.interrupt(why, self.service.now_ms()):
            self._signal(signal.SIGINT)

    # -- time

    def next_ms(self):
        """When `tick` is wanted; None: never."""
        if self.state == "running":
            return min(self._run.deadline_ms, self._run.check_ms)
        if self.state in ("opening", "ending"):
            return self._deadline_ms
        return None

    def tick(self, now_ms):
        if self.state == "running":
            self._tick_run(now_ms)
        elif self.process is None or self.state == "ending":
            # The zygote neither starts nor reaps any more.
            self._deadline_ms = None
            self.service.stuck()
        else:
            self.end(f"not ready within {START_MS // 1000} s")

    def _tick_run(self, now_ms):
        if now_ms >= self._run.deadline_ms:
            if self._run.is_interrupted():
                self.end(self._run.stubborn())
                return
            self._interrupt("time")
        if now_ms >= self._run.check_ms:
            self._run.check_ms = now_ms + CHECK_MS
            self._end_if_too_much()

    def _end_if_too_much(self):
        too_much = kernel_workspace.excess(self.workspace, self.service.quota,
                                           self._process_number)
        if too_much:
            self.end(f"the workspace holds {too_much}")
        return too_much is not None

    # -- answers

    def _reply_open(self, fields):
        self.service.reply(self._open_request, fields)
        self._open_request = None

    def _finish(self, status):
        run, self._run = self._run, None
        if self._output is not None:
            self.service.unwatch(self._output)
        self.service.reply(run.request, run.answer(
            status, self.cause, self.service.now_ms()))
