"""Our in-guest server against the official one, side by side on one desktop:
the same requests, the same replies. BREWERY_OSWORLD_CHECKOUT names a checkout
of OSWorld; without it, nothing is compared. The official server needs
python3-flask, python3-pyatspi, python3-numpy and python3-requests.
"""

import json
import os
import re
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from desktop import Desktop, missing  # noqa: E402
from test_guest import eventually, size_of_png  # noqa: E402

CHECKOUT = os.environ.get("BREWERY_OSWORLD_CHECKOUT", "")
LACKING = missing() if CHECKOUT else (
    "not compared: BREWERY_OSWORLD_CHECKOUT does not name a checkout of "
    "OSWorld")
FORM = "application/x-www-form-urlencoded"

# What both are asked: path, body (None: GET), kind of body.
ASKED = [
    ("/platform", None), ("/cursor_position", None),
    ("/screen_size", {}), ("/desktop_path", {}),
    ("/execute", {"command": "echo a; echo b >&2; exit 5", "shell": True}),
    ("/setup/execute", {"command": ["echo", "~/x", "~y"]}),
    ("/execute", {"command": "echo 'one word' two"}),
    ("/execute", {"command": ["python", "-c", "import sys; print(sys.argv)"]}),
    ("/execute", {"command": ["python", "-c", "1/0"]}),
    ("/execute", {"command": ["python", "-c", "import sys; sys.exit('no')"]}),
    ("/execute", {"command": ["no-such-program"]}),
    ("/execute", {"command": []}),
    ("/setup/execute_with_verification", {
        "command": "true", "shell": True, "max_wait_time": 1,
        "check_interval": 0.2,
        "verification": {"command_success": "test -d /home/user"}}),
    ("/execute_with_verification", {
        "command": "true", "shell": True, "max_wait_time": 0.5,
        "check_interval": 0.2, "verification": {"window_exists": "nowhere"}}),
    ("/setup/launch", {"command": ["true", "a b"]}),
    ("/setup/launch", {"command": "true", "shell": True}),
    ("/setup/launch", {"command": ["no-such-program"]}),
    ("/setup/activate_window", {"window_name": "no such window"}),
    ("/setup/activate_window", {}),
    ("/setup/close_window", {"window_name": "none", "strict": True}),
    ("/setup/close_window", {}),
    ("/setup/open_file", {}), ("/setup/open_file", {"path": "/nowhere"}),
    ("/setup/change_wallpaper", {"path": "/nowhere.png"}),
    ("/file", b"file_path=/etc/hostname"), ("/file", b"file_path=/nowhere"),
    ("/file", b"x=y"),
    ("/list_directory", {"path": "/home/user/here"}),
    ("/list_directory", {"path": "/nowhere"}), ("/list_directory", {}),
    ("/run_python", {"code": "print(2)"}), ("/run_python", {"code": ""}),
    ("/run_python", {"code": "import sys; sys.exit(3)"}),
    ("/run_bash_script", {"script": ""}),
    ("/run_bash_script", {"script": "true", "working_dir": "/nowhere"}),
    ("/window_size", b"x=y"), ("/window_size",
                               b"app_class_name=gnome-terminal-server"),
    ("/end_recording", {}),
]


def comparable(reply):
    """Without what no two runs have alike, and without line numbers of the
    interpreter's own frames."""
    status, body = reply
    try:
        told = json.loads(body)
    except ValueError:
        told = body.decode("utf-8", "replace").strip()
    if isinstance(told, dict):
        told.pop("wait_time", None)
        if "traceback" in told or status == 500:
            told.pop("traceback", None)
    return status, told


@unittest.skipIf(LACKING, LACKING)
class OfficialTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours = Desktop()
        cls.official = Desktop.__new__(Desktop)
        # Where VLC would listen inside, which is passed on to the outside.
        cls.official.port = cls.ours.hello["ports"]["vlc"]
        server = Path(CHECKOUT) / "desktop_env/server"
        for name in ("main.py", "pyxcursor.py"):
            text = (server / name).read_bytes()
            body = (b'--x\r\nContent-Disposition: form-data; '
                    b'name="file_path"\r\n\r\n/home/user/official/'
                    + name.encode() + b'\r\n--x\r\nContent-Disposition: '
                    b'form-data; name="file_data"; filename="f"\r\n\r\n'
                    + text + b"\r\n--x--\r\n")
            cls.ours.ask("/setup/upload", body,
                         "multipart/form-data; boundary=x")
        cls.ours.run("mkdir -p here/below && touch here/below/file")
        cls.ours.ask("/setup/launch", {"shell": True, "command":
                     "cd official && exec /usr/bin/python3 -c 'import main; "
                     "main.app.run(host=\"127.0.0.1\", port=8080)'"
                     " >official.log 2>&1"})

        def answers():
            try:
                return cls.official.ask("/platform")[0] == 200
            except OSError:
                return False
        if not eventually(answers):
            log = cls.ours.file("/home/user/official/official.log")[1]
            cls.ours.close()
            raise RuntimeError("the official server did not start: "
                               + log.decode()[-2000:])
        cls.ours.run("printf '1,two\\n3,4\\n' > table.csv; "
                     "soffice --convert-to ods table.csv >&2")
        for words, title in ((["soffice", "table.ods"], "table.ods"),
                             (["gnome-terminal"], "Terminal")):
            cls.ours.ask("/setup/launch", {"command": words})
            eventually(lambda: title in cls.ours.run("wmctrl -l")["output"])
            time.sleep(3)  # until nothing of it moves

    @classmethod
    def tearDownClass(cls):
        cls.ours.close()

    def both(self, path, body):
        kind = FORM if isinstance(body, bytes) else "application/json"
        return [comparable(one.ask(path, body, kind))
                for one in (self.ours, self.official)]

    def test_the_same_requests_have_the_same_replies(self):
        for path, body in ASKED:
            with self.subTest(path=path, body=body):
                ours, official = self.both(path, body)
                self.assertEqual(ours, official)

    def test_both_see_the_same_screen(self):
        sizes = [size_of_png(one.ask("/screenshot")[1])
                 for one in (self.ours, self.official)]
        self.assertEqual(*sizes)

    def test_both_describe_it_alike(self):
        trees = []
        for one in (self.ours, self.official):
            trees.append(one.told("/accessibility")["AT"])
        import lxml.etree
        self.assertEqual(*[listed(lxml.etree.fromstring(tree))
                           for tree in trees])

    def test_both_read_the_same_terminal(self):
        ours, official = self.both("/terminal", None)
        self.assertEqual(ours, official)


def listed(tree):
    """Every node by its path, with its attributes and text, sorted: the
    official server's order of applications is that in which they answered."""
    found = []

    def visit(node, above):
        path = above + "/" + node.tag
        found.append((path, sorted(
            (re.sub(r"\{.*/", "{", key), value)
            for key, value in node.attrib.items()), (node.text or "").strip()))
        for child in node:
            visit(child, path)
    visit(tree, "")
    return sorted(found)


if __name__ == "__main__":
    unittest.main()
