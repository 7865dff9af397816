"""The endpoints of OSWorld's in-guest protocol, as the official clients and
tasks use them. Left out: what only Windows and macOS have.

Where the official server misbehaves it is not followed: no file is shared by
screenshots, the tree has a deadline, an opened file is waited for 100 s
instead of 1800 s, and run_bash_script works.
"""

import json
import os
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

import guest_screen
import guest_windows
from guest_commands import Late, launch
from guest_http import Refused, Reply

EXECUTE_PATIENCE_S, PYTHON_PATIENCE_S, BASH_PATIENCE_S = 120, 30, 100
TREE_PATIENCE_S = 30
DOWNLOAD_PATIENCE_S = 300
RECORDING, RECORDING_PATIENCE_S = "/tmp/recording.mp4", 60


def _path(text):
    return os.path.expandvars(os.path.expanduser(text))


def _failed(problem, status=500):
    return Refused(status, {"status": "error", "message": str(problem)})


def _filled(path):
    return os.path.isfile(path) and os.path.getsize(path) > 0


class Calls:
    def __init__(self, commands):
        self._commands = commands
        self._recording = None
        self._recording_lock = threading.Lock()

    def table(self):
        get = {"/screenshot": self.screenshot, "/terminal": self.terminal,
               "/accessibility": self.accessibility,
               "/platform": lambda _: "Linux",
               "/cursor_position":
                   lambda _: list(guest_screen.cursor_position())}
        post = {"/execute": self.execute, "/setup/execute": self.execute,
                "/execute_with_verification": self.execute_verified,
                "/setup/execute_with_verification": self.execute_verified,
                "/setup/launch": self.launch, "/setup/upload": self.upload,
                "/setup/download_file": self.download,
                "/setup/open_file": self.open_file,
                "/setup/activate_window": self.activate_window,
                "/setup/close_window": self.close_window,
                "/setup/change_wallpaper": self.change_wallpaper,
                "/file": self.file, "/list_directory": self.list_directory,
                "/screen_size": self.screen_size,
                "/window_size": self.window_size,
                "/desktop_path": self.desktop_path,
                "/wallpaper": self.wallpaper,
                "/run_python": self.run_python,
                "/run_bash_script": self.run_bash_script,
                "/start_recording": self.start_recording,
                "/end_recording": self.end_recording}
        return {**{("GET", path): call for path, call in get.items()},
                **{("POST", path): call for path, call in post.items()}}

    # The screen.

    def screenshot(self, _):
        return Reply(guest_screen.take_png(), "image/png")

    def screen_size(self, _):
        width, height = guest_screen.screen_size()
        return {"width": width, "height": height}

    def window_size(self, request):
        name = request.form().get("app_class_name")
        if name is None:
            raise Refused(400, {"error": "app_class_name is required"})
        found = guest_screen.window_size(name)
        if found is None:
            raise _failed(f"no window of the class {name}")
        return {"width": found[0], "height": found[1]}

    def accessibility(self, _):
        return {"AT": self._read_tree("tree")}

    def terminal(self, _):
        return {"output": self._read_tree("terminal"), "status": "success"}

    def _read_tree(self, what):
        try:
            code, out, errors = self._commands.fork({"what": what},
                                                    TREE_PATIENCE_S)
        except Late:
            raise _failed("the applications did not describe themselves "
                          f"within {TREE_PATIENCE_S} s") from None
        if code != 0:
            raise _failed("the accessibility tree cannot be read: "
                          + (errors.strip().splitlines() or ["?"])[-1])
        return json.loads(out)

    # Programs.

    def _execute(self, told):
        shell = bool(told.get("shell", False))
        try:
            code, out, errors = self._commands.run(
                told.get("command", "" if shell else []), shell,
                EXECUTE_PATIENCE_S)
        except Late:
            raise _failed(f"Command timed out after {EXECUTE_PATIENCE_S} "
                          "seconds") from None
        except (OSError, ValueError, IndexError, TypeError) as problem:
            raise _failed(problem) from None
        return {"status": "success", "output": out, "error": errors,
                "returncode": code}

    def execute(self, request):
        return self._execute(request.object())

    def execute_verified(self, request):
        told = request.object()
        done = self._execute(told)
        wanted = told.get("verification") or {}
        if not wanted:
            return done
        patience = float(told.get("max_wait_time", 10))
        begun = time.monotonic()
        while time.monotonic() - begun < patience:
            if self._verified(wanted):
                return {**done, "verification": "passed",
                        "wait_time": time.monotonic() - begun}
            time.sleep(float(told.get("check_interval", 1)))
        raise Refused(500, {**done, "status": "verification_failed",
                            "verification": "failed", "wait_time": patience})

    def _verified(self, wanted):
        name = wanted.get("window_exists")
        if name is not None and name.lower() not in "\n".join(
                guest_windows.titles()).lower():
            return False
        command = wanted.get("command_success")
        if command is None:
            return True
        try:
            return self._commands.run(command, True, 5)[0] == 0
        except (Late, OSError):
            return False

    def launch(self, request):
        told = request.object()
        shell = bool(told.get("shell", False))
        try:
            shown = launch(told.get("command", "" if shell else []), shell)
        except (OSError, ValueError, IndexError, TypeError) as problem:
            raise _failed(problem) from None
        return f"{shown} launched successfully"

    def run_python(self, request):
        code = request.object().get("code")
        if not code:
            raise _failed("Code not supplied!", 400)
        try:
            status, out, errors = self._commands.fork(
                {"what": "code", "code": code}, PYTHON_PATIENCE_S)
        except Late:
            raise Refused(500, {
                "status": "error", "error": "TimeoutExpired",
                "message": "Execution timeout: Code took too long to execute",
                "need_more": False, "output": None}) from None
        if status != 0 and not errors:
            errors = f"Process exited with code {status}"
        return {"status": "success" if status == 0 else "error",
                "message": "\n".join(one for one in (out, errors) if one),
                "need_more": False, "output": out, "error": errors,
                "return_code": status}

    def run_bash_script(self, request):
        told = request.object()

        def failed(why, status):
            return Refused(status, {"status": "error", "output": why,
                                    "error": "", "returncode": -1})
        if not told.get("script"):
            raise failed("Script not supplied!", 400)
        directory = told.get("working_dir") or None
        if directory:
            directory = os.path.expanduser(directory)
            if not os.path.isdir(directory):
                raise failed("Working directory does not exist: " + directory,
                             400)
        patience = float(told.get("timeout") or BASH_PATIENCE_S)
        script = ((f"cd -- {_quoted(directory)} || exit 1\n" if directory
                   else "") + "exec 2>&1\n" + told["script"])
        try:
            code, out, _ = self._commands.run(["/bin/bash", "-c", script],
                                              False, patience)
        except Late:
            raise failed(f"Script execution timed out after {patience:g} "
                         "seconds", 500) from None
        return {"status": "success" if code == 0 else "error", "output": out,
                "error": "", "returncode": code}

    # Windows.

    def open_file(self, request):
        path = request.object().get("path")
        if not path:
            raise Refused(400, "Path not supplied!")
        status, text = guest_windows.open_file(path)
        if status != 200:
            raise Refused(status, text)
        return text

    def activate_window(self, request):
        guest_windows.activate(*_window(request))
        return "Window activated successfully"  # also if there is none: as is

    def close_window(self, request):
        guest_windows.close(*_window(request))
        return "Window closed successfully."

    def change_wallpaper(self, request):
        path = request.object().get("path")
        if not path:
            raise Refused(400, "Path not supplied!")
        path = _path(path)
        if not os.path.exists(path):
            raise Refused(404, f"File not found: {path}")
        self._commands.run(
            ["gsettings", "set", "org.gnome.desktop.background",
             "picture-uri", f"file://{path}"], False, 10)
        return "Wallpaper changed successfully"

    def wallpaper(self, _):
        code, out, _ = self._commands.run(
            ["gsettings", "get", "org.gnome.desktop.background",
             "picture-uri"], False, 10)
        path = out.strip().strip("'").replace("file://", "")
        if code != 0 or not os.path.isfile(path):
            raise Refused(404, "Wallpaper file not found")
        return Reply(Path(path).read_bytes(), "image/png")

    # Files.

    def upload(self, request):
        form = request.form()
        path, data = form.get("file_path"), form.get("file_data")
        if not isinstance(path, str) or not isinstance(data, bytes):
            raise Refused(400, {"error":
                                "file_path and file_data are required"})
        path = Path(_path(path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as problem:
            path.unlink(missing_ok=True)
            raise Refused(500, {"error": f"Failed to upload file: {problem}"}
                          ) from None
        return f"File Uploaded: {len(data)} bytes"

    def download(self, request):
        told = request.object()
        if not told.get("url") or not told.get("path"):
            raise Refused(400, "Path or URL not supplied!")
        path = Path(_path(told["path"]))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with urllib.request.urlopen(
                    told["url"], timeout=DOWNLOAD_PATIENCE_S) as source:
                path.write_bytes(source.read())
        except (OSError, ValueError) as problem:
            raise Refused(500, f"Failed to download {told['url']}: {problem}"
                          ) from None
        return f"File downloaded successfully: {path.stat().st_size} bytes"

    def file(self, request):
        path = request.form().get("file_path")
        if path is None:
            raise Refused(400, {"error": "file_path is required"})
        path = _path(path)
        if not os.path.exists(path):
            raise Refused(404, {"error": "File not found"})
        try:
            return Reply(Path(path).read_bytes(), "application/octet-stream",
                         name=os.path.basename(path))
        except OSError as problem:
            raise Refused(500, {"error": f"Failed to serve file: {problem}"}
                          ) from None

    def list_directory(self, request):
        told = request.object()
        if "path" not in told:
            raise Refused(400, {"error": "Missing 'path' parameter"})
        if not os.path.isdir(told["path"]):
            raise Refused(400, {"error":
                                "The provided path is not a directory"})
        return {"directory_tree": _directory(told["path"])}

    def desktop_path(self, _):
        path = os.path.expanduser("~/Desktop")
        if not os.path.exists(path):
            raise Refused(404, {"error": "Unsupported operating system or "
                                         "desktop path not found"})
        return {"desktop_path": path}

    # Recording.

    def start_recording(self, _):
        with self._recording_lock:
            if self._recording and self._recording.poll() is None:
                raise _failed("Recording is already in progress.", 400)
            Path(RECORDING).unlink(missing_ok=True)
            width, height = guest_screen.screen_size()
            self._recording = subprocess.Popen(
                ["ffmpeg", "-y", "-loglevel", "error", "-f", "x11grab",
                 "-draw_mouse", "1", "-s", f"{width}x{height}", "-i",
                 os.environ["DISPLAY"], "-c:v", "libx264", "-r", "30",
                 RECORDING], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            # ffmpeg that is interrupted before it has opened its film leaves
            # none, so it has started when there is something in it.
            deadline = time.monotonic() + RECORDING_PATIENCE_S
            while True:
                begun = _filled(RECORDING)
                if self._recording.poll() is not None:
                    raise _failed(
                        "Failed to start recording. ffmpeg terminated "
                        f"unexpectedly: {self._recording.stderr.read()}")
                if begun:
                    return {"status": "success",
                            "message": "Started recording successfully."}
                if time.monotonic() > deadline:
                    self._recording.kill()
                    self._recording.communicate()
                    raise _failed("Failed to start recording. ffmpeg began no "
                                  f"film in {RECORDING_PATIENCE_S} s")
                time.sleep(0.05)

    def end_recording(self, _):
        with self._recording_lock:
            running, self._recording = self._recording, None
            if running is None or running.poll() is not None:
                raise _failed("No recording in progress to stop.", 400)
            running.send_signal(signal.SIGINT)
            try:
                running.communicate(timeout=15)
            except subprocess.TimeoutExpired:
                running.kill()
                running.communicate()
                raise _failed("Recording process was unresponsive and had to "
                              "be killed.") from None
            if not _filled(RECORDING):
                raise _failed("Recording failed: there is no file")
            return Reply(Path(RECORDING).read_bytes(), "video/mp4",
                         name="recording.mp4")


def _window(request):
    told = request.object()
    if not told.get("window_name"):
        raise Refused(400, "window_name required")
    return (told["window_name"], bool(told.get("strict", False)),
            bool(told.get("by_class", False)))


def _directory(path):
    tree = {"type": "directory", "name": os.path.basename(path),
            "children": []}
    try:
        for entry in os.listdir(path):
            inner = os.path.join(path, entry)
            tree["children"].append(
                _directory(inner)
                if os.path.isdir(inner) and not os.path.islink(inner)
                else {"type": "file", "name": entry})
    except OSError as problem:
        return {"error": str(problem)}
    return tree


def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"
