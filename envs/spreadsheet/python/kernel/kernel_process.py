"""The process of a kernel as the host holds it: a handle for signals, a channel
for frames, and the pipe of its output. Nothing is waited for."""

import contextlib
import os
import signal
import socket

import kernel_frames
import kernel_workspace

FRAME_BYTES_MAX = 4096
PIECE_BYTES = 1 << 16
DRAIN_BYTES_MAX = 1 << 20


class Process:
    """`kernel` is told what comes: take(frame), wrote(data), and end(cause)
    when nothing more can come, or nonsense did."""

    def __init__(self, service, kernel):
        self._service, self._kernel = service, kernel
        self.handle = None  # a pidfd, when there is a process
        self.number = None
        self._decoder = kernel_frames.Decoder(FRAME_BYTES_MAX)
        self._unsent = bytearray()
        self._channel, self._their_channel = socket.socketpair()
        self._output, self._their_output = os.pipe2(os.O_CLOEXEC)
        self._channel.setblocking(False)
        os.set_blocking(self._output, False)
        service.watch(self._channel, self._channel_ready)

    @contextlib.contextmanager
    def their_ends(self):
        """The descriptors for the process; closed here when it has them."""
        try:
            yield [self._their_channel.fileno(), self._their_output]
        finally:
            self._their_channel.close()
            os.close(self._their_output)

    def started(self, handle):
        """`handle` is ours from now on."""
        self.handle = handle
        self.number = kernel_workspace.process_of(handle)

    def signal(self, number):
        if self.handle is None:
            return
        try:
            signal.pidfd_send_signal(self.handle, number)
        except ProcessLookupError:
            pass  # it has ended, which the zygote will tell

    def close(self):
        self.ignore_frames()
        self._channel.close()
        self.ignore_output()
        os.close(self._output)
        if self.handle is not None:
            os.close(self.handle)

    # -- frames

    def send(self, frame):
        self._unsent += kernel_frames.encode(frame)
        self._send()

    def ignore_frames(self):
        self._service.unwatch(self._channel)

    def _send(self):
        try:
            while self._unsent:
                sent = self._channel.send(self._unsent[:PIECE_BYTES])
                del self._unsent[:sent]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()  # its other end is closed: seen by reading
        self._service.watch(self._channel, self._channel_ready,
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
            self._kernel.end(None)
            return
        try:
            for frame in self._decoder.feed(data):
                self._kernel.take(frame)
        except kernel_frames.BadFrame as problem:
            self._kernel.end(
                f"a cell wrote to the kernel's channel ({problem})")

    # -- output

    def watch_output(self):
        self._service.watch(self._output, self._output_ready)

    def ignore_output(self):
        self._service.unwatch(self._output)

    def drain(self):
        """Takes what is there."""
        taken = 0
        while taken < DRAIN_BYTES_MAX:
            got = self._take_output()
            if got == 0:
                return
            taken += got

    def _output_ready(self, readable, writable):
        self._take_output()

    def _take_output(self):
        """How much it was."""
        try:
            data = os.read(self._output, PIECE_BYTES)
        except BlockingIOError:
            return 0
        if data:
            self._kernel.wrote(data)
        else:
            self.ignore_output()  # all ends are closed
        return len(data)
