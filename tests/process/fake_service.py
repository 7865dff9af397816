#!/usr/bin/env python3
"""A service that does what a test wants: its hello, then replies to requests,
whose "op" says how.

  fake_service.py [--pids FILE] [--no-hello] [--end-at-start]
                  [--fail-at-starts FIRST LAST ended|killed]  # with --pids
"""

import json
import os
import subprocess
import sys
import time

words = sys.argv[1:]
if "--pids" in words:
    with open(words[words.index("--pids") + 1], "a") as pids:
        pids.write(f"{os.getpid()}\n")
if "--fail-at-starts" in words:
    first, last, how = words[words.index("--fail-at-starts") + 1:][:3]
    with open(words[words.index("--pids") + 1]) as pids:
        if int(first) <= len(pids.readlines()) <= int(last):
            if how == "killed":
                os.kill(os.getpid(), 9)
            sys.exit(3)
if "--end-at-start" in words:
    print("cannot find the parts", file=sys.stderr)
    sys.exit(3)
if "--no-hello" in words:
    time.sleep(600)


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


say({"fake": 1, "version": "7"})
held, armed = [], False
for line in sys.stdin:
    request = json.loads(line)
    number, op = request["id"], request["op"]
    if op == "echo":
        say({"id": number, "text": request["text"]})
    elif op == "hold":  # answered when the next is released, in reverse
        held.append(number)
        if armed:
            os._exit(9)
        if len(held) == request["until"]:
            for one in reversed(held):
                say({"id": one, "text": str(one)})
            held = []
    elif op == "complain":
        for _ in range(request["lines"]):
            print(request["text"], file=sys.stderr)
        sys.stderr.flush()
        say({"id": number})
    elif op == "stop-reading":
        say({"id": number})
        time.sleep(600)
    elif op == "refuse":
        say({"id": number, "error": "there is no such thing"})
    elif op == "pid":
        say({"id": number, "pid": os.getpid()})
    elif op == "die":
        print("something fell over", file=sys.stderr)
        sys.stderr.flush()
        os._exit(9)
    elif op == "die-when-held":  # whichever of the two comes first
        armed = True
        if held:
            os._exit(9)
    elif op == "garbage":
        print("this is no reply")
        sys.stdout.flush()
    elif op == "wrong-id":
        say({"id": number + 1000, "text": ""})
    elif op == "queue":  # for some time others have their turn
        until = time.monotonic() + request["seconds"]
        while time.monotonic() < until:
            say({"waiting": [number, number + 1000]})
            time.sleep(0.1)
        say({"id": number, "text": "done"})
    elif op == "forget":  # others wait, this one is in nobody's hands
        while True:
            say({"waiting": [number + 1000]})
            time.sleep(0.1)
    elif op == "odd-waiting":
        say({"waiting": "all"})
    elif op == "silence":
        pass
    elif op == "chatter":  # of what it leaves behind
        subprocess.Popen(["sh", "-c", "while :; do echo x >&2; done"])
        os._exit(5)
    elif op == "fork-and-die":
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
