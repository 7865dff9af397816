"""What the kernel host keeps of its rights: it reads frames that kernels write,
and starts zygotes, with or without bubblewrap."""

import os
import shutil
import stat
import sys

import sandbox
import sandbox_landlock
import sandbox_launch
import sandbox_seccomp

# Root's, to hand over and look through workspaces, to start and end processes
# of other users, and to see which deleted files those hold.
KEPT = (sandbox.CAP_CHOWN, sandbox.CAP_DAC_OVERRIDE, sandbox.CAP_FOWNER,
        sandbox.CAP_KILL, sandbox.CAP_SETGID, sandbox.CAP_SETUID,
        sandbox.CAP_SYS_PTRACE, sandbox.CAP_CHECKPOINT_RESTORE)
PROGRAMS = ("/usr", "/lib", "/lib64")


def give_up(rung, workspaces):
    """For good, and for all that it starts. The process has one thread."""
    if rung == "bubblewrap" and _bubblewrap_is_setuid():
        return  # an old one, which would lose what it works with
    sandbox.keep_capabilities(*(KEPT if os.geteuid() == 0 else ()))
    if rung != "bubblewrap":
        # Landlock refuses mounts, which bubblewrap lives by.
        modules = {os.path.dirname(os.path.abspath(sys.modules[name].__file__))
                   for name in (__name__, "sandbox")}
        sandbox_landlock.restrict(sandbox_landlock.View(
            writable=(workspaces,), programs=PROGRAMS,
            readable=("/proc", "/bin", sys.prefix, sys.base_prefix,
                      *modules)))
    sandbox_seccomp.enter(sandbox_seccomp.program_of_host())


def _bubblewrap_is_setuid():
    program = shutil.which("bwrap", path=sandbox_launch.PROGRAMS)
    return program is not None and bool(os.stat(program).st_mode
                                        & stat.S_ISUID)
