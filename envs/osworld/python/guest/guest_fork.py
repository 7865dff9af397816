"""Python code in processes that are forked, not started.

Starting Python and importing PyAutoGUI takes longer than most actions. One
process, forked before this program has threads, has the modules loaded and
nothing opened; it forks one child for each request, which is as good as a new
`python -c`: own process group, own X connection, gone afterwards.
"""

import array
import json
import os
import selectors
import signal
import socket
import struct
import sys
import traceback

LENGTH = struct.Struct("=I")


class ForkServer:
    """Of this side: sends requests; any thread."""

    def __init__(self, path):
        self._path = path
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(path)
        self._listening.listen(16)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _serve(self._listening)
            finally:
                os._exit(1)
        self._listening.close()

    def start(self, request, stdout, stderr):
        """Starts a child with these file numbers as its output."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(self._path)
        text = json.dumps(request).encode()
        connection.sendmsg(
            [LENGTH.pack(len(text))],
            [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
              array.array("i", [stdout, stderr]))])
        connection.sendall(text)
        return Forked(connection)


class Forked:
    """A running child: like subprocess.Popen, as far as it is used."""

    def __init__(self, connection):
        self._connection = connection
        self._told = b""
        self.returncode = None
        self.pid = int(self._line())

    def _line(self):
        while b"\n" not in self._told:
            piece = self._connection.recv(64)
            if not piece:
                raise OSError("the process that forks has ended")
            self._told += piece
        line, _, self._told = self._told.partition(b"\n")
        return line

    def poll(self, patience_s=0.0):
        if self.returncode is None:
            self._connection.settimeout(patience_s or 1e-6)
            try:
                self.returncode = int(self._line())
                self._connection.close()
            except TimeoutError:
                pass
            except BlockingIOError:
                pass
        return self.returncode


def _receive(connection):
    head, rights, _, _ = connection.recvmsg(LENGTH.size,
                                            socket.CMSG_SPACE(8))
    files = array.array("i")
    for _, _, data in rights:
        files.frombytes(data[:len(data) - len(data) % files.itemsize])
    size, = LENGTH.unpack(head)
    text = b""
    while len(text) < size:
        piece = connection.recv(size - len(text))
        if not piece:
            raise OSError("the request ended early")
        text += piece
    return json.loads(text), list(files)


def _load():
    """What children find loaded. None of it opens anything when imported."""
    import time  # noqa: F401
    import pyautogui  # noqa: F401
    import Xlib.display  # noqa: F401
    import Xlib.ext.xtest  # noqa: F401
    import guest_tree
    try:
        guest_tree.load()
    except (ImportError, ValueError):
        pass  # said by whoever asks for a tree


def _serve(listening):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _load()
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    waiting = {}
    chooser = selectors.DefaultSelector()
    chooser.register(listening, selectors.EVENT_READ)
    chooser.register(woken, selectors.EVENT_READ)
    while True:
        for key, _ in chooser.select():
            if key.fileobj is listening:
                _fork_one(listening, waiting)
            else:
                os.read(woken, 4096)
                _reap(waiting)


def _fork_one(listening, waiting):
    connection, _ = listening.accept()
    try:
        request, files = _receive(connection)
        child = os.fork()
        if child == 0:
            _become(request, files)
        for one in files:
            os.close(one)
        connection.sendall(b"%d\n" % child)
        waiting[child] = connection
    except (OSError, ValueError, struct.error):
        connection.close()


def _reap(waiting):
    while True:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if child == 0:
            return
        connection = waiting.pop(child, None)
        if connection is not None:
            try:
                connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            except OSError:
                pass  # nobody waits any more
            connection.close()


def _become(request, files):
    """The child: runs the request and ends."""
    code = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        nothing = os.open("/dev/null", os.O_RDONLY)
        for number, file in ((0, nothing), (1, files[0]), (2, files[1])):
            os.dup2(file, number)
        os.closerange(3, 4096)
        sys.stdin = open(0, closefd=False)
        sys.stdout = open(1, "w", closefd=False)
        sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")
        code = _run(request)
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            pass
        os._exit(code)


def _run(request):
    if request["what"] in ("tree", "terminal"):
        import guest_tree
        reader = guest_tree.Reader()
        json.dump(reader.tree() if request["what"] == "tree"
                  else reader.terminal(), sys.stdout)
        return 0
    return _run_code(request["code"])


def _run_code(code):
    """As `python -c` would, with its exit code."""
    main = type(sys)("__main__")
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    sys.argv = ["-c"]
    try:
        exec(compile(code, "<string>", "exec"), main.__dict__)
        return 0
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return (ended.code or 0) & 0xFF
        print(ended.code, file=sys.stderr)
        return 1
    except BaseException as problem:
        own = problem.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename != "<string>":
            own = own.tb_next
        traceback.print_exception(type(problem), problem, own)
        return 1
