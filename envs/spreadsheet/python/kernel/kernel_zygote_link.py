"""The host's side of the zygote: asks it for processes, hears how they ended,
and starts another one when it is gone."""

import json
import os
import select
import signal
import socket
import sys

import sandbox_launch
from sandbox_libc import PR_SET_CHILD_SUBREAPER, prctl

READY_TIMEOUT_S = 60  # libraries are loaded; a busy machine takes its time
FAILURES_MAX = 3      # zygotes in a row that end before they are ready
ATTEMPTS_MAX = 3      # zygotes that one kernel is asked of
MESSAGE_BYTES = 1 << 16
END_TIMEOUT_MS = 10_000


class ZygoteFailed(RuntimeError):
    pass


def ending(status):
    """In words, from an exit code or a negative signal number."""
    if status >= 0:
        return f"its process ended with exit code {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    if -status == signal.SIGKILL:
        return (f"its process was ended by {name}: its processor time was "
                "used up, or the machine's memory")
    return f"its process was ended by {name}"


def _children():
    own = str(os.getpid())
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open(f"/proc/{name}/stat", "rb") as facts:
                    # After the name, which is in brackets: state, parent.
                    after = facts.read().rpartition(b")")[2].split()
                if after[1].decode() == own:
                    yield int(name)
        except OSError:
            pass  # it has ended meanwhile


def reap_all_children():
    """Kernels after their zygote, and without a sandbox what they started."""
    try:
        while True:
            for child in _children():
                os.kill(child, signal.SIGKILL)
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


class ZygoteLink:
    def __init__(self, service, start):
        self._service = service
        self._start = start
        self._launched = None
        self._failures = 0
        self.ready = False
        self.versions = {}
        # Kernels whose zygote has died become children of this process, which
        # can then tell when they are gone.
        prctl(PR_SET_CHILD_SUBREAPER, 1)

    def begin(self):
        """Starts the first one and waits until it is ready."""
        self._launch()
        poll = select.poll()
        poll.register(self._launched.control, select.POLLIN)
        if not poll.poll(READY_TIMEOUT_S * 1000):
            raise ZygoteFailed("Python did not load its libraries within "
                               f"{READY_TIMEOUT_S} s")
        self._failures = FAILURES_MAX  # the first failure is the last
        self._message_ready(True, False)
        missing = [f"{name}: {version}" for name, version
                   in self.versions.items() if version.startswith("missing")]
        if missing:
            raise ZygoteFailed(
                f"{'; '.join(missing)}; install python3-openpyxl and "
                "python3-pandas for " + sandbox_launch.PYTHON)

    def _launch(self):
        self._launched = self._start()
        self._launched.control.setblocking(False)
        self._service.watch(self._launched.control, self._message_ready)

    def ask(self, kernel, user, descriptors):
        message = json.dumps({"open": kernel.number, "user": user,
                              "workspace": kernel.workspace}).encode()
        try:
            socket.send_fds(self._launched.control, [message], descriptors)
        except OSError:
            self.replace()

    def replace(self):
        """It is gone, or hangs. When its socket tells, kernels that are still
        opening are asked of the next one."""
        print("kernel_host: the zygote does not answer", file=sys.stderr,
              flush=True)
        self._launched.process.kill()

    def _message_ready(self, readable, writable):
        try:
            data, handles, _, _ = socket.recv_fds(
                self._launched.control, MESSAGE_BYTES, 1)
        except BlockingIOError:
            return
        except OSError:
            data, handles = b"", []
        if not data:
            self._lost()
            return
        message = json.loads(data)
        if "ready" in message:
            self._became_ready(message["ready"])
        elif "opened" in message:
            kernel = self._service.kernel(message["opened"])
            if kernel is None or kernel.state == "dead":
                for handle in handles:
                    os.close(handle)
            else:
                kernel.started(handles[0])
        elif "failed" in message:
            kernel = self._service.kernel(message["failed"])
            if kernel is not None:
                kernel.reaped(message["why"])
        elif "reaped" in message:
            kernel = self._service.kernel(message["reaped"])
            if kernel is not None:
                status = message["status"]
                kernel.reaped(ending(status), status == -signal.SIGKILL)

    def _became_ready(self, versions):
        self.versions = versions
        self.ready = True
        self._failures = 0
        for kernel in self._service.kernels():
            if kernel.state == "opening":
                kernel.start()

    def _lost(self):
        """The zygote has ended, and so have its kernels, or will."""
        was_ready, self.ready = self.ready, False
        self._service.unwatch(self._launched.control)
        self._launched.end()
        for kernel in self._service.kernels():
            self._end_kernel(kernel)
        reap_all_children()
        if not was_ready:
            self._failures += 1
        if self._failures >= FAILURES_MAX:
            raise ZygoteFailed("Python ended while it loaded its libraries: "
                               "see the lines above")
        print("kernel_host: the zygote ended; another one is started",
              file=sys.stderr, flush=True)
        self._launch()

    def _end_kernel(self, kernel):
        if kernel.state == "dead":
            return
        again = kernel.state == "opening" and kernel.attempts < ATTEMPTS_MAX
        if kernel.handle is not None:
            kernel.kill()
            poll = select.poll()
            poll.register(kernel.handle, select.POLLIN)
            poll.poll(END_TIMEOUT_MS)
        if again:
            kernel.let_go()  # until the next zygote is ready
        else:
            kernel.lost("the zygote, which had started it, ended")

    def end(self):
        if self._launched is not None:
            self._service.unwatch(self._launched.control)
            for kernel in self._service.kernels():
                kernel.kill()
            self._launched.end()
            reap_all_children()
