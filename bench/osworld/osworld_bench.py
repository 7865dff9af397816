#!/usr/bin/env python3
"""What local desktops of OSWorld cost: start, reset, screenshot, action, memory
of four with an application each, and what many of them leave behind.

  python3 bench/osworld/osworld_bench.py [--times 10] [--desktops 4] [--cycles 50]

A reset is the end of a desktop and the start of another, ready when two
screenshots are equal, as the pool's. An action is what an agent sends through
/execute, without PyAutoGUI's own pause of 0.1 s. Memory is the proportional set
size of all processes of the desktops and what they keep in their homes and /tmp.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]
                       / "envs/osworld/python/tests"))
from desktop import Desktop, missing  # noqa: E402

STILL_S = 0.1  # as ready_rules of envs/osworld/desktops/ready.hpp
APPLICATIONS = (["soffice", "--calc"], ["gimp"],
                ["google-chrome", "--remote-debugging-port=9222"],
                ["soffice", "--writer"])
ACTION = ["python", "-c", "import pyautogui; import time; "
          "pyautogui.FAILSAFE = False; pyautogui.click(400, 400, "
          "_pause=False)"]
LIMITS_MS = {"cold start, ready": 6000, "reset, ready": 1500,
             "screenshot": 120, "action": 60}


def wait_until_still(desktop):
    before = desktop.ask("/screenshot")[1]
    while True:
        time.sleep(STILL_S)
        now = desktop.ask("/screenshot")[1]
        if now == before:
            return
        before = now


def ready_desktop():
    desktop = Desktop((1920, 1080))
    wait_until_still(desktop)
    return desktop


def timed_ms(times, work):
    taken = []
    for _ in range(times):
        begun = time.monotonic()
        work()
        taken.append((time.monotonic() - begun) * 1000)
    return sorted(taken)


def report(what, taken):
    limit = LIMITS_MS[what]
    middle = statistics.median(taken)
    print(f"{what:28} {middle:8.0f} ms ({taken[0]:.0f}..{taken[-1]:.0f}, "
          f"{len(taken)} times), asked for: {limit} ms", flush=True)


def starts_and_resets(times):
    taken = []
    for _ in range(times):
        begun = time.monotonic()
        desktop = ready_desktop()
        taken.append((time.monotonic() - begun) * 1000)
        desktop.close()
    report("cold start, ready", sorted(taken))
    running = [ready_desktop()]

    def reset():
        running[0].close()
        running[0] = ready_desktop()
    report("reset, ready", timed_ms(times, reset))
    return running[0]


def calls(desktop, times):
    desktop.ask("/setup/launch", {"command": APPLICATIONS[0]})
    time.sleep(5)  # until Calc is there
    report("screenshot", timed_ms(times, lambda: desktop.ask("/screenshot")))
    report("action", timed_ms(times, lambda: desktop.told(
        "/execute", {"command": ACTION, "shell": False})))


def inside(desktops):
    """{/proc directory: PID namespace} of every process of the desktops."""
    spaces = set()
    for one in desktops:
        for task in Path(f"/proc/{one.process.pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                spaces.add(os.readlink(f"/proc/{child}/ns/pid"))
    return {process: space for process, space in all_processes().items()
            if space in spaces}


def all_processes():
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found[process] = os.readlink(process / "ns/pid")
        except OSError:
            pass
    return found


def memory_mib(desktops):
    total = 0
    for process in inside(desktops):
        try:
            for line in (process / "smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            pass
    for one in desktops:
        kept = one.run("df -k --output=used /home/user /tmp /dev/shm | "
                       "tail -n +2")["output"]
        total += sum(map(int, kept.split()))
    return total / 1024


def several(count):
    desktops = [Desktop((1920, 1080)) for _ in range(count)]
    print(f"{count} empty desktops         {memory_mib(desktops):10.0f} MiB")
    for number, one in enumerate(desktops):
        one.ask("/setup/launch",
                {"command": APPLICATIONS[number % len(APPLICATIONS)]})
    time.sleep(15)
    print(f"{count} with an application    {memory_mib(desktops):10.0f} MiB, "
          "asked for: 3072 MiB for 4", flush=True)
    for one in desktops:
        one.close()


def left_behind():
    directory = Path(tempfile.gettempdir())
    return {"open files": len(os.listdir("/proc/self/fd")),
            "entries of " + str(directory): len(list(directory.iterdir())),
            "X sockets": len(list(directory.glob(".X11-unix/*")))}


def cycles(count):
    held = []  # an open namespace keeps its number to itself

    def one():
        desktop = Desktop((1920, 1080))
        process = next(iter(inside([desktop])))
        held.append(os.open(process / "ns/pid", os.O_RDONLY))
        desktop.told("/execute", {"command": ACTION, "shell": False})
        desktop.close()
    one()
    before = left_behind()
    begun = time.monotonic()
    for _ in range(count):
        one()
    each_ms = (time.monotonic() - begun) / count * 1000
    lived = {f"pid:[{os.fstat(space).st_ino}]" for space in held}
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and lived & set(
            all_processes().values()):
        time.sleep(0.1)
    processes = sum(space in lived for space in all_processes().values())
    for space in held:
        os.close(space)
    print(f"{count} desktops one after the other: {each_ms:.0f} ms each; left: "
          f"processes {processes}, "
          + ", ".join(f"{what} {now - before[what]:+d}"
                      for what, now in left_behind().items()))


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--times", type=int, default=10)
    words.add_argument("--desktops", type=int, default=4)
    words.add_argument("--cycles", type=int, default=50)
    asked = words.parse_args()
    if lacking := missing():
        print(f"skipped: {lacking}")
        return 77
    desktop = starts_and_resets(asked.times)
    calls(desktop, asked.times * 3)
    desktop.close()
    several(asked.desktops)
    cycles(asked.cycles)
    return 0


if __name__ == "__main__":
    sys.exit(main())
