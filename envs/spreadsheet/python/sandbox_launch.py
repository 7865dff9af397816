"""Starts a Python process in a rung of the isolation ladder.

Its modules are handed over as text in a file without a name, so that nothing
of this program's directories has to be visible where it runs.
"""

import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Optional, Tuple

import sandbox
import sandbox_users
from sandbox_libc import PR_SET_KEEPCAPS, prctl

PYTHON = "/usr/bin/python3"
PROGRAMS = "/usr/bin:/bin:/usr/local/bin"
SHARED = ("sandbox", "sandbox_libc", "sandbox_calls", "sandbox_seccomp",
          "sandbox_landlock")
CAPABILITIES = ["CAP_SETUID", "CAP_SETGID", "CAP_KILL"]

# All that a confined process sees of an environment.
VARIABLES = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
             "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True)
class Plan:
    """What is started and what of the machine it is shown."""

    entry: str                  # the module whose main is called
    modules: Tuple[str, ...]    # handed over, beside SHARED
    writable: str               # the one directory, at its own path
    readable: Tuple[str, ...]   # beside /usr and libraries
    variables: Dict[str, str]
    # The first of a range of ids (see sandbox_users), all of which it has in
    # a namespace; without one, the user of the starter.
    base: Optional[int] = None
    # Instead of that: the only user that it is, in every rung.
    user: Optional[int] = None


BOOT = """
import importlib, importlib.util, json, sys
given = json.load(sys.stdin)
class Given:
    def find_spec(self, name, path=None, target=None):
        if name in given["sources"]:
            return importlib.util.spec_from_loader(name, self)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__
        code = compile(given["sources"][name], name + ".py", "exec")
        exec(code, module.__dict__)
sys.meta_path.insert(0, Given())
importlib.import_module(given["entry"]).main(**given["arguments"])
"""


class LaunchError(RuntimeError):
    """One line: why it cannot be started."""


def _handed_over(plan, arguments):
    sources = {name: Path(importlib.util.find_spec(name).origin).read_text(
        encoding="utf-8") for name in (*SHARED, *plan.modules, plan.entry)}
    file = os.memfd_create("modules")
    with open(file, "w", encoding="ascii", closefd=False) as text:
        json.dump({"sources": sources, "entry": plan.entry,
                   "arguments": arguments}, text)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _root(plan):
    """Arguments of bubblewrap: a file system of what the plan names."""
    words = ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    # Directories that bubblewrap makes on the way are closed to other users.
    words += ["--dir", "/etc"]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for path in plan.readable:
        words += ["--ro-bind-try", path, path]
    for above in reversed(list(Path(plan.writable).parents)[:-1]):
        words += ["--dir", str(above)]
    return words + ["--bind", plan.writable, plan.writable, "--remount-ro",
                    "/", "--chdir", "/"]


def _namespaces():
    return ["--unshare-user", "--unshare-ipc", "--unshare-pid",
            "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
            "--hostname", "kernel", "--die-with-parent", "--new-session",
            "--cap-drop", "ALL"]


class Launched:
    """A started process and this end of its control socket."""

    def __init__(self, process, control):
        self.process, self.control = process, control

    def end(self):
        """Kills it, with all it started where it has a namespace."""
        self.control.close()
        self.kill()

    def kill(self):
        """With its group. Safe from any thread and repeatedly."""
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()


def _start(words, plan, errors, **more):
    return subprocess.Popen(
        words, env=plan.variables, cwd="/", stdout=subprocess.DEVNULL,
        stderr=errors, start_new_session=True, **more)


def _as(user):
    return {} if user is None else {"user": user, "group": user,
                                    "extra_groups": []}


def _map_users(process, information, block, base):
    """Gives the new user namespace its ids: 0 is `base`, and so on."""
    try:
        with os.fdopen(information, encoding="ascii") as text:
            told = json.loads(text.read() or "{}")
        why = _as_owner(base, lambda: _write_maps(told["child-pid"], base))
        if why:
            raise ValueError(why)
        os.write(block, b"1")
    except (OSError, ValueError, KeyError) as problem:
        process.kill()
        process.wait()
        raise LaunchError(f"its users could not be mapped ({problem})") \
            from None
    finally:
        os.close(block)


def _write_maps(pid, base):
    for kind in ("uid_map", "gid_map"):
        with open(f"/proc/{pid}/{kind}", "w", encoding="ascii") as mapping:
            mapping.write(f"0 {base} {sandbox_users.RANGE}")


def _as_owner(user, action):
    """In a child that is `user` and may still change users: the owner of a
    namespace needs no CAP_SYS_ADMIN for it. What is wrong, or ""."""
    told, tell = os.pipe2(os.O_CLOEXEC)
    child = os.fork()
    if child == 0:
        try:
            prctl(PR_SET_KEEPCAPS, 1)
            sandbox.become(user)
            sandbox.keep_capabilities(sandbox.CAP_SETUID, sandbox.CAP_SETGID)
            action()
        except BaseException as problem:
            os.write(tell, str(problem).encode()[:500] or b"?")
        os._exit(0)
    os.close(tell)
    with os.fdopen(told, encoding="utf-8", errors="replace") as answer:
        why = answer.read()
    _, status = os.waitpid(child, 0)
    return why or ("" if status == 0 else "who does it ended")


def _in_bubblewrap(python, plan, inherited, stdin, errors):
    program = shutil.which("bwrap", path=PROGRAMS)
    if program is None:
        raise LaunchError("bwrap is not installed (Debian: bubblewrap)")
    words = [program, *_namespaces()]
    if plan.base is None:
        return _start(words + _root(plan) + python, plan, errors, stdin=stdin,
                      pass_fds=[inherited], **_as(plan.user))
    for name in CAPABILITIES:
        words += ["--cap-add", name]
    told, tell = os.pipe2(os.O_CLOEXEC)
    blocked, block = os.pipe2(os.O_CLOEXEC)
    words += ["--info-fd", str(tell), "--userns-block-fd", str(blocked)]
    try:
        process = _start(
            words + _root(plan) + python, plan, errors, stdin=stdin,
            pass_fds=[inherited, tell, blocked], **_as(plan.base))
    except BaseException:
        os.close(told)
        os.close(block)
        raise
    finally:
        os.close(tell)
        os.close(blocked)
    _map_users(process, told, block, plan.base)
    return process


def launch(rung, plan, arguments, errors=None):
    """`rung`: bubblewrap, landlock or none. `arguments` of the entry's main
    get "control_descriptor" and "parent"."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    own_namespace = rung == "bubblewrap"
    arguments = dict(arguments, control_descriptor=theirs.fileno(),
                     parent=None if own_namespace else os.getpid())
    stdin = _handed_over(plan, arguments)
    python = [PYTHON, "-s", "-P", "-B", "-c", BOOT]
    try:
        if own_namespace:
            process = _in_bubblewrap(python, plan, theirs.fileno(), stdin,
                                     errors)
        else:
            process = _start(python, plan, errors, stdin=stdin,
                             pass_fds=[theirs.fileno()], **_as(plan.user))
    except (OSError, LaunchError, subprocess.SubprocessError) as problem:
        ours.close()
        raise LaunchError(str(problem)) from None
    finally:
        os.close(stdin)
        theirs.close()
    return Launched(process, ours)
