"""A guest for a container: a few endpoints of OSWorld's in-guest server, and no
screen. It plays the part of the virtual machine in the official image."""

import http.server
import json
import struct
import subprocess
import zlib


def chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content)))


PNG = (b"\x89PNG\r\n\x1a\n"
       + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
       + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))


class Guest(http.server.BaseHTTPRequestHandler):
    def answer(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.answer("image/png", PNG)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(
            self.headers["Content-Length"])))
        ran = subprocess.run(asked["command"], shell=asked["shell"],
                             executable="/usr/bin/python3.11",
                             capture_output=True, text=True, check=False)
        self.answer("application/json", json.dumps({
            "status": "success", "output": ran.stdout, "error": ran.stderr,
            "returncode": ran.returncode}).encode())


http.server.ThreadingHTTPServer(("0.0.0.0", 5000), Guest).serve_forever()
