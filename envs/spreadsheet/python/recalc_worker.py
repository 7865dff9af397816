"""LibreOffice and its one client, in the same sandbox, behind lines of JSON.

Started by recalc_office with: the binary, the private directory, the process
that must outlive this one (0: no check). It says {"ready": true} once, then
answers {"source": name, "target": name} with {}, {"unreadable": why}, or last
words about an office that does not go on (recalc_end). Any trouble ends it:
whoever asked starts a new one. Calls into LibreOffice
have no deadline; whoever asked has one.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from typing import Any, List, Tuple

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

import recalc_end
import service_lines

_FILTER = "Calc MS Excel 2007 XML"
# A first start with a new profile ends with one of these and asks for another.
_START_AGAIN = (79, 81)
_LIBC = ctypes.CDLL(None)


class Unreadable(Exception):
    """The program is well and says that this is no workbook."""


def start(binary: str, home: str) -> Tuple[Any, int]:
    """The desktop of a new instance, and its process."""
    pipe = f"recalc{os.getpid()}"
    while True:
        parent = os.getpid()
        office = subprocess.Popen(
            [binary, "--headless", "--invisible", "--nologo", "--norestore",
             "--nodefault", "--nolockcheck",
             f"-env:UserInstallation=file://{home}/profile",
             f"--accept=pipe,name={pipe};urp;"],
            stdin=subprocess.DEVNULL, stdout=sys.stderr,
            preexec_fn=lambda: service_lines.die_with_parent(parent, _LIBC))
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local)
        while (status := office.poll()) is None:
            try:
                context = resolver.resolve(
                    f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                return context.ServiceManager.createInstanceWithContext(
                    "com.sun.star.frame.Desktop", context), office.pid
            except NoConnectException:
                pass  # It gives no sign when it begins to listen: ask again.
            try:
                office.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
        if status not in _START_AGAIN:
            sys.exit(f"LibreOffice ended at its start with status {status}")


def sockets_of(pid: int) -> List[str]:
    """Paths it is bound to. They stay when it is killed, so that whoever does
    it removes them, unless they are in a sandbox's own /tmp."""
    inodes = set()
    for entry in os.scandir(f"/proc/{pid}/fd"):
        try:
            inodes.add(os.readlink(entry.path))
        except FileNotFoundError:
            continue  # closed meanwhile
    with open("/proc/net/unix") as table:
        rows = [row.split() for row in table]
    return [row[7] for row in rows[1:]
            if len(row) > 7 and f"socket:[{row[6]}]" in inodes
            and os.path.basename(row[7]).startswith("OSL_PIPE_")]


def recalculate(desktop: Any, source: str, target: str) -> None:
    # With another filter, or none, text opens as text and CSV as a workbook.
    document = desktop.loadComponentFromURL(
        f"file://{source}", "_blank", 0,
        properties(Hidden=True, FilterName=_FILTER, UpdateDocMode=0,
                   MacroExecutionMode=0))
    if document is None:
        raise Unreadable("LibreOffice cannot open it")
    try:
        if not document.supportsService(
                "com.sun.star.sheet.SpreadsheetDocument"):
            raise Unreadable("LibreOffice finds no spreadsheet in it")
        document.calculateAll()
        document.storeToURL(f"file://{target}", properties(FilterName=_FILTER))
    finally:
        document.close(True)


def properties(**values: Any) -> tuple:
    made = []
    for name, value in values.items():
        one = PropertyValue()
        one.Name, one.Value = name, value
        made.append(one)
    return tuple(made)


def main() -> None:
    binary, home, parent = sys.argv[1:]
    service_lines.die_with_parent(int(parent) or None)
    streams = service_lines.Streams()
    desktop, pid = start(binary, home)
    streams.send({"ready": True, "sockets": sockets_of(pid)})
    for request in streams.lines():
        work = json.loads(request)
        try:
            recalculate(desktop, os.path.join(home, work["source"]),
                        os.path.join(home, work["target"]))
            streams.send({})
        except Unreadable as problem:
            streams.send({"unreadable": str(problem)})
        except Exception as problem:
            streams.send(recalc_end.told(problem))
            raise


if __name__ == "__main__":
    main()
