"""Runs as the first program of a desktop: copies the prepared home, starts
X, D-Bus, the window manager and the in-guest server, and ends with any of
them. Its own end ends everything in its PID namespace.

It is told what to do by a JSON object in an open file. One line to standard
output: {"ready": true, "ports": ...} or {"failed": why}. Standard input: closed by whoever wants the desktop to end.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

HOME = Path("/home/user")
RUNTIME = Path("/run/user/1000")
DISPLAY = ":0"
START_PATIENCE_S = 20
ENDING = threading.Lock()
RELAYED = {"chromium": 9222, "vlc": 8080}  # ports of applications


class Failed(Exception):
    pass


def say(**what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def start(*words, **more):
    try:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, **more)
    except OSError as problem:
        raise Failed(f"{words[0]} cannot be started: {problem}") from None


def start_x(width, height):
    told, tell = os.pipe()
    x = start("Xvfb", DISPLAY, "-screen", "0", f"{width}x{height}x24",
              "-nolisten", "tcp", "-nolisten", "local", "-noreset",
              "-displayfd", str(tell), pass_fds=[tell],
              stderr=subprocess.DEVNULL)
    os.close(tell)
    return x, told


def wait_for(told, what, deadline):
    """One line from a pipe by which a program says that it is ready."""
    ready, _, _ = select.select([told], [], [],
                                max(0, deadline - time.monotonic()))
    line = os.read(told, 4096) if ready else b""
    os.close(told)
    if not line:
        raise Failed(f"{what} did not start within {START_PATIENCE_S} s")
    return line.decode().strip()


def start_bus():
    told, tell = os.pipe()
    bus = start("dbus-daemon", "--session", "--nofork", "--nopidfile",
                "--address", f"unix:path={RUNTIME}/bus", "--print-address",
                str(tell), pass_fds=[tell], stderr=subprocess.DEVNULL)
    os.close(tell)
    return bus, told


def start_windows():
    """The window manager, which says when it has the keys that are its own:
    before that, they reach nobody."""
    place = RUNTIME / "windows"
    os.mkfifo(place)
    told = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    return start("openbox", "--sm-disable", "--startup",
                 f"sh -c 'echo ready > {place}'",
                 stderr=subprocess.DEVNULL), told


def relay(listening, port):
    """Passes connections on to an application's own port in here."""
    def copy(source, sink):
        try:
            while piece := source.recv(1 << 16):
                sink.sendall(piece)
        except OSError:
            pass
        finally:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def serve(caller):
        with caller:
            try:
                inner = socket.create_connection(("127.0.0.1", port), 5)
            except OSError:
                return
            with inner:
                inner.settimeout(None)
                back = threading.Thread(target=copy, args=(inner, caller),
                                        daemon=True)
                back.start()
                copy(caller, inner)
                back.join()

    def accept():
        while True:
            caller, _ = listening.accept()
            threading.Thread(target=serve, args=(caller,),
                             daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def serve(asked):
    """The in-guest server: a process of its own, forked before threads."""
    child = os.fork()
    if child:
        return child
    try:
        from guest_calls import Calls
        from guest_commands import Commands
        from guest_fork import ForkServer
        from guest_http import make_server
        forks = ForkServer(str(RUNTIME / "forks"))
        listening = {name: socket.socket(fileno=number)
                     for name, number in asked["sockets"].items()}
        for name, port in RELAYED.items():
            relay(listening[name], port)
        server = make_server(listening["server"], asked["token"],
                             Calls(Commands(forks)).table())
        server.serve_forever()
    finally:
        os._exit(1)


def ask_for_accessibility():
    """Programs describe themselves only if somebody says that he listens."""
    subprocess.run(
        ["dbus-send", "--session", "--dest=org.a11y.Bus", "--print-reply",
         "/org/a11y/bus", "org.freedesktop.DBus.Properties.Set",
         "string:org.a11y.Status", "string:IsEnabled",
         "variant:boolean:true"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, timeout=START_PATIENCE_S, check=False)


def prepare_home(file):
    if file is not None:
        done = subprocess.run(["tar", "-x", "-C", str(HOME)], stdin=file,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise Failed("the prepared home cannot be copied: "
                         + done.stderr.decode("utf-8", "replace").strip())
    for name in ("Desktop", "Documents", "Downloads", "Music", "Pictures",
                 "Videos"):
        (HOME / name).mkdir(exist_ok=True)


def begin(asked):
    """Starts everything; {process id: name}."""
    deadline = time.monotonic() + START_PATIENCE_S
    os.environ["DISPLAY"] = DISPLAY
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={RUNTIME}/bus"
    x, x_told = start_x(*asked["screen"])
    bus, bus_told = start_bus()
    prepare_home(asked.get("home"))
    server = serve(asked)
    for number in asked["sockets"].values():
        os.close(number)
    wait_for(x_told, "Xvfb", deadline)
    windows, windows_told = start_windows()
    wait_for(bus_told, "dbus-daemon", deadline)
    ask_for_accessibility()
    wait_for(windows_told, "openbox", deadline)
    return {x.pid: "Xvfb", bus.pid: "dbus-daemon", server: "the guest server",
            windows.pid: "openbox"}


def end(code, why=""):
    """Ends all of the desktop, once. Its first process, of bubblewrap, does so by
    itself only if it could ask to die with its parent before that was killed."""
    ENDING.acquire()
    sys.stderr.write(why)
    sys.stderr.flush()
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os._exit(code)


def stay(parts):
    """Until standard input is closed or a part has ended."""
    for pid, name in parts.items():
        def wait(pid=pid, name=name):
            try:
                os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            except ChildProcessError:
                pass  # it has ended already, and was reaped
            end(1, name + " has ended\n")
        threading.Thread(target=wait, daemon=True).start()
    while sys.stdin.buffer.read(4096):
        pass
    end(0)


def run(told):
    """`told`: number of an open file with the JSON object."""
    with open(told, "rb") as file:
        asked = json.load(file)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        parts = begin(asked)
    except (Failed, OSError, subprocess.SubprocessError) as problem:
        say(failed=str(problem))
        end(1)
    say(ready=True, ports=asked["ports"])
    stay(parts)
