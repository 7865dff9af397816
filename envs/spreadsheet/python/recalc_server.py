#!/usr/bin/python3
"""Recalculates workbooks with LibreOffice, on request, a line of JSON each.

    recalc_server.py [--office soffice] [--profile DIR] [--cache DIR]
    recalc_server.py --probe        # what is here, as JSON

Hello, requests and statuses: docs/spreadsheet-grading.md.
"""

from __future__ import annotations

import argparse
import fcntl
import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
from typing import Any, Dict, Optional, Tuple

import recalc_cache
import recalc_office
import recalc_process
import recalc_reader
import recalc_service
import sandbox
import sandbox_probe
import service_lanes
import service_lines

_OFFICES = ("first", "second")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--office", default="soffice",
                        help="LibreOffice's program")
    parser.add_argument("--profile", metavar="DIR",
                        help="private directory of this process (default: a "
                        "temporary one)")
    parser.add_argument("--cache", metavar="DIR",
                        help="keep results there by content")
    parser.add_argument("--cache-bytes", type=int, default=256 << 20)
    parser.add_argument("--retire-after", type=int, default=500,
                        metavar="DOCUMENTS")
    parser.add_argument("--retire-rss-mb", type=int, default=400)
    parser.add_argument("--rung", default="auto",
                        choices=["auto", *sandbox_probe.RUNGS],
                        help="of the isolation ladder; auto: the best there is")
    parser.add_argument("--unsafe-exec", action="store_true",
                        help="run LibreOffice unconfined where no rung works")
    parser.add_argument("--probe", action="store_true",
                        help="say what is here and end")
    return parser.parse_args()


def hello(words: argparse.Namespace, home: str
          ) -> Tuple[Dict[str, Any], recalc_process.Cell]:
    binary = recalc_process.find(words.office)
    if importlib.util.find_spec("uno") is None:
        raise recalc_process.NotHere(f"{sys.executable} has no module uno: "
                                     "install python3-uno")
    rungs = sandbox_probe.RUNGS if words.rung == "auto" else [words.rung]
    found = sandbox_probe.probe(home, sandbox.Limits(), rungs,
                                recalc_process.SUBJECT)
    rung = sandbox_probe.choose(found, words.rung, words.unsafe_exec,
                                "LibreOffice does not open workbooks")
    return ({"recalculation": 1, "office": recalc_process.version(binary),
             "isolation": sandbox_probe.NAMES[rung], "rungs": found.rungs,
             "users": found.users},
            recalc_process.Cell(rung, found.base if rung != "none" else None))


def passable(path: str) -> str:
    os.makedirs(path, mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        # A user of its own has to pass it to its box, and does no more.
        os.chmod(path, 0o711)
    return path


def private_directory(wanted: Optional[str]) -> str:
    if wanted is None:
        home = os.path.realpath(tempfile.mkdtemp(prefix="recalculation-"))
        passable(home)
    else:
        home = os.path.realpath(passable(wanted))
    # Held until this process ends, however that is.
    lock = os.open(os.path.join(home, "lock"), os.O_CREAT | os.O_RDWR
                   | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise recalc_process.NotHere(
            f"--profile {wanted}: another process uses it") from None
    return home


def serve(words: argparse.Namespace, facts: Dict[str, Any],
          cell: recalc_process.Cell, home: str) -> None:
    cache = (recalc_cache.Cache(words.cache, words.cache_bytes)
             if words.cache else None)
    offices, readers, services = [], [], []
    for number, name in enumerate(_OFFICES):
        own = cell if cell.user is None else cell._replace(
            user=cell.user + number)
        offices.append(recalc_office.Office(
            recalc_process.find(words.office), facts["office"],
            passable(os.path.join(home, name)), own))
        readers.append(recalc_reader.Reader(
            facts["office"], None if cell.user is None
            else cell.user + len(_OFFICES) + number, cell.rung != "none"))
        services.append(recalc_service.Service(
            offices[-1], readers[-1], cache, words.retire_after,
            words.retire_rss_mb << 20))
    streams = service_lines.Streams()
    lanes = service_lanes.Lanes(*services, streams.send)

    def ended() -> None:
        for office in offices:
            office.end()  # whoever would read the result has gone

    def stop(*_: Any) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        offices[0].start()
        streams.send({**facts, "functions": services[0].functions()})
        lanes.serve(streams.requests(), ended)
    finally:
        for one in (*offices, *readers):
            one.end()


def main() -> None:
    words = arguments()
    parent = os.getppid()
    home = None
    try:
        service_lines.die_with_parent(parent)
        home = private_directory(words.profile)
        facts, cell = hello(words, home)
        if words.probe:
            print(json.dumps(facts))
        else:
            serve(words, facts, cell, home)
    except (recalc_process.NotHere, sandbox_probe.Refused) as problem:
        sys.exit(f"recalculation: {problem}")
    except BrokenPipeError:
        pass  # nobody reads any more
    finally:
        if home:
            for name in _OFFICES:
                recalc_process.clear(os.path.join(home, name))
            if words.profile is None:
                shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
