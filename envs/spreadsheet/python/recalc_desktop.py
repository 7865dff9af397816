"""LibreOffice as its client sees it. To be imported once this process is
confined: by then it takes the same name for its user as LibreOffice will."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

import sandbox

_FILTER = "Calc MS Excel 2007 XML"
# A first start with a new profile ends with one of these and asks for another.
_START_AGAIN = (79, 81)


class Unreadable(Exception):
    """The program is well and says that this is no workbook."""


def start(binary: str, profile: str) -> Any:
    """The desktop of a new instance."""
    pipe = f"recalc{os.urandom(8).hex()}"
    while True:
        parent = os.getpid()
        office = subprocess.Popen(
            [binary, "--headless", "--invisible", "--nologo", "--norestore",
             "--nodefault", "--nolockcheck",
             f"-env:UserInstallation=file://{profile}",
             f"--accept=pipe,name={pipe};urp;"],
            stdin=subprocess.DEVNULL, stdout=sys.stderr,
            preexec_fn=lambda: sandbox.die_with_parent(parent))
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local)
        while (status := office.poll()) is None:
            try:
                context = resolver.resolve(
                    f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                return context.ServiceManager.createInstanceWithContext(
                    "com.sun.star.frame.Desktop", context)
            except NoConnectException:
                pass  # It gives no sign when it begins to listen: ask again.
            try:
                office.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
        if status not in _START_AGAIN:
            sys.exit(f"LibreOffice ended at its start with status {status}")


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
