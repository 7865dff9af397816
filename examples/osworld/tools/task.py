"""A task of our own in the official JSON format, and its scripted solution."""

import uuid
from dataclasses import dataclass, field

HOME = "/home/user"
SPACE = uuid.UUID("7b6f1f4e-52a3-4f43-9f0c-1f2f1d1a9c60")


@dataclass
class Task:
    domain: str        # folder: os, libreoffice_calc, ...
    name: str          # of ours; its id is made of it
    split: str         # train, eval or test
    instruction: str
    evaluator: dict
    solution: list     # see `act` and the like
    config: list = field(default_factory=list)
    fixtures: dict = field(default_factory=dict)  # file -> function(path)

    @property
    def id(self):
        return str(uuid.uuid5(SPACE, self.name))

    def json(self):
        return {
            "id": self.id, "snapshot": self.domain,
            "instruction": self.instruction,
            "source": "brewery: examples/osworld/tools/generate.py "
                      f"({self.name})",
            "config": self.config, "trajectory": "trajectories/",
            "related_apps": [self.domain], "evaluator": self.evaluator,
            "proxy": False, "fixed_ip": False,
            "possibility_of_env_change": "low"}


# Setup steps.


def download(*names_and_places):
    """(fixture, path in the desktop) pairs."""
    return {"type": "download", "parameters": {"files": [
        {"url": "files/" + name, "path": f"{HOME}/{place}"}
        for name, place in names_and_places]}}


def execute(command):
    return {"type": "execute", "parameters": {
        "command": command, "shell": True}}


def launch(*words):
    return {"type": "launch", "parameters": {"command": list(words)}}


def open_file(place):
    return {"type": "open", "parameters": {"path": f"{HOME}/{place}"}}


def sleep(seconds):
    return {"type": "sleep", "parameters": {"seconds": seconds}}


# Evaluators.


def prints(script, include, exclude=(), postconfig=()):
    """What a shell script prints in the desktop has and has not."""
    return _with(postconfig, {
        "func": "check_include_exclude",
        "result": {"type": "vm_command_line", "command": script,
                   "shell": True},
        "expected": {"type": "rule", "rules": {
            "include": list(include), "exclude": list(exclude)}}})


def prints_exactly(script, text, postconfig=()):
    return _with(postconfig, {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": script,
                   "shell": True},
        "expected": {"type": "rule", "rules": {"expected": text}}})


def _with(postconfig, evaluator):
    return {"postconfig": list(postconfig), **evaluator} if postconfig \
        else evaluator


INFEASIBLE = {"func": "infeasible"}

# Steps of solutions: an action of an agent, or a wait of the player for what
# the desktop shows, so that nothing rests on how fast it is.


def act(code):
    return {"act": "import time; " + code}


def until(script):
    """Until a shell script in the desktop succeeds."""
    return {"until": script}


def window(title):
    return until(f"wmctrl -l | grep -qF -- {_quoted(title)}")


def no_window(title):
    return until(f"! wmctrl -l | grep -qF -- {_quoted(title)}")


def quiet(*programs):
    """Until they neither compute nor wait for a processor or a disk: what has
    come to them is done."""
    each = "pgrep -x '" + "|".join(programs) + "'"
    return until(
        f'stats() {{ cat $({each} | sed "s:.*:/proc/&/$1stat:") '
        "</dev/null 2>/dev/null; }; "
        "busy() { stats 'task/*/' | grep -q ') [RD] '; }; "
        "used() { stats | cut -d' ' -f14,15; }; "
        "! busy && a=$(used) && sleep 0.5 && ! busy && "
        'test -n "$a" -a "$a" = "$(used)"')


def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def keys(*names):
    return act(f"pyautogui.hotkey({', '.join(map(repr, names))})")


def typed(words):
    return act(f"pyautogui.write({words!r})")


def in_terminal(*commands):
    """Opens a terminal, types commands, waits for each, and closes it."""
    steps = [keys("ctrl", "alt", "t"), window("Terminal"),
             until("test -d /proc/$(pgrep -n -x bash)"),
             quiet("gnome-terminal-", "openbox")]  # names have 15 letters
    for number, command in enumerate(commands):
        done = f"/tmp/.done{number}"
        steps += [typed(f"{command}; touch {done}\n"),
                  until(f"test -e {done}")]
    return [*steps, typed("exit\n"), no_window("Terminal")]


FAIL, DONE = {"act": "FAIL"}, {"act": "DONE"}
