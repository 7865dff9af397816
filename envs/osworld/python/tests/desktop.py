"""A desktop for tests, and calls to its in-guest server."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
TOKEN = "a-token-of-tests"
PROGRAMS = ("bwrap", "Xvfb", "openbox", "dbus-daemon", "wmctrl")
MODULES = ("Xlib", "PIL", "lxml", "gi")
CALL_PATIENCE_S = 60


def missing():
    """What this machine lacks for a desktop; "" if nothing."""
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    for name in MODULES:
        if subprocess.run(["/usr/bin/python3", "-c", f"import {name}"],
                          capture_output=True, check=False).returncode != 0:
            lacking.append(f"python3 module {name}")
    return ", ".join(lacking) and (
        "no desktop here: " + ", ".join(lacking)
        + " is missing (scripts/install_deps.sh --osworld)")


_home, _home_lock = [], threading.Lock()


def home_directory():
    """With the prepared home, made once; it goes with this process."""
    with _home_lock:
        if not _home:
            _home.append(tempfile.TemporaryDirectory())
            subprocess.run(
                [sys.executable, HERE / "desktop_home.py",
                 os.path.join(_home[0].name, "home.tar")], check=True)
        return _home[0]


class Desktop:
    def __init__(self, screen=(1280, 720), home="", launch=None):
        """`launch`: Python that starts it in place of desktop_launch.py."""
        home = home or os.path.join(home_directory().name, "home.tar")
        self.process = subprocess.Popen(
            [sys.executable, *(("-c", launch) if launch else
                               (HERE / "desktop_launch.py",))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "BREWERY_DESKTOP": json.dumps(
                {"screen": screen, "token": TOKEN, "home": home,
                 "modules": str(HERE / "guest"), "home_bytes": 1 << 30})})
        self.hello = json.loads(self.process.stdout.readline() or "{}")
        if not self.hello.get("ready"):
            self.close()
            raise RuntimeError(f"the desktop did not start: {self.hello}")
        self.port = self.hello["ports"]["server"]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(60)
        finally:
            self.process.kill()

    def ask(self, path, body=None, kind="application/json", token=TOKEN):
        """(status, bytes)"""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=body, headers={
                "Authorization": "Bearer " + token, "Content-Type": kind})
        try:
            with urllib.request.urlopen(asked, timeout=CALL_PATIENCE_S) as got:
                return got.status, got.read()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read()

    def told(self, path, body=None):
        status, text = self.ask(path, body)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def run(self, script):
        """The output of a shell script in the desktop."""
        return self.told("/execute", {"command": script, "shell": True})

    def act(self, code):
        done = self.told("/execute", {"command": [
            "python", "-c", "import pyautogui; import time; "
            f"pyautogui.FAILSAFE = False; {code}"], "shell": False})
        assert done["returncode"] == 0, done["error"]
        return done["output"]

    def file(self, path):
        return self.ask("/file", b"file_path=" + path.encode(),
                        "application/x-www-form-urlencoded")
