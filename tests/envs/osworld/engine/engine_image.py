#!/usr/bin/env python3
"""Makes the image brewery-test-guest in a Docker or Podman engine: this machine's
/usr/bin/python3.11 with what it is linked to, its library, and engine_guest.py.

  engine_image.py SOCKET
"""

import http.client
import io
import socket
import subprocess
import sys
import tarfile
import urllib.parse
from pathlib import Path

PYTHON = "/usr/bin/python3.11"
NAME = "brewery-test-guest"


class Engine(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("docker")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def rootfs():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        linked = subprocess.run(["ldd", PYTHON], check=True, text=True,
                                capture_output=True).stdout
        for path in [PYTHON] + [word for word in linked.split()
                                if word.startswith("/")]:
            tar.add(Path(path).resolve(), path)
        tar.add("/usr/lib/python3.11", filter=lambda entry: None if any(
            part in entry.name for part in ("__pycache__", "/test", "config-",
                                            "/idlelib", "/lib2to3"))
            else entry)
        tar.add(Path(__file__).parent / "engine_guest.py", "/guest.py")
        for name in ("tmp", "proc", "sys", "dev", "etc"):
            made = tarfile.TarInfo(name)
            made.type, made.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(made)
    return out.getvalue()


def main():
    engine = Engine(sys.argv[1])
    query = urllib.parse.urlencode(
        {"fromSrc": "-", "repo": NAME, "tag": "latest",
         "changes": f'CMD ["{PYTHON}", "-S", "/guest.py"]'})
    engine.request("POST", "/v1.41/images/create?" + query, rootfs(),
                   {"Content-Type": "application/x-tar"})
    answer = engine.getresponse()
    said = answer.read().decode()
    print(answer.status, said.strip()[-300:])
    return 0 if answer.status == 200 and '"error"' not in said else 1


if __name__ == "__main__":
    sys.exit(main())
