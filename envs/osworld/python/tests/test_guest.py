"""The in-guest server and its desktop, on a real one of this machine.

  python3 envs/osworld/python/tests/test_guest.py
"""

import concurrent.futures
import contextlib
import http.client
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from desktop import HERE, TOKEN, Desktop, missing  # noqa: E402

sys.path.insert(0, str(HERE.parents[2] / "examples/osworld/tools"))
from task import quiet  # noqa: E402

PATIENCE_S = 120
LACKING = missing()


def eventually(holds):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.05)
    return holds()


def size_of_png(data):
    """Its size; fails if it is cut off anywhere."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert data.endswith(b"\0\0\0\0IEND\xaeB`\x82"), "cut off"
    return struct.unpack(">II", data[16:24])


@unittest.skipIf(LACKING, LACKING)
class GuestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desktop = Desktop()

    @classmethod
    def tearDownClass(cls):
        cls.desktop.close()

    def test_nothing_is_answered_without_the_token(self):
        for token in ("", "wrong", TOKEN + "x"):
            self.assertEqual(
                self.desktop.ask("/screenshot", token=token)[0], 401)

    def test_screenshots_at_once_are_all_whole(self):
        with concurrent.futures.ThreadPoolExecutor(8) as callers:
            shots = list(callers.map(
                lambda _: self.desktop.ask("/screenshot"), range(24)))
        for status, data in shots:
            self.assertEqual(status, 200)
            self.assertEqual(size_of_png(data), (1280, 720))

    def test_the_mouse_moves_and_is_seen(self):
        _, before = self.desktop.ask("/screenshot")
        self.desktop.act("pyautogui.moveTo(300, 400)")
        self.assertEqual(self.desktop.told("/cursor_position"), [300, 400])
        _, after = self.desktop.ask("/screenshot")
        self.assertNotEqual(before, after)
        self.desktop.act("pyautogui.moveRel(-50, 25, duration=0.2)")
        self.assertEqual(self.desktop.told("/cursor_position"), [250, 425])
        self.assertEqual(self.desktop.act("print(pyautogui.size())").strip(),
                         "Size(width=1280, height=720)")

    def test_all_printed_characters_are_typed_as_they_are(self):
        self.desktop.ask("/setup/launch", {"command": ["gnome-terminal"]})
        self.assertTrue(eventually(lambda: "Terminal" in self.desktop.run(
            "wmctrl -l")["output"]))
        eventually(lambda: self.desktop.told("/terminal")["output"])
        # Keys may come before it has the keyboard.
        self.assertTrue(eventually(lambda: self.desktop.run(quiet(
            "gnome-terminal-", "openbox")["until"])["returncode"] == 0))
        typed = "".join(chr(code) for code in range(0x20, 0x7F) if
                        chr(code) != "'")
        self.desktop.act(
            f"pyautogui.write('cat > typed <<\\'end\\'\\n' + {typed!r})\n"
            "pyautogui.press('enter'); pyautogui.write('end\\n')")
        self.assertEqual(
            eventually(lambda: self.desktop.file("/home/user/typed")[1]
                       if b"~" in self.desktop.file("/home/user/typed")[1]
                       else b""), typed.encode() + b"\n")
        self.assertIn("cat > typed", self.desktop.told("/terminal")["output"])
        tree = self.desktop.told("/accessibility")["AT"]
        self.assertIn('<terminal xmlns', tree.replace("<terminal name",
                                                      "<terminal xmlns"))
        self.desktop.act("pyautogui.hotkey('ctrl', 'd')")
        eventually(lambda: "Terminal" not in self.desktop.run("wmctrl -l")[
            "output"])

    def test_what_commands_said_and_how_they_ended(self):
        told = self.desktop.run("echo out; echo err >&2; exit 3")
        self.assertEqual((told["output"], told["error"], told["returncode"]),
                         ("out\n", "err\n", 3))
        status, text = self.desktop.ask("/execute",
                                        {"command": ["no-such-program"]})
        self.assertEqual(status, 500)
        self.assertIn(b"no-such-program", text)
        home = self.desktop.told("/execute", {"command": ["echo", "~/a"]})
        self.assertEqual(home["output"], "/home/user/a\n")

    def test_a_background_program_does_not_hold_the_reply(self):
        begun = time.monotonic()
        self.desktop.run("sleep 300 & echo done")
        self.assertLess(time.monotonic() - begun, 60)

    def test_python_code_runs_as_in_a_new_interpreter(self):
        def run(code):
            return self.desktop.told("/execute", {
                "command": ["python", "-c", code]})
        self.assertEqual(run("import sys; print(sys.argv, __name__)")[
            "output"], "['-c'] __main__\n")
        failed = run("x = 1\nraise KeyError('k')")
        self.assertEqual(failed["returncode"], 1)
        self.assertEqual(failed["error"],
                         'Traceback (most recent call last):\n'
                         '  File "<string>", line 2, in <module>\n'
                         "KeyError: 'k'\n")
        self.assertIn("SyntaxError", run("a b")["error"])
        self.assertEqual(run("import sys; sys.exit(7)")["returncode"], 7)
        self.assertEqual(run("import os; os.kill(os.getpid(), 9)")[
            "returncode"], -9)
        run("import builtins, pyautogui; pyautogui.PAUSE = 9; builtins.y = 1")
        self.assertEqual(run("import pyautogui; print(pyautogui.PAUSE)")[
            "output"], "0.1\n")

    def test_files_go_in_and_come_out(self):
        data = bytes(range(256)) * 1000 + b"\r\n--edge\r\n"
        body = (b"--frontier\r\nContent-Disposition: form-data; "
                b'name="file_path"\r\n\r\n~/deep/er/file.bin\r\n--frontier\r\n'
                b'Content-Disposition: form-data; name="file_data"; '
                b'filename="x"\r\n\r\n' + data + b"\r\n--frontier--\r\n")
        status, text = self.desktop.ask(
            "/setup/upload", body, "multipart/form-data; boundary=frontier")
        self.assertEqual((status, text), (
            200, f"File Uploaded: {len(data)} bytes".encode()))
        self.assertEqual(self.desktop.file("~/deep/er/file.bin"), (200, data))
        self.assertEqual(self.desktop.file("/nowhere")[0], 404)
        tree = self.desktop.told("/list_directory", {
            "path": "/home/user/deep"})["directory_tree"]
        self.assertEqual(tree, {
            "type": "directory", "name": "deep", "children": [
                {"type": "directory", "name": "er", "children": [
                    {"type": "file", "name": "file.bin"}]}]})

    def test_scripts(self):
        told = self.desktop.told("/run_bash_script", {
            "script": "pwd; echo e >&2; exit 4", "working_dir": "/tmp"})
        self.assertEqual((told["status"], told["output"], told["returncode"]),
                         ("error", "/tmp\ne\n", 4))
        told = self.desktop.told("/run_python", {"code": "print(6 * 7)"})
        self.assertEqual((told["status"], told["output"]),
                         ("success", "42\n"))
        status, text = self.desktop.ask("/run_bash_script", {
            "script": "sleep 100", "timeout": 0.3})
        self.assertEqual(status, 500)
        self.assertIn(b"timed out after 0.3", text)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is missing")
    def test_a_recording_is_a_film(self):
        self.assertEqual(self.desktop.ask("/end_recording", {})[0], 400)
        self.assertEqual(self.desktop.told("/start_recording", {})["status"],
                         "success")
        self.assertEqual(self.desktop.ask("/start_recording", {})[0], 400)
        status, film = self.desktop.ask("/end_recording", {})
        self.assertEqual((status, film[4:8]), (200, b"ftyp"))
        self.assertEqual(self.desktop.ask("/end_recording", {})[0], 400)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is missing")
    def test_a_recording_has_started_when_it_is_said_to(self):
        slow = Desktop(launch=(
            f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
            "import desktop_launch as launch\n"
            "launch.ALIASES['ffmpeg'] = 'sleep 4; exec /usr/bin/ffmpeg "
            "\"$@\"'\n"
            "sys.exit(launch.main())"))
        with contextlib.closing(slow):
            slow.told("/start_recording", {})
            status, film = slow.ask("/end_recording", {})
        self.assertEqual((status, film[4:8]), (200, b"ftyp"))

    def test_what_is_asked_wrongly_is_refused(self):
        for path, body in (("/execute", b"no json"), ("/execute", b"[1]"),
                           ("/list_directory", {}), ("/file", b"x=1"),
                           ("/setup/activate_window", {})):
            self.assertEqual(self.desktop.ask(path, body)[0], 400, path)
        self.assertEqual(self.desktop.ask("/no/such/path")[0], 404)
        self.assertEqual(self.desktop.ask(
            "/setup/open_file", {"path": "/nowhere/x.txt"})[0], 404)

    def test_what_is_asked_of_root_runs_as_the_user(self):
        told = self.desktop.run(
            "echo secret | sudo -S mkdir ~/Desktop/made && "
            "stat -c %U ~/Desktop/made && sudo -u root A=5 printenv A && "
            "sudo -- touch /etc/x || sudo -u other id || sudo")
        self.assertEqual(told["output"], "user\n5\n")
        for line in ("Read-only file system", "has no user other", "usage"):
            self.assertIn(line, told["error"])

    @unittest.skipIf(shutil.which("pulseaudio") is None,
                     "no PulseAudio here")
    def test_the_volume_can_be_turned_up_and_stays(self):
        volume = "pulseaudio --start; pactl get-sink-volume @DEFAULT_SINK@"
        self.assertIn(" 50% ", self.desktop.run(volume)["output"])
        self.desktop.run("pactl set-sink-volume @DEFAULT_SINK@ 100%")
        self.assertIn(" 100% ", self.desktop.run(volume)["output"])

    def test_the_outside_is_not_there(self):
        with socket.create_server(("127.0.0.1", 0)) as outside:
            port = outside.getsockname()[1]
            reach = ["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{port}"]
            self.assertEqual(subprocess.run(reach, check=False).returncode, 0)
            self.assertNotEqual(self.desktop.told(
                "/execute", {"command": reach})["returncode"], 0)
        self.assertEqual(self.desktop.run("ls /home")["output"], "user\n")
        self.assertNotEqual(self.desktop.run("ls /root /work")["returncode"],
                            0)
        self.assertNotEqual(self.desktop.run("touch /usr/x /opt/x /x")[
            "returncode"], 0)


@unittest.skipIf(LACKING, LACKING)
class EndTest(unittest.TestCase):
    """However a desktop ends, nothing of it is left."""

    def begin(self, launch=None):
        desktop = Desktop(launch=launch)
        self.addCleanup(desktop.close)
        desktop.ask("/setup/launch", {"command": ["sleep", "300"]})
        outer = desktop.process.pid
        inner = subprocess.run(
            ["pgrep", "-P", str(outer)], text=True, capture_output=True,
            check=True).stdout.split()
        namespace = os.readlink(f"/proc/{inner[0]}/ns/pid_for_children")
        self.assertNotEqual(namespace, os.readlink("/proc/self/ns/pid"))
        return desktop, namespace

    def left(self, namespace):
        found = []
        for one in Path("/proc").glob("[0-9]*/ns/pid"):
            try:
                if os.readlink(one) == namespace:
                    found.append(one)
            except OSError:
                pass
        return found

    def test_it_ends_with_its_standard_input(self):
        desktop, namespace = self.begin()
        self.assertTrue(self.left(namespace))
        desktop.process.stdin.close()
        desktop.process.wait(PATIENCE_S)
        self.assertTrue(eventually(lambda: not self.left(namespace)))

    def test_it_ends_when_it_is_killed_from_outside(self):
        desktop, namespace = self.begin()
        desktop.process.kill()
        desktop.process.wait(PATIENCE_S)
        self.assertTrue(eventually(lambda: not self.left(namespace)))

    def test_it_ends_if_its_outer_process_was_killed_too_early(self):
        # As after a kill between bubblewrap's fork and the inner process's
        # wish to die with the outer one.
        desktop, namespace = self.begin(
            f"import sys; sys.path.insert(0, {str(HERE)!r}); "
            "import desktop_launch; words = desktop_launch.namespaces(); "
            "words.remove('--die-with-parent'); "
            "desktop_launch.namespaces = lambda: words; desktop_launch.main()")
        desktop.process.kill()
        desktop.process.wait(PATIENCE_S)
        self.assertTrue(self.left(namespace))
        desktop.process.stdin.close()
        self.assertTrue(eventually(lambda: not self.left(namespace)))

    def test_it_ends_with_the_x_server(self):
        desktop, namespace = self.begin()
        # The server may go before it has answered.
        with contextlib.suppress(OSError, http.client.HTTPException):
            desktop.run("pkill -9 Xvfb")
        self.assertNotEqual(desktop.process.wait(PATIENCE_S), 0)
        self.assertTrue(eventually(lambda: not self.left(namespace)))


class CommandsTest(unittest.TestCase):
    """Deadlines, without a desktop."""

    def test_what_is_late_is_killed_with_its_children(self):
        sys.path.insert(0, str(HERE / "guest"))
        from guest_commands import Commands, Late
        commands = Commands(None)
        begun = time.monotonic()
        mark = f"31{os.getpid()}.5"
        with self.assertRaises(Late):
            commands.run(f"sleep {mark} & sleep {mark}", True, 0.3)
        self.assertLess(time.monotonic() - begun, PATIENCE_S)
        self.assertTrue(eventually(lambda: subprocess.run(
            ["pgrep", "-f", f"sleep {mark}"], capture_output=True,
            check=False).returncode != 0))


if __name__ == "__main__":
    unittest.main()
