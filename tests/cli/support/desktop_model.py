"""A language model that is a script, for desktops: it plays the formats of the
agents with images, the prompt agent, GTA1 (planner and grounding model) and
UI-TARS. It is no model of language and looks at no picture but to see whether
the screen is another one. It does one kind of task, to make a folder, and does it
wrongly: with `touch`, unless it is told of `mkdir`. What it says of an attempt is
always that. So what a run scores is whether the note came to whom it is for.

A change for `ModelScript`: `model.change = DesktopScript()`.
"""

import json
import re
import threading

from support.model_script import ratings, words_in

PLACE = (640, 400)  # on an empty screen; in pixels of the smaller picture
KNOWN = "mkdir"
INSIGHT = {"concept": "make a folder", "steps": [0],
           "insight": f"A folder is made by `{KNOWN}()`, and not by touch."}

PROMPT_STEP = """I open a terminal and make it.
```python
import subprocess, time
def is_open():
    return 'Terminal' in subprocess.run(['wmctrl', '-l'], capture_output=True,
                                        text=True).stdout
def wait_until(opened, most_s):
    ends = time.monotonic() + most_s
    while is_open() != opened and time.monotonic() < ends:
        time.sleep(0.1)
pyautogui.hotkey('ctrl', 'alt', 't')
wait_until(True, 60)
for _ in range(10):  # keys may come before it has the keyboard
    if is_open():
        pyautogui.write('{command} {name}; test -e {name} && exit\\n')
        wait_until(False, 6)
```
"""
# What GTA1's planner and UI-TARS write for the steps of `DesktopScript.next`.
WORDS = {
    "gta1": {
        "look": "agent.click('the empty middle of the screen')",
        "open": "agent.hotkey(['ctrl', 'alt', 't'])",
        "wait": "agent.wait(0.3)",
        "write": "agent.type(text='{command} {name}; test -e {name} && exit',"
                 " enter=True)",
        "end": "agent.done()"},
    "ui_tars": {
        "look": "click(start_box='({x},{y})')",
        "open": "hotkey(key='ctrl alt t')",
        "wait": "wait()",
        "write": "type(content='{command} {name}; test -e {name} && exit\\n')",
        "end": "finished(content='')"}}


def all_text(asked):
    return "\n".join(map(words_in, asked["messages"]))


def pictures(asked):
    return [part["image_url"]["url"] for message in asked["messages"]
            if isinstance(message.get("content"), list)
            for part in message["content"] if part["type"] == "image_url"]


def role_of(asked):
    """prompt, gta1, grounder or ui_tars; empty: no agent with images."""
    text = all_text(asked) if "messages" in asked else ""
    for role, mark in (("grounder", "You find things on screenshots"),
                       ("gta1", "You plan the steps of work"),
                       ("ui_tars", "## User Instruction"),
                       ("prompt", "pyautogui")):
        if mark in text and pictures(asked):
            return role
    return ""


# How often it waits for what it did to show before it does it again: on a busy
# machine keys come before a window has the keyboard.
OPEN_WAITS, WRITE_WAITS, WRITES = 60, 20, 5


class DesktopScript:
    def __init__(self):
        self.lock = threading.Lock()
        self.empty = set()  # pictures of a screen before the terminal

    def __call__(self, asked, answer):
        schema = asked.get("response_format", {}).get("json_schema", {})
        if schema.get("name") in ("insights", "review"):
            rated = {} if schema["name"] == "insights" else ratings(
                schema["schema"])
            said = json.dumps({**rated, "insights": [INSIGHT]})
        else:
            said = self.reply(role_of(asked), asked)
        if said:
            answer["choices"][0]["message"] = {"role": "assistant",
                                               "content": said}
            answer["choices"][0]["finish_reason"] = "stop"
        return answer

    def reply(self, role, asked):
        if role == "grounder":
            return "({},{})".format(*PLACE)
        text = all_text(asked)
        words = {"name": (re.findall(r'(?:folder|name|called) "(\w+)"', text)
                          or ["none"])[-1],
                 "command": KNOWN if KNOWN in text else "touch",
                 "x": PLACE[0], "y": PLACE[1]}
        made = [message["content"] for message in asked["messages"]
                if message["role"] == "assistant"]
        if role == "prompt":
            return "```\nDONE\n```" if made else PROMPT_STEP.replace(
                "{name}", words["name"]).replace("{command}",
                                                 words["command"])
        if role not in WORDS:
            return ""
        step = self.next(made, pictures(asked)[-1])
        does = WORDS[role][step].format(**words)
        if role == "ui_tars":
            return f"Thought: I {step}.\nAction: {does}"
        return (f"(Observation)\nA screen.\n\n(Thought)\nI {step}.\n\n"
                f"```python\n{does}\n```")

    def next(self, made, picture):
        """What is done next: nothing rests on how fast a desktop is."""
        steps = [step for one in made
                 for step in re.findall(r"I (\w+)\.", json.dumps(one))]

        def since(step):
            return steps[::-1].index(step) + 1

        if "look" not in steps:
            return "look"
        with self.lock:
            if "open" not in steps:
                self.empty.add(picture)
                return "open"
            is_empty = picture in self.empty
        if is_empty and "write" not in steps:
            return "open" if since("open") > OPEN_WAITS else "wait"
        if is_empty:
            return "end"
        if "write" in steps and since("write") <= WRITE_WAITS:
            return "wait"
        return "end" if steps.count("write") == WRITES else "write"
