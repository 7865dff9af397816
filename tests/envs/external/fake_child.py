#!/usr/bin/env python3
"""A child of the protocol in docs/environments.md, written out by hand, that
misbehaves on command.

  fake_child.py [--fail-at N --how MODE [--once FILE]] [--sessions N]
                [--conversation] [--pids FILE] [--flood LINES] [--changing]

The N-th request (hello is the first) is the one that goes wrong; with --once
only in the first process that comes to it.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

TOOLS = [{"name": "look", "kind": "read"},
         {"name": "press", "kind": "write",
          "parameters": [{"name": "button", "choices": ["a", "b"]}]},
         {"name": "report", "kind": "read"}]


def write(line):
    sys.stdout.write(line)
    sys.stdout.flush()


def misbehave(how, number):
    if how == "exit":
        print("cannot go on", file=sys.stderr)
        sys.exit(3)
    elif how == "kill":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "hang":
        time.sleep(600)
    elif how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:  # also when its input ends
            time.sleep(600)
    elif how == "garbage":
        write("Welcome to the machine\n")
    elif how == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\x1b[2J\n")
        sys.stdout.flush()
    elif how == "huge":
        for _ in range(100):
            write("x" * 1_000_000)
    elif how == "partial":
        write('{"id": ')
        sys.exit(0)
    elif how == "half":
        write('{"id": ')
        time.sleep(600)
    elif how == "deaf":
        os.close(1)
        time.sleep(600)
    elif how == "other-id":
        write(json.dumps({"id": number + 1, "result": {}}) + "\n")
    elif how == "empty":
        write(json.dumps({"id": number, "result": {}}) + "\n")
    elif how == "nothing":
        write(json.dumps({"id": number}) + "\n")
    elif how == "error":
        write(json.dumps({"id": number, "error": {"message": "Oops: no"}})
              + "\n")
    elif how == "orphans":
        for _ in range(3):
            subprocess.Popen(["sleep", "600"])
        sys.exit(4)
    elif how == "chatter":  # of a child's child, which holds its outputs
        subprocess.Popen(["sh", "-c",
                          "while :; do echo x >&2; sleep 0.01; done"])
        sys.exit(5)
    elif how == "nan":
        write('{"id": 1, "result": {"reward": NaN}}\n')
    elif how == "leave":  # answers, then goes while nobody asks
        return False
    return True


def play(session, request):
    results = []
    for call in request["calls"]:
        if call["name"] == "look":
            results.append({"content": f"Lamp: {session['lamp']}"})
        elif call["name"] == "press":
            good = call["arguments"].get("button") == "b"
            session["lamp"] = "on" if good else "off"
            results.append({"content": "pressed"})
        elif call["name"] == "report":
            results.append({"content": report(call["arguments"]["what"])})
        else:
            results.append({"content": "no such tool", "failed": True})
    reply = {"results": results, "ignored": [1, {"a": None}]}
    if request["text"]:
        session["heard"] = request["text"]
        reply["events"] = [{"requestor": "user", "tool": "wait",
                            "arguments": {"for": 2}, "observation": "ok"}]
        reply["reply"] = "You said " + request["text"]
        reply["over"] = request["text"] == "bye"
    return reply


def report(what):
    if what == "variables":
        return json.dumps(sorted(os.environ))
    if what == "files":
        return json.dumps(sorted(int(f) for f in os.listdir("/proc/self/fd")))
    if what == "directory":
        return os.getcwd()
    return what * 1000


def answer(request, sessions, args):
    what = request["op"]
    if what == "hello":
        own = os.getpid() if args.changing else 1
        return {"protocol": 1, "name": "fake", "fingerprint": f"f{own}",
                "tasks": [{"id": "t1", "instruction": "Switch it on"},
                          {"id": "t2", "instruction": "Switch it on, too"}],
                "splits": {"train": ["t1"], "test": ["t2"]}, "tools": TOOLS,
                "capabilities": {"conversation": args.conversation,
                                 "sessions": args.sessions, "snapshot": False}}
    number = request["session"]
    if what == "reset":
        sessions[number] = {"lamp": "off", "heard": ""}
        return {"briefing": "Be kind.", "opening": "Hello?"}
    session = sessions[number]
    if what == "step":
        return play(session, request)
    if what == "grade":
        return {"reward": 1.0 if session["lamp"] == "on" else 0.0,
                "parts": [{"name": "lamp on", "met": session["lamp"] == "on"}]}
    del sessions[number]
    return {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fail-at", type=int, default=0)
    parser.add_argument("--how", default="exit")
    parser.add_argument("--once", default="")
    parser.add_argument("--sessions", type=int, default=1)
    parser.add_argument("--conversation", action="store_true")
    parser.add_argument("--pids", default="")
    parser.add_argument("--flood", type=int, default=0)
    parser.add_argument("--changing", action="store_true")
    args = parser.parse_args()
    if args.pids:
        with open(args.pids, "a", encoding="utf-8") as pids:
            print(os.getpid(), file=pids)
    sessions = {}
    for number, line in enumerate(sys.stdin, 1):
        for i in range(args.flood):
            print(f"line {i} of very many" + "." * 60, file=sys.stderr)
        request = json.loads(line)
        leave = False
        if number == args.fail_at and not (args.once
                                           and os.path.exists(args.once)):
            if args.once:
                open(args.once, "w", encoding="utf-8").close()
            if misbehave(args.how, request["id"]):
                continue
            leave = True
        write(json.dumps({"id": request["id"],
                          "result": answer(request, sessions, args)}) + "\n")
        if leave:
            sys.exit(0)


if __name__ == "__main__":
    main()
