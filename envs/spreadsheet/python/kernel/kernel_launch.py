"""Starts the zygote, or a trial of it, in a rung of the isolation ladder.

Its modules are handed over as text in a file without a name, so that nothing
of this program's directories has to be visible where it runs.
"""

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import kernel_users

PYTHON = "/usr/bin/python3"
MODULES = Path(__file__).resolve().parent
NEEDED = ["kernel_frames", "kernel_traceback", "kernel_cell", "kernel_main",
          "kernel_zygote", "kernel_trial", "kernel_sandbox",
          "kernel_sandbox_libc", "kernel_sandbox_calls",
          "kernel_sandbox_seccomp", "kernel_sandbox_landlock"]
CAPABILITIES = ["CAP_SETUID", "CAP_SETGID", "CAP_KILL"]

# All that the zygote and the kernels see of an environment. Libraries take one
# thread (a fork has only one), text and sets are the same in each run.
VARIABLES = {
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
    "HOME": "/", "USER": "kernel", "LOGNAME": "kernel", "TZ": "UTC",
    "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1", "NUMEXPR_MAX_THREADS": "1",
}

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


def _handed_over(entry, arguments):
    sources = {name: (MODULES / f"{name}.py").read_text(encoding="utf-8")
               for name in NEEDED}
    file = os.memfd_create("kernel-modules")
    with open(file, "w", encoding="ascii", closefd=False) as text:
        json.dump({"sources": sources, "entry": entry,
                   "arguments": arguments}, text)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _root(workspaces):
    """Arguments of bubblewrap: a file system of what Python needs."""
    words = ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/lib", "/lib64"):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    # Directories that bubblewrap makes on the way are closed to other users.
    words += ["--dir", "/etc"]
    for path in ("/etc/mime.types", "/etc/localtime", "/etc/timezone",
                 "/etc/ld.so.cache", "/etc/alternatives"):
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for above in reversed(list(Path(workspaces).parents)[:-1]):
        words += ["--dir", str(above)]
    return words + ["--bind", workspaces, workspaces, "--remount-ro", "/",
                    "--chdir", "/"]


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
        self.process.kill()
        self.process.wait()


def _start(words, errors, **more):
    return subprocess.Popen(
        words, env=VARIABLES, cwd="/", stdout=subprocess.DEVNULL,
        stderr=errors, start_new_session=True, **more)


def _map_users(process, information, block, base):
    """Gives the new user namespace its ids: 0 is `base`, and so on."""
    try:
        with os.fdopen(information, encoding="ascii") as text:
            told = json.loads(text.read() or "{}")
        for kind in ("uid_map", "gid_map"):
            with open(f"/proc/{told['child-pid']}/{kind}", "w",
                      encoding="ascii") as mapping:
                mapping.write(f"0 {base} {kernel_users.RANGE}")
        os.write(block, b"1")
    except (OSError, ValueError, KeyError) as problem:
        process.kill()
        process.wait()
        raise LaunchError(f"its users could not be mapped ({problem})") \
            from None
    finally:
        os.close(block)


def _in_bubblewrap(python, workspaces, base, inherited, stdin, errors):
    program = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    if program is None:
        raise LaunchError("bwrap is not installed (Debian: bubblewrap)")
    words = [program, *_namespaces()]
    if base is None:
        return _start(words + _root(workspaces) + python, errors,
                      stdin=stdin, pass_fds=[inherited])
    for name in CAPABILITIES:
        words += ["--cap-add", name]
    told, tell = os.pipe2(os.O_CLOEXEC)
    blocked, block = os.pipe2(os.O_CLOEXEC)
    words += ["--info-fd", str(tell), "--userns-block-fd", str(blocked)]
    try:
        process = _start(
            words + _root(workspaces) + python, errors, stdin=stdin,
            pass_fds=[inherited, tell, blocked], user=base, group=base,
            extra_groups=[])
    except BaseException:
        os.close(told)
        os.close(block)
        raise
    finally:
        os.close(tell)
        os.close(blocked)
    _map_users(process, told, block, base)
    return process


def launch(rung, workspaces, base, entry, arguments, errors=None):
    """`rung`: bubblewrap, landlock or none. `base`: see kernel_users, or None
    for one user. `arguments` of the entry module's main get
    "control_descriptor" and "parent"."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    own_namespace = rung == "bubblewrap"
    arguments = dict(arguments, control_descriptor=theirs.fileno(),
                     parent=None if own_namespace else os.getpid())
    stdin = _handed_over(entry, arguments)
    python = [PYTHON, "-s", "-P", "-B", "-c", BOOT]
    try:
        if own_namespace:
            process = _in_bubblewrap(python, workspaces, base,
                                     theirs.fileno(), stdin, errors)
        else:
            process = _start(python, errors, stdin=stdin,
                             pass_fds=[theirs.fileno()])
    except (OSError, LaunchError) as problem:
        ours.close()
        raise LaunchError(str(problem)) from None
    finally:
        os.close(stdin)
        theirs.close()
    return Launched(process, ours)
