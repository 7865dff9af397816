"""Cases for getters, and the guest that official getters see.

A world is what a guest holds: files by their path in the home directory, an
accessibility tree, and its date."""

import contextlib
import io
import json
import os
import types
from unittest import mock

from case_inputs import as_file, mutated, pick, text
from tree_cases import ADDRESSES, database, tree

HOME = "/home/user"
PROFILE = ".config/google-chrome/Default/"


def address_case(extra):
    def make(rng):
        bar = [rng.choice(ADDRESSES) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
        config = extra(rng)
        if rng.random() < 0.7:
            config["goto_prefix"] = rng.choice(["https://www.", "", "http://"])
        return config, {"tree": tree(rng, bar)}
    return make


def parse_extra(rng):
    config = {"parse_keys": pick(rng, ["user", "hl", "list", "a b", "n", "q"])}
    if rng.random() < 0.3:
        config["replace"] = {rng.choice(["user", "list"]): "time"}
    if rng.random() < 0.3:
        config["split_list"] = True
    return config


def part_extra(rng):
    return {"partIndex": rng.choice([0, 2, -1, -2, "3", 9, -9, "x"]),
            "needDeleteId": rng.choice([True, False]),
            "returnType": rng.choice(["string", "json", "json", "x"]),
            "key": "time"}


def shop_extra(_):
    return {"parse_keys": ["mens_clothing", "shirts", "Men_regular_size_t",
                           "Price_discount_range", "short_sleeve",
                           "Sleeve_length"]}


def history_case(rng):
    statements = ["CREATE TABLE urls (id INTEGER PRIMARY KEY, url, title, "
                  "last_visit_time)"] + [
        "INSERT INTO urls (url, title, last_visit_time) VALUES (%s, 'é', %d)" % (
            rng.choice(["'https://youtube.com'", "NULL", "'a'", "5"]), number)
        for number in range(rng.randint(0, 3))]
    content = database(rng, statements if rng.random() < 0.95 else [])
    files = {PROFILE + "History": content.hex()}
    return {"dest": "history"}, {"files": files if rng.random() < 0.9 else {}}


def extension_case(rng):
    settings = {name: rng.choice([
        {"path": "/home/user/x", "manifest": {"name": "Momentum"}},
        {"path": "/y", "manifest": {"name": "Ünï"}}, {"path": 5}, [], "text"])
        for name in pick(rng, ["aaa", "bbb", "ccc"])}
    data = rng.choice([{"extensions": {"settings": settings}}] * 4
                      + [{}, [], {"extensions": {}}])
    files = {PROFILE + "Preferences": as_file(
        mutated(rng, json.dumps(data)), rng)["file"]}
    return {}, {"files": files if rng.random() < 0.9 else {}}


def shortcuts_case(rng):
    names = pick(rng, ["a.desktop", "b.desktop", "notes.txt"])
    return {}, {"files": {"Desktop/" + name: as_file(text(rng), rng)["file"]
                          for name in names}}


def time_case(rng):
    today = "20%02d-%02d-%02d" % (rng.randint(20, 40), rng.randint(1, 12),
                                  rng.randint(1, 28))
    formats = ["{DoW}, {Month} {Day0D}, {Year}", "{month}-x {MonthFull}",
               "{Year}-{Month0D}-{DayD}", "{MonthD} {Year} {Year}", "none"]
    times = rng.choice([
        ({"from": rng.choice(["tomorrow", "5th next month", "10th next month",
                              "this month", "next Monday"])}, ["time"]),
        ({"from": "10th next month", "to": "11th next month"}, ["from", "to"]),
        ({"from": "next Monday", "to": "next Friday"}, ["from", "to"]),
        ({"from": "next Monday split", "to": "next Friday split"},
         ["puDay", "puMonth", "puYear", "doDay", "doMonth", "doYear"])])
    expected = {name: rng.choice(formats) for name in times[1]
                if rng.random() < 0.97}
    if "time" in expected and rng.random() < 0.3:
        expected["time"] = pick(rng, formats)
    return ({"rules": {"relativeTime": times[0], "expected": expected}},
            {"today": today})


MAKERS = {
    "history": history_case,
    "find_unpacked_extension_path": extension_case,
    "find_installed_extension_name": extension_case,
    "shortcuts_on_desktop": shortcuts_case,
    "rule_relativeTime": time_case,
}
# These need lxml and cssselect.
SELECTING = {
    "active_url_from_accessTree": address_case(lambda _: {}),
    "active_tab_url_parse": address_case(parse_extra),
    "url_dashPart": address_case(part_extra),
    "url_path_parse": address_case(shop_extra),
}


class Controller:
    """Answers as the official controller would of this world."""

    def __init__(self, world):
        self.world = world

    def get_accessibility_tree(self):
        return self.world["tree"]

    def get_file(self, path):
        found = self.world.get("files", {}).get(os.path.relpath(path, HOME))
        return None if found is None else bytes.fromhex(found)

    def get_vm_desktop_path(self):
        return HOME + "/Desktop"

    def get_vm_directory_tree(self, _):
        return {"children": [{"name": name.removeprefix("Desktop/")}
                             for name in self.world["files"]]}

    def execute_python_command(self, command):
        if "datetime" in command:
            return {"output": self.world["today"] + "T12:00:00+01:00\n"}
        said = io.StringIO()
        with contextlib.redirect_stdout(said), mock.patch.dict(
                os.environ, {"HOME": HOME}):
            exec(command, {})  # it prints a path in the home directory
        return {"output": said.getvalue()}


def official_value(function, config, world, directory):
    env = types.SimpleNamespace(
        controller=Controller(world), vm_platform="Linux", vm_machine="x86_64",
        cache_dir=directory)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = function(env, json.loads(json.dumps(config)))
        return {"value": json.loads(json.dumps(value, default=lambda _: None))}
    except Exception as raised:  # what escapes is an answer, too
        return {"raises": type(raised).__name__}
