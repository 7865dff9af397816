"""Windows by their titles, and files opened in them, through wmctrl."""

import os
import shutil
import subprocess
import time

from guest_commands import start_alone

WMCTRL_PATIENCE_S = 10
# The official server waits 1800 s for a window of a file that it opened.
OPEN_PATIENCE_S = 100


def titles():
    """All lines of `wmctrl -l`; none if it fails."""
    listed = subprocess.run(["wmctrl", "-l"], capture_output=True, text=True,
                            timeout=WMCTRL_PATIENCE_S, check=False)
    return listed.stdout.splitlines()


def _act(action, name, strict, by_class):
    done = subprocess.run(
        ["wmctrl", "-" + ("x" if by_class else "") + ("F" if strict else "")
         + action, name], capture_output=True, timeout=WMCTRL_PATIENCE_S,
        check=False)
    return done.returncode == 0


def activate(name, strict, by_class):
    return _act("a", name, strict, by_class)


def close(name, strict, by_class):
    return _act("c", name, strict, by_class)


def open_file(path):
    """(status, text) as the official server answers."""
    path = os.path.expandvars(os.path.expanduser(path))
    program = shutil.which(path)
    if not os.path.exists(path) and not program:
        return 404, f"Application/file not found: {path}"
    words = ["xdg-open", path] if os.path.exists(path) else [program]
    start_alone(words)
    name = os.path.basename(path.rstrip("/"))
    stem = os.path.splitext(name)[0]
    deadline = time.monotonic() + OPEN_PATIENCE_S
    while time.monotonic() < deadline:
        for line in titles():
            if name in line or stem in line:
                number = line.split(maxsplit=1)[0]
                subprocess.run(["wmctrl", "-i", "-a", number], check=False,
                               capture_output=True, timeout=WMCTRL_PATIENCE_S)
                return 200, "File opened and window activated successfully"
        time.sleep(0.1)
    return 500, (f"Failed to find window for {name} within {OPEN_PATIENCE_S} "
                 "seconds.")
