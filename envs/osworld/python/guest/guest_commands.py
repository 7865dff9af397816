"""Programs that are started for a caller, and what they said."""

import os
import selectors
import shlex
import signal
import subprocess
import threading
import time

OUTPUT_BYTES_MAX = 64 << 20  # of one program; more is an error
HOME = os.path.expanduser("~")


class Late(Exception):
    pass


def as_words(command, shell):
    """The command as the official server reads it."""
    if isinstance(command, str):
        return command if shell else [_home(one) for one in
                                      shlex.split(command)]
    words = [_home(str(one)) for one in command]
    return words


def _home(word):
    return os.path.expanduser(word) if word.startswith("~/") else word


class Commands:
    def __init__(self, forks):
        self._forks = forks

    def run(self, command, shell, patience_s):
        """(return code, output, errors). Python code is run by a fork.
        Raises Late, OSError."""
        words = as_words(command, shell)
        if not shell and len(words) == 3 and words[1] == "-c" \
                and words[0] in ("python", "python3"):
            return self.fork({"what": "code", "code": words[2]}, patience_s)

        def start(stdout, stderr):
            return subprocess.Popen(
                words, shell=shell, stdin=subprocess.DEVNULL, stdout=stdout,
                stderr=stderr, cwd=HOME, start_new_session=True)
        return _collect(start, patience_s)

    def fork(self, request, patience_s):
        return _collect(lambda out, err: self._forks.start(request, out, err),
                        patience_s)


def launch(command, shell):
    """Starts a program whose end nobody waits for."""
    words = as_words(command, shell)
    start_alone(words, shell)
    return words if isinstance(words, str) else " ".join(words)


def start_alone(words, shell=False):
    started = subprocess.Popen(
        words, shell=shell, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=HOME,
        start_new_session=True)
    # Otherwise it would stay in the list of processes when it has ended.
    threading.Thread(target=started.wait, daemon=True).start()


def _ended(running, patience_s):
    """Its exit code if it ended within this time, or None."""
    if isinstance(running, subprocess.Popen):
        try:
            return running.wait(patience_s)
        except subprocess.TimeoutExpired:
            return None
    return running.poll(patience_s)


def _collect(start, patience_s):
    """Reads both pipes until the program has ended. What it left running may
    hold them open: that is not waited for."""
    deadline = time.monotonic() + patience_s
    pipes = [os.pipe2(os.O_CLOEXEC) for _ in range(2)]
    try:
        running = start(pipes[0][1], pipes[1][1])
    except BaseException:
        for read, write in pipes:
            os.close(read)
            os.close(write)
        raise
    texts = {}
    with selectors.DefaultSelector() as chooser:
        for read, write in pipes:
            os.close(write)
            os.set_blocking(read, False)
            texts[read] = bytearray()
            chooser.register(read, selectors.EVENT_READ)
        try:
            code = _read_until_ended(running, chooser, texts, deadline)
        finally:
            for read in texts:
                os.close(read)
    out, err = (bytes(text).decode("utf-8", "replace")
                for text in texts.values())
    return code, out, err


def _read_until_ended(running, chooser, texts, deadline):
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            _kill(running)
            raise Late()
        if chooser.get_map():
            _read(chooser, texts, min(left, 0.02))
            code = _ended(running, 0)
        else:
            code = _ended(running, left)
        if sum(len(text) for text in texts.values()) > OUTPUT_BYTES_MAX:
            _kill(running)
            raise OSError("the program wrote more than "
                          f"{OUTPUT_BYTES_MAX >> 20} MiB")
        if code is not None:
            _read(chooser, texts, 0)
            return code


def _read(chooser, texts, patience_s):
    for key, _ in chooser.select(patience_s):
        while True:
            try:
                piece = os.read(key.fd, 1 << 16)
            except BlockingIOError:
                break
            if not piece:
                chooser.unregister(key.fd)
                break
            texts[key.fd] += piece
            if len(texts[key.fd]) > OUTPUT_BYTES_MAX:
                break


def _kill(running):
    try:
        os.killpg(running.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    _ended(running, 5)
