#!/usr/bin/env python3
"""Runs a command, and again whenever a file below the folders changes.

  watch.py FOLDER... -- COMMAND ARGUMENT...

Looks at sizes and times twice a second; ends with Ctrl-C.
"""

import subprocess
import sys
import time
from pathlib import Path

EVERY = 0.5


def state(folders):
    """What changes when a file is written, added or removed."""
    found = {}
    for folder in folders:
        for path in Path(folder).rglob("*"):
            if path.name.startswith(".") or "__pycache__" in path.parts:
                continue
            try:
                entry = path.stat()
            except FileNotFoundError: # an editor's temporary file
                continue
            if path.is_file():
                found[path] = (entry.st_mtime_ns, entry.st_size)
    return found


def main(arguments):
    if "--" not in arguments[1:-1]:
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    folders, command = arguments[:split], arguments[split + 1:]
    if missing := [f for f in folders if not Path(f).is_dir()]:
        print(f"watch: no such folder: {', '.join(missing)}", file=sys.stderr)
        return 2
    while True:
        # Before the command: what is saved while it runs makes it run again.
        before = state(folders)
        code = subprocess.run(command).returncode
        print(f"watch: {'passed' if code == 0 else 'failed'}, waiting for a "
              f"change in {', '.join(folders)}", flush=True)
        while state(folders) == before:
            time.sleep(EVERY)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
