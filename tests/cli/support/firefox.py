"""Firefox, driven over Marionette, which it has built in: no other program is
needed (Debian: firefox-esr)."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from support.program import wait_until

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One window. Errors are those of Firefox, as text."""

    def __init__(self, profile):
        port = Path(profile, "MarionetteActivePort")
        wait_until("Firefox listens",
                   lambda: port.exists() and port.read_text())
        self.socket = socket.create_connection(
            ("127.0.0.1", int(port.read_text())), 120)
        self.number = 0
        self.read()  # who it is
        self.ask("WebDriver:NewSession", {})

    def read(self):
        text = b""
        while not text.endswith(b":"):
            text += self.more(1)
        length, body = int(text[:-1]), b""
        while len(body) < length:
            body += self.more(length - len(body))
        return json.loads(body)

    def more(self, most):
        got = self.socket.recv(most)
        if not got:
            raise ConnectionError("Firefox has ended")
        return got

    def ask(self, command, parameters):
        self.number += 1
        said = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(said), said))
        while True:
            kind, number, failed, value = self.read()
            if (kind, number) == (1, self.number):
                break
        if failed:
            raise AssertionError(f"{command}: {failed}")
        return value

    def go(self, address):
        self.ask("WebDriver:Navigate", {"url": address})

    def run(self, script, *words):
        """What the function body returns."""
        return self.ask("WebDriver:ExecuteScript",
                        {"script": script, "args": list(words)})["value"]

    def until(self, script, *words, limit=60):
        """What the function body returned first that is true; else the last."""
        deadline = time.monotonic() + limit
        while not (value := self.run(script, *words)):
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        return value


@contextmanager
def firefox():
    with tempfile.TemporaryDirectory() as profile:
        with open(os.path.join(profile, "user.js"), "w",
                  encoding="utf-8") as file:
            for name, value in (
                    ("marionette.port", 0),
                    ("app.update.enabled", False),
                    ("datareporting.policy.dataSubmissionEnabled", False),
                    ("network.captive-portal-service.enabled", False),
                    ("network.connectivity-service.enabled", False),
                    ("browser.shell.checkDefaultBrowser", False)):
                file.write(f"user_pref({json.dumps(name)}, "
                           f"{json.dumps(value)});\n")
        process = subprocess.Popen(
            [PROGRAM, "--headless", "--marionette", "--no-remote", "--profile",
             profile], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": profile})
        browser = None
        try:
            browser = Firefox(profile)
            yield browser
        finally:
            if browser:
                browser.socket.close()
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
