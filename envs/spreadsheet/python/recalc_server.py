#!/usr/bin/python3
"""Recalculates workbooks with one LibreOffice, on request, a line of JSON each.

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
import queue
import shutil
import signal
import sys
import tempfile
import threading
from typing import Any, Dict, Optional

import recalc_cache
import recalc_office
import recalc_process
import recalc_service
import service_lines


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
    parser.add_argument("--isolation", default="auto",
                        choices=["auto", "bubblewrap", "none"])
    parser.add_argument("--probe", action="store_true",
                        help="say what is here and end")
    return parser.parse_args()


def isolation(wanted: str) -> str:
    if wanted == "none":
        return "none"
    if recalc_process.bubblewrap_works():
        return "bubblewrap"
    if wanted == "bubblewrap":
        raise recalc_process.NotHere("bubblewrap does not work here; say "
                                     "--isolation none to do without")
    return "none"


def hello(words: argparse.Namespace) -> Dict[str, Any]:
    binary = recalc_process.find(words.office)
    if importlib.util.find_spec("uno") is None:
        raise recalc_process.NotHere(f"{sys.executable} has no module uno: "
                                     "install python3-uno")
    return {"recalculation": 1, "office": recalc_process.version(binary),
            "isolation": isolation(words.isolation)}


def private_directory(wanted: Optional[str]) -> str:
    if wanted is None:
        return tempfile.mkdtemp(prefix="recalculation-")
    home = os.path.abspath(wanted)
    os.makedirs(home, mode=0o700, exist_ok=True)
    # Held until this process ends, however that is.
    lock = os.open(os.path.join(home, "lock"), os.O_CREAT | os.O_RDWR
                   | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise recalc_process.NotHere(
            f"--profile {wanted}: another process uses it") from None
    return home


def serve(words: argparse.Namespace, facts: Dict[str, Any], home: str) -> None:
    office = recalc_office.Office(recalc_process.find(words.office),
                                  facts["office"], home,
                                  facts["isolation"] == "bubblewrap")
    cache = (recalc_cache.Cache(words.cache, words.cache_bytes)
             if words.cache else None)
    service = recalc_service.Service(office, facts["office"], home, cache,
                                     words.retire_after,
                                     words.retire_rss_mb << 20)
    streams = service_lines.Streams()
    waiting: "queue.SimpleQueue[Optional[Dict[str, Any]]]" = queue.SimpleQueue()

    def read() -> None:
        for request in streams.requests():
            waiting.put(request)
        office.end()  # whoever would read the result has gone
        waiting.put(None)

    def stop(*_: Any) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        office.start()
        streams.send(facts)
        # The office belongs to this thread: the kernel kills it with it.
        threading.Thread(target=read, daemon=True).start()
        while (request := waiting.get()) is not None:
            streams.send(service.reply(request))
            service.retire()
    finally:
        office.end()


def main() -> None:
    words = arguments()
    parent = os.getppid()
    made = None
    try:
        facts = hello(words)
        if words.probe:
            print(json.dumps(facts))
            return
        service_lines.die_with_parent(parent)
        home = private_directory(words.profile)
        made = home if words.profile is None else None
        serve(words, facts, home)
    except recalc_process.NotHere as problem:
        sys.exit(f"recalculation: {problem}")
    except BrokenPipeError:
        pass  # nobody reads any more
    finally:
        if made:
            shutil.rmtree(made, ignore_errors=True)


if __name__ == "__main__":
    main()
