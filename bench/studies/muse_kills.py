#!/usr/bin/env python3
"""Kills runs of MUSE at seeded moments, and compares what they end with.

  muse_kills.py PATH_OF_BREWERY CONFIG DIRECTORY [--points 50]
                [--threads 1,2,8] [--workers 2] [--set OPTION=VALUE]...

One run on one thread is not killed. Then, for each number of threads and for
worker processes, runs are killed (SIGKILL) at moments drawn from its duration
and resumed, once each, until there were that many kills. Every byte of the
memory and the section of the report on it must be those of the first run;
otherwise it ends with 1 and says which run differs. A run that ends before its
moment is played again with another one.
"""

import argparse
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path


def words(chosen, where, options):
    out = [chosen.program, "run", chosen.config, "--id", "run", "--quiet"]
    for option in ["search.learner=muse", f"run.runs_dir={where}",
                   *chosen.set, *options]:
        out += ["--set", option]
    return out


def play(command, kill_after=None):
    """Whether it was killed. Anything but an end or our kill is an error."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    try:
        _, err = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return True
    if process.returncode:
        sys.exit(f"muse_kills: {command[1]} failed: {err.decode()}")
    return False


def bytes_of(run):
    """The memory, and what the report says of it."""
    out = {file.relative_to(run): file.read_bytes()
           for file in sorted((run / "kb").rglob("*")) if file.is_file()}
    text = (run / "report.md").read_text()
    out["report"] = text[text.index("## Memory"):].encode()
    return out


def kill_once(chosen, where, options, seconds, draw):
    """False if the run ended before."""
    shutil.rmtree(where, ignore_errors=True)
    if not play(words(chosen, where, options), draw.uniform(0.02, seconds)):
        return False
    if (where / "run" / "events.db").exists():
        play([chosen.program, "resume", str(where / "run")])
    else: # killed before there was a log
        shutil.rmtree(where, ignore_errors=True)
        play(words(chosen, where, options))
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--points", type=int, default=50)
    parser.add_argument("--threads", default="1,2,8")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--set", action="append", default=[])
    chosen = parser.parse_args()
    chosen.directory = chosen.directory.absolute()
    whole = chosen.directory / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    play(words(chosen, whole, ["run.threads=1"]))
    wanted = bytes_of(whole / "run")
    kinds = [[f"run.threads={one}"] for one in chosen.threads.split(",")]
    if chosen.workers:
        kinds.append([f"run.workers={chosen.workers}"])
    differing = 0
    for options in kinds:
        draw = random.Random(14)
        where = chosen.directory / "killed"
        shutil.rmtree(where, ignore_errors=True)
        began = time.monotonic()
        play(words(chosen, where, options))
        seconds = time.monotonic() - began
        differing += bytes_of(where / "run") != wanted
        done = 0
        while done < chosen.points:
            if not kill_once(chosen, where, options, seconds, draw):
                continue
            done += 1
            if bytes_of(where / "run") != wanted:
                differing += 1
                print(f"{options[0]}: kill {done} changed a byte")
        print(f"{options[0]}: {done} kills", flush=True)
    print(f"{differing} runs differ from the one that was not killed")
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
