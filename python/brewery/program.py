"""The program `brewery`: where it is, and what it answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any


class BreweryError(RuntimeError):
    """The program's own error line. `code` is its exit code: 1 failed, 2 bad
    usage or configuration, 130 interrupted; None: it could not be started."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


def program() -> str:
    """Path of the program: the variable BREWERY_PROGRAM, else the one that was
    installed with this module, else the first in PATH."""
    named = os.environ.get("BREWERY_PROGRAM")
    if named:
        return named
    beside = Path(sysconfig.get_path("scripts"), "brewery")
    found = str(beside) if beside.is_file() else shutil.which("brewery")
    if not found:
        raise BreweryError("the program brewery is neither beside this Python "
                           "nor in PATH; set BREWERY_PROGRAM to its path")
    return found


def answers(*words: str | Path) -> list[dict[str, Any]]:
    """What a command prints with --json, one object a line."""
    command = [program(), *map(str, words), "--json"]
    try:
        done = subprocess.run(command, encoding="utf-8", errors="replace",
                              capture_output=True, check=False)
    except OSError as problem:
        raise BreweryError(f"{command[0]} cannot be started: "
                           f"{problem.strerror}") from None
    except UnicodeEncodeError as problem:
        raise BreweryError(f"no UTF-8: {problem.object!r}") from None
    # Not by splitlines(): texts may hold what else ends a line in Unicode.
    if done.returncode:
        lines = done.stderr.strip().split("\n")
        message = lines[-1].removeprefix("brewery: ")
        raise BreweryError(message or "brewery ended without a word",
                           done.returncode)
    try:
        return [json.loads(line) for line in done.stdout.split("\n") if line]
    except ValueError:
        raise BreweryError(f"{command[0]} {words[0]} answered what is no "
                           "JSON: is it another program?") from None
