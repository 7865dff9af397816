"""Tries a rung from the inside, in a process confined as a kernel would be, or
a program that opens workbooks of strangers, once it has started:
what must work has to work, and what must fail has to fail."""

import ctypes
import json
import os
import socket

import sandbox
import sandbox_landlock
import sandbox_seccomp

SYS_SOCKET, SYS_FORK = 41, 57


def _allowed(action):
    try:
        action()
        return None
    except BaseException as problem:
        return f"{type(problem).__name__}: {problem}"


def _write(path):
    with open(path, "w", encoding="ascii") as text:
        text.write("x")


def _read(path):
    with open(path, "rb") as file:
        file.read(1)


def _forked():
    child = ctypes.CDLL(None).syscall(SYS_FORK)
    if child == 0:
        os._exit(0)
    if child < 0:
        raise OSError("no fork")
    os.waitpid(child, 0)


def _networks():
    with open("/proc/net/dev", encoding="ascii") as lines:
        return [line.split(":")[0].strip() for line in lines if ":" in line]


def _from_inside(workspace, beside):
    """What is wrong, or None; runs confined."""
    own = os.path.join(workspace, "trial.txt")
    for needed in (lambda: _write(own), lambda: _read(own),
                   lambda: os.unlink(own), lambda: os.listdir("/usr/lib"),
                   lambda: os.getrandom(1)):
        failure = _allowed(needed)
        if failure:
            return f"nobody could work in it ({failure})"
    return must_fail(beside, os.path.join(workspace, "link")) or None


def must_fail(beside, link="/tmp/link"):
    """What of it does not, "" for nothing; runs confined."""
    for what, forbidden in {
            "read /etc/passwd": lambda: _read("/etc/passwd"),
            "read a file beside its workspace": lambda: _read(beside),
            "write a file beside its workspace": lambda: _write(beside),
            "open a socket": socket.socket,
            "start a process": _forked,
            "write to /tmp": lambda: _write("/tmp/trial"),
            "make a symbolic link":
                lambda: os.symlink("/etc/passwd", link)}.items():
        if _allowed(forbidden) is None:
            return f"what is confined could {what}"
    return ""


def _started():
    """As a program once it is ready: nobody listens any more."""
    os.close(sandbox_seccomp.restrict_with_start())


def _confined(workspace, beside, user, limits, program):
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            sandbox.confine(sandbox_landlock.View(writable=(workspace,)), user,
                            sandbox.Limits(**limits), os.getppid(),
                            _started if program else sandbox_seccomp.restrict)
            answer = _from_inside(workspace, beside) or ""
        except BaseException as problem:
            answer = f"{type(problem).__name__}: {problem}"
        os.write(tell, answer[:500].encode() + b".")
        os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as answer:
        text = answer.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    return text[:-1] if text else "the trial ended early"


def main(control_descriptor, parent, workspace, beside, user, limits,
         program, namespaces):
    sandbox.die_with_parent(parent)
    wrong = ""
    if namespaces:
        if _networks() != ["lo"]:
            wrong = "it has a network of others"
        elif os.getpid() > 100:
            wrong = "it sees processes of others"
        elif _allowed(lambda: _write("/usr/trial")) is None:
            wrong = "/usr can be written"
    wrong = wrong or _confined(workspace, beside, user, limits,
                                program)
    control = socket.socket(fileno=control_descriptor)
    control.send(json.dumps({"wrong": wrong}).encode())
