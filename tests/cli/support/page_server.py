"""`brewery ui` for tests: started on any free port, and asked."""

import http.client
import json
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

from support.program import clean_environment


@contextmanager
def page_of(brewery, *words, listen="127.0.0.1:0", variables=None):
    """The address at which it serves; it must end at once when it is told to."""
    process = subprocess.Popen(
        [brewery, "ui", *map(str, words), "--listen", listen], text=True,
        env=clean_environment() | (variables or {}), stdout=subprocess.PIPE)
    try:
        yield process.stdout.readline().strip()
        process.terminate()
        code = process.wait(30)
        assert code == 0, f"brewery ui ended with {code}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ask(address, path, method="GET", **headers):
    """Status, headers and bytes of an answer."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname, where.port,
                                            timeout=60)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers,
                              skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def items_of(address, path):
    """All items of a list, page by page."""
    out, total = [], 1
    while len(out) < total:
        more = "&" if "?" in path else "?"
        status, _, body = ask(address, f"{path}{more}offset={len(out)}&limit=7")
        assert status == 200, body
        page = json.loads(body)
        total = page["total"]
        assert page["offset"] == len(out) and (page["items"] or not total)
        out += page["items"]
    return out
