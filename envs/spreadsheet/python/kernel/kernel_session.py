"""One kernel as the host sees it: opened, asked to run cells, closed; and told
of what happens to its process. Nothing it writes is trusted: its frames are
small and in turn or it is ended, its output is counted and cut.

A kernel runs only during a call. In between it is stopped, so threads that a
cell left behind neither change the workspace nor use the processor.
"""

import signal

import kernel_frames
import kernel_process
import kernel_workspace
from kernel_run import CHECK_MS, Run, answer_of_dead

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
        self._process = None
        self._ready = False
        self._killed = self._is_lost = False

    # -- the process

    def start(self):
        """Asks the zygote for a process."""
        self.attempts += 1
        self._deadline_ms = self.service.now_ms() + START_MS
        self._process = kernel_process.Process(self.service, self)
        with self._process.their_ends() as descriptors:
            self.service.start(self, descriptors)

    @property
    def handle(self):
        """A pidfd, None while there is no process."""
        return None if self._process is None else self._process.handle

    def started(self, handle):
        """`handle` is a pidfd. It is ours from now on."""
        self._process.started(handle)
        if self.state == "ending":  # it was given up before
            self.kill()
        self._opened_if_complete()

    def kill(self):
        if self._process is not None:
            self._process.signal(signal.SIGKILL)

    def end(self, cause):
        """Kills it; `reaped` follows. `cause` None: its status tells."""
        if self.state in ("ending", "dead"):
            return
        self.state = "ending"
        self.cause = cause
        self._deadline_ms = self.service.now_ms() + END_MS
        if self._process is None:
            self.reaped(cause)  # it was not even asked for
            return
        self._process.ignore_frames()
        self.kill()

    def lost(self, why):
        """The process went with another one, whatever its cells did."""
        self._is_lost = self.cause is None
        self.reaped(why)

    def reaped(self, status_text, killed=False):
        """The process is gone. `killed`: by SIGKILL, whoever sent it."""
        if self.state == "dead":
            return
        if self.cause is None and self._run is not None:
            # It may have written since the last look.
            self.cause = self._excess()
        self._killed = killed and self.cause is None
        if self.cause is None and self._run is not None:
            self.cause = self._run.cause(status_text)
        self.cause = self.cause or status_text
        if self._process is not None:
            self._process.drain()
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
        if self._process is not None:
            self._process.close()
        self._process = None
        self._ready = False

    # -- what is asked for

    def run(self, request, code, timeout_ms, output_bytes):
        if self._is_lost:
            self.service.reply(request, self._loss())
            return
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
        self._process.signal(signal.SIGCONT)
        self._process.watch_output()
        self._process.send({"code": code, "cell": self._cells})

    def close(self, request):
        self.closing = True
        if self.state == "dead":
            self.service.reply(request, {})
            return
        self._close_requests.append(request)
        self.end("it was closed")

    # -- events

    def take(self, frame):
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
                self.handle is not None:
            self.state = "idle"
            self._process.signal(signal.SIGSTOP)
            self._reply_open({"kernel": self.number})

    def _done(self, told):
        # First, so that what is looked at now stays as it is.
        self._process.signal(signal.SIGSTOP)
        self._process.drain()
        if self._end_if_too_much():
            return
        self.state = "idle"
        self._finish(self._run.status(told))

    def wrote(self, data):
        if self._run is not None and not self._run.add(data):
            self._interrupt("output")

    def _interrupt(self, why):
        if self.state == "running" and \
                self._run.interrupt(why, self.service.now_ms()):
            self._process.signal(signal.SIGINT)

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
        elif self.handle is None or self.state == "ending":
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
            # On a short disk it stands still, so that nothing moves from what
            # is not counted yet to what is counted.
            short = kernel_workspace.free_bytes(self.workspace) \
                < self.service.quota.total_mb << 20
            if short:
                self._process.signal(signal.SIGSTOP)
            if not self._end_if_too_much() and short:
                self._process.signal(signal.SIGCONT)

    def _end_if_too_much(self):
        cause = self._excess()
        if cause is not None:
            self.end(cause)
        return cause is not None

    def _excess(self):
        return self._run.look(
            self.workspace, self.service.quota,
            None if self._process is None else self._process.number)

    # -- answers

    def _reply_open(self, fields):
        self.service.reply(self._open_request, fields)
        self._open_request = None

    def _finish(self, status):
        run, self._run = self._run, None
        if self._process is not None:
            self._process.ignore_output()
        if self._is_lost:
            self.service.reply(run.request, self._loss())
            return
        answer = run.answer(status, self.cause, self.service.now_ms(),
                            self.service.quota.total_mb << 20)
        self.service.reply(run.request, {**answer, "killed": self._killed})

    def _loss(self):
        return {"error": f"kernel {self.number} was lost: {self.cause}"}
