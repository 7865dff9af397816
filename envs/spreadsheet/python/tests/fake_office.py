#!/usr/bin/python3 -sPB
"""A LibreOffice that was taken over: it answers like one, and when it is given
a workbook it does what it can. What succeeds is in `report` beside the workbook.

The tests write the attacks and their names into a file beside this one."""

import contextlib
import io
import json
import os
import shutil
import sys
import threading
import urllib.parse
import zipfile

HERE = os.path.dirname(os.path.realpath(__file__))


def run(attacks, report):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for code in attacks:
            exec(code, globals())
    with open(report, "w", encoding="utf-8") as file:
        file.write(said.getvalue() + "done\n")


def serve(pipe, attacks):
    import uno
    import unohelper
    from com.sun.star.bridge import XInstanceProvider
    from com.sun.star.frame import XComponentLoader
    from com.sun.star.frame import XStorable
    from com.sun.star.lang import (XComponent, XMultiComponentFactory,
                                       XServiceInfo)
    from com.sun.star.sheet import XCalculatable
    from com.sun.star.uno import XComponentContext
    from com.sun.star.util import XCloseable

    class Probe(unohelper.Base, XComponent, XServiceInfo, XCalculatable,
                XStorable, XCloseable):
        """What its service asks first is stored as it is."""

        def __init__(self, path):
            self._path = path

        def supportsService(self, name):
            return True

        def calculateAll(self):
            pass

        def storeToURL(self, url, more):
            shutil.copy(self._path, urllib.parse.urlsplit(url).path)

        def close(self, whatever):
            pass

    class Desktop(unohelper.Base, XComponentLoader):
        def loadComponentFromURL(self, url, target, flags, more):
            path = urllib.parse.urlsplit(url).path
            with zipfile.ZipFile(path) as book:
                if b"_xlfn." in book.read("xl/worksheets/sheet1.xml"):
                    return Probe(path)
            run(attacks, os.path.join(os.path.dirname(path), "report"))

    class Factory(unohelper.Base, XMultiComponentFactory):
        def createInstanceWithContext(self, name, context):
            return Desktop()

    class Context(unohelper.Base, XComponentContext):
        def getServiceManager(self):
            return Factory()

    class Provider(unohelper.Base, XInstanceProvider):
        def getInstance(self, name):
            return Context()

    services = uno.getComponentContext().ServiceManager
    connection = services.createInstance(
        "com.sun.star.connection.Acceptor").accept(f"pipe,name={pipe}")
    services.createInstance("com.sun.star.bridge.BridgeFactory").createBridge(
        "", "urp", connection, Provider())
    threading.Event().wait()


def main():
    if "--version" in sys.argv:
        print("FakeOffice 25.2.1.1")
        return
    with open(os.path.join(HERE, "attacks.json"), encoding="utf-8") as file:
        given = json.load(file)
    words = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
    pipe = words["accept"].split("name=")[1].split(";")[0]
    box = os.path.dirname(urllib.parse.urlsplit(
        words["env:UserInstallation"]).path)
    os.chdir(box)
    run(given["at_start"], os.path.join(box, "report-at-start"))
    serve(pipe, given["ready"])


main()
