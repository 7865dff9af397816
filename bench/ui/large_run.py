#!/usr/bin/env python3
"""How `brewery ui` shows a large run, as a table: the time until each answer, its
size, and the memory of the server.

  bench/ui/large_run.py PATH_OF_BREWERY PATH_OF_LARGE_RUN_BENCH
                        [--rollouts 100000] [--trees 1000] [--steps 5000]
                        [--versions 10000] [--browser MODULES]

The log is made up by large_run_bench. The second figure of an answer is that of
asking again. Lists are asked for as the page does, in pages. With --browser, views
are then timed in Chromium; MODULES has playwright-core (tests/browser).
"""

import argparse
import http.client
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit


def memory_mib(process):
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def asked(where, path):
    """Milliseconds, bytes and the answer."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(where.hostname, where.port,
                                            timeout=600)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status} {body[:200]}")
    return (time.monotonic() - began) * 1000, len(body), json.loads(body)


def in_browser(modules, address, oldest, options):
    """Views of the page, from the address to what they show. Of a large tree
    that is what the window has of it."""
    views = [["list of runs", "/", "tbody tr", 1],
             ["run", "/runs/large", "td.title a", options.trees],
             [f"tree of {options.versions} versions",
              "/runs/large/trees/mcts/0", ".tree circle",
              min(options.versions, 20)],
             [f"rollout of {options.steps} steps",
              f"/runs/large/rollouts/{oldest}", ".step", 100]]
    print(subprocess.run(
        ["node", Path(__file__).with_name("in_browser.mjs"), modules,
         shutil.which("chromium"), address, json.dumps(views)],
        check=True, capture_output=True, text=True, timeout=900).stdout.strip())


def main():
    words = argparse.ArgumentParser()
    words.add_argument("brewery")
    words.add_argument("maker")
    for name, many in (("rollouts", 100000), ("trees", 1000), ("steps", 5000),
                       ("versions", 10000)):
        words.add_argument(f"--{name}", type=int, default=many)
    words.add_argument("--browser", metavar="MODULES")
    options = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(
            [options.maker, folder, str(options.rollouts), str(options.trees),
             str(options.steps), str(options.versions)], check=True, capture_output=True, text=True)
        print(made.stdout.strip())
        server = subprocess.Popen(
            [options.brewery, "ui", folder, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().strip()
            where = urlsplit(address)
            print(f"memory before: {memory_mib(server.pid):.1f} MiB")
            paths = ["/api/runs", "/api/runs/large",
                     "/api/runs/large/trees?limit=1000",
                     f"/api/runs/large/trees/mcts/{options.trees - 1}",
                     "/api/runs/large/rollouts"]
            for path in paths:
                first, size, answer = asked(where, path)
                again = asked(where, path)[0]
                print(f"{path}: {first:.0f} ms, again {again:.0f} ms, "
                      f"{size / 1024:.0f} KiB, memory "
                      f"{memory_mib(server.pid):.1f} MiB")
            oldest = asked(where, "/api/runs/large/rollouts?limit=1&offset="
                           f"{options.rollouts - 1}")[2]["items"][0]["id"]
            if options.browser:
                in_browser(options.browser, address, oldest, options)
            longest = 0.0
            total, at, largest, began = 1, 0, 0, time.monotonic()
            while at < total:
                took, size, page = asked(
                    where, f"/api/runs/large/rollouts/{oldest}?offset={at}"
                    "&limit=100")
                longest, largest = max(longest, took), max(largest, size)
                total, at = page["total"], at + len(page["items"])
            print(f"a rollout of {total} steps, 100 at a time: longest answer "
                  f"{longest:.0f} ms, all {time.monotonic() - began:.2f} s, "
                  f"largest {largest / 1024:.0f} KiB")
            began, at, parts = time.monotonic(), 0, 0
            while True:
                news = asked(where, f"/api/runs/large/live?after={at}")[2]
                at, parts = news["log"]["to"], parts + 1
                if news["at_end"]:
                    break
            print(f"followed from the start: {time.monotonic() - began:.2f} s "
                  f"in {parts} parts, memory {memory_mib(server.pid):.1f} MiB")
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
