"""The zygote: a Python with the libraries loaded that never runs code of a
model. Each kernel is a fork of it, which takes milliseconds instead of a
second. It has one thread, or its forks would start with locks held."""

import gc
import importlib
import json
import os
import select
import signal
import socket

import kernel_main
import sandbox
import sandbox_landlock
import sandbox_seccomp

MESSAGE_BYTES = 1 << 16
LIBRARIES = ["numpy", "pandas", "openpyxl"]


def _load():
    """Name -> version. A library that is missing is said, not fatal: without
    pandas a kernel is still of use."""
    versions = {}
    for name in LIBRARIES:
        try:
            versions[name] = importlib.import_module(name).__version__
        except ImportError as problem:
            versions[name] = f"missing ({problem})"[:200]
    if not versions["openpyxl"].startswith("missing"):
        # What a first workbook would load, in each kernel anew.
        for name in ("openpyxl.reader.excel", "openpyxl.writer.excel"):
            importlib.import_module(name)
    return versions


class Zygote:
    def __init__(self, control, limits):
        self._control = control
        self._limits = limits
        self._kernels = {}  # pid -> number of the kernel
        self._woken, self._wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def serve(self, versions):
        """Until the host closes the control socket."""
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self._tell({"ready": versions})
        # The objects of the libraries stay shared with the forks.
        gc.collect()
        gc.freeze()
        while True:
            ready, _, _ = select.select([self._control, self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._reap()
            if self._control in ready:
                data, received, _, _ = socket.recv_fds(
                    self._control, MESSAGE_BYTES, 2)
                if not data:
                    return
                self._open(json.loads(data), received)

    def _tell(self, message, descriptors=()):
        socket.send_fds(self._control, [json.dumps(message).encode()],
                        descriptors)

    def _open(self, asked, received):
        number, own = asked["open"], os.getpid()
        try:
            pid = os.fork()
        except OSError as problem:
            for descriptor in received:
                os.close(descriptor)
            self._tell({"failed": number, "why": f"fork: {problem.strerror}"})
            return
        if pid == 0:
            self._become_kernel(asked, received, own)
        for descriptor in received:
            os.close(descriptor)
        self._kernels[pid] = number
        handle = os.pidfd_open(pid)
        self._tell({"opened": number}, [handle])
        os.close(handle)

    def _become_kernel(self, asked, received, parent):
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            kernel_main.live(asked["workspace"], asked["user"], self._limits,
                             parent, *received)
        finally:
            os._exit(1)

    def _reap(self):
        while self._kernels:
            ended = os.waitid(os.P_ALL, 0,
                              os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return
            # While it is not reaped its number is its own: what it started
            # (only without a sandbox) goes with it.
            try:
                os.killpg(ended.si_pid, signal.SIGKILL)
            except OSError:
                pass
            _, status = os.waitpid(ended.si_pid, 0)
            number = self._kernels.pop(ended.si_pid, None)
            if number is not None:
                self._tell({"reaped": number,
                            "status": os.waitstatus_to_exitcode(status)})


def _confine(workspaces):
    """As far as somebody can be who starts and confines kernels: it opens what
    they open, and /proc to count threads."""
    sandbox_landlock.restrict(sandbox_landlock.View(
        writable=(workspaces,), readable=("/proc",)))
    sandbox_seccomp.enter(sandbox_seccomp.program_of_zygote())


def main(control_descriptor, limits, parent, workspaces):
    """`limits`: of sandbox.Limits, or None for no sandbox; `parent`:
    number of the host, None in a namespace of its own."""
    sandbox.die_with_parent(parent)
    if limits is not None:
        # What it takes to give kernels users of their own; it has no more
        # even where it is not in a namespace. Nobody else can lose them.
        keep = (sandbox.CAP_KILL, sandbox.CAP_SETGID, sandbox.CAP_SETUID)
        sandbox.keep_capabilities(*(keep if os.geteuid() == 0 else ()))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=control_descriptor)
    held = None if limits is None else sandbox.Limits(**limits)
    versions = _load()
    if limits is not None:
        _confine(workspaces)
    Zygote(control, held).serve(versions)
