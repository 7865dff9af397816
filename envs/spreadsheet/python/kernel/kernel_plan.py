"""How kernels are started: what the process that they are forked from gets of
the machine."""

import sandbox_launch
import sandbox_probe

# Libraries take one thread (a fork has only one), text and sets are the same
# in each run.
VARIABLES = {
    **sandbox_launch.VARIABLES,
    "HOME": "/", "USER": "kernel", "LOGNAME": "kernel",
    "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "NUMEXPR_MAX_THREADS": "1",
}
MODULES = ("kernel_frames", "kernel_traceback", "kernel_cell", "kernel_main")
READABLE = ("/etc/mime.types", "/etc/localtime", "/etc/timezone",
            "/etc/ld.so.cache", "/etc/alternatives")
SUBJECT = sandbox_probe.Subject("--workspaces", readable=READABLE)


def of_zygote(workspaces, base):
    """`base`: see sandbox_users, or None for one user."""
    return sandbox_launch.Plan("kernel_zygote", MODULES, workspaces, READABLE,
                               VARIABLES, base)
