#!/usr/bin/python3
"""Runs Python code of a language model in processes of its own, confined, one
for each episode. Requests come in and replies go out as JSON lines:
docs/spreadsheet-isolation.md.

  kernel_host.py --workspaces DIR [options]
  kernel_host.py --workspaces DIR --probe      which rungs this machine has
"""

import argparse
import json
import os
import platform
import signal
import sys
from dataclasses import asdict
from pathlib import Path

if not (Path(__file__).resolve().parent / "sandbox.py").exists():
    # In the source tree what all services share is one folder up.
    sys.path.append(str(Path(__file__).resolve().parents[1]))

import sandbox
import sandbox_launch
import sandbox_probe
from sandbox_probe import Refused
import kernel_plan
import kernel_rights
import kernel_service
import kernel_workspace
import kernel_zygote_link


def _number(least, most):
    def read(text):
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(
                f"{value} is not from {least} to {most}")
        return value
    return read


def _arguments(words):
    parser = argparse.ArgumentParser(
        prog="kernel_host.py",
        description="Runs Python code of a model in confined processes.")
    parser.add_argument("--workspaces", required=True, metavar="DIR",
                        help="workspaces are directories below this one")
    parser.add_argument("--rung", default="auto",
                        choices=["auto", *sandbox_probe.RUNGS],
                        help="of the isolation ladder; auto: the best there is")
    parser.add_argument("--unsafe-exec", action="store_true",
                        help="run code unconfined where no rung works")
    parser.add_argument("--memory-mb", type=_number(256, 1 << 20),
                        default=2048, help="address space of a kernel")
    parser.add_argument("--file-mb", type=_number(1, 1 << 20), default=64,
                        help="size of a file it writes")
    parser.add_argument("--workspace-mb", type=_number(1, 1 << 20),
                        default=256, help="size of all files of a workspace")
    parser.add_argument("--workspace-files", type=_number(1, 1_000_000),
                        default=2000, help="number of files of a workspace")
    parser.add_argument("--cpu-s", type=_number(1, 1_000_000), default=1800,
                        help="processor time of a kernel, over all calls")
    parser.add_argument("--probe", action="store_true",
                        help="print as JSON which rungs work, and exit")
    return parser.parse_args(words)


def _workspaces(path):
    try:
        real = os.path.realpath(path, strict=True)
        if not os.path.isdir(real):
            raise Refused(f"--workspaces {path!r} is not a directory")
        if real == "/":
            raise Refused("--workspaces is /: name a directory for nothing "
                          "but workspaces")
        mode = os.stat(real).st_mode & 0o7777
        if os.geteuid() == 0 and not mode & 0o001:
            # Users of their own have to pass it; each workspace is closed.
            os.chmod(real, mode | 0o001)
        return real
    except OSError as problem:
        raise Refused(f"--workspaces {path!r}: {problem.strerror}; make the "
                      "directory first") from None


def _refuse_without_room(workspaces, quota):
    """Code within its limit could fill the disk, and what lacks space then
    would be the machine's fault."""
    free_mb = kernel_workspace.free_bytes(workspaces) >> 20
    if free_mb < quota.total_mb:
        raise Refused(f"{free_mb} MiB are free in {workspaces}, and one "
                      f"workspace may take {quota.total_mb} MiB; free some, or "
                      "choose another --workspaces (by default it is below "
                      "TMPDIR)")


def _serve(options, workspaces, limits, probe):
    rung = sandbox_probe.choose(probe, options.rung, options.unsafe_exec,
                                "code of a model is not run")
    base = probe.base if rung != "none" else None
    first_user = first_owner = None
    if base is not None:
        first_owner = base + 1  # base itself is the zygote's
        first_user = 1 if rung == "bubblewrap" else first_owner
    arguments = {"limits": asdict(limits) if rung != "none" else None,
                 "workspaces": workspaces}
    if rung != "none":
        kernel_rights.give_up(rung, workspaces)

    def start_zygote():
        return sandbox_launch.launch(
            rung, kernel_plan.of_zygote(workspaces, base), arguments)

    quota = kernel_workspace.Quota(options.workspace_mb,
                                   options.workspace_files, options.file_mb)
    _refuse_without_room(workspaces, quota)
    service = kernel_service.Service(workspaces, quota, start_zygote,
                                     first_user, first_owner)

    def stop(number, frame):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(0)  # the service ends its kernels on the way

    signal.signal(signal.SIGTERM, stop)
    # From a terminal it reaches the whole group; the starter decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hello = {"kernel_host": 1, "isolation": sandbox_probe.NAMES[rung],
             "rungs": probe.rungs, "users": probe.users,
             "python": platform.python_version()}
    service.serve(hello)


def main(words):
    options = _arguments(words)
    limits = sandbox.Limits(options.memory_mb, options.file_mb,
                                   options.cpu_s)
    sandbox.die_with_parent(None)
    try:
        workspaces = _workspaces(options.workspaces)
        rungs = sandbox_probe.RUNGS if options.rung == "auto" \
            else [options.rung]
        probe = sandbox_probe.probe(workspaces, limits, rungs,
                                    kernel_plan.SUBJECT)
        if options.probe:
            best = probe.best()
            print(json.dumps({
                "isolation": sandbox_probe.NAMES[best] if best else None,
                "rungs": probe.rungs, "users": probe.users}))
            return 0 if best else 1
        _serve(options, workspaces, limits, probe)
        return 0
    except (Refused, sandbox_launch.LaunchError,
            kernel_zygote_link.ZygoteFailed) as problem:
        print(f"kernel_host: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
