"""What a confined program does only at its start: new processes, sockets.

A program such as LibreOffice binds a socket and starts processes before it is
ready, and never has to afterwards. Until then it has read nothing of anybody.
Its filter asks a listener, which is here, in the process that started it, and
is closed for good when it is ready.
"""

import errno
import fcntl
import select
import struct

RECEIVE, SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_*
NOTIFICATION_BYTES = 80
CONTINUE = 1


def allow_until(listener, control, timeout_ms):
    """Lets the calls be made until `control` can be read, or has ended. False:
    that took longer than allowed."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(listener, select.POLLIN)
    while True:
        ready = dict(poll.poll(timeout_ms()))
        if not ready:
            return False
        if ready.get(listener, 0) & select.POLLIN:
            _allow(listener)
        elif control.fileno() in ready:
            return True
        else:
            poll.unregister(listener)  # all that were confined have ended


def _allow(listener):
    asked = bytearray(NOTIFICATION_BYTES)
    try:
        fcntl.ioctl(listener, RECEIVE, asked)
        number, = struct.unpack_from("=Q", asked)
        fcntl.ioctl(listener, SEND,
                    struct.pack("=QqiI", number, 0, 0, CONTINUE))
    except OSError as problem:
        if problem.errno not in (errno.ENOENT, errno.EINTR):
            raise  # otherwise whoever asked was killed meanwhile
