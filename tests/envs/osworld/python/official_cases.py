#!/usr/bin/env python3
"""Cases for metrics, with what OSWorld's own Python scores them.

  official_cases.py CHECKOUT COUNT

CHECKOUT has desktop_env/evaluators; nothing of it is copied. Modules that it
imports and this machine lacks are stood in for: the metrics compared here use
none of them. Prints one JSON object a line: metric, result, expected, options,
and `score` or `raises`. A value is {"data": ...}, {"file": HEX} or {"files":
[HEX or null]} or {}. Equal arguments give equal cases.
"""

import contextlib
import importlib.abc
import importlib.machinery
import io
import json
import logging
import os
import random
import sys
import tempfile
import types
from unittest import mock


class Standing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds, after everybody else, any module outside of desktop_env."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "desktop_env":
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return mock.MagicMock(__name__=spec.name, __path__=[], __spec__=spec,
                              __version__="0")

    def exec_module(self, module):
        pass


def official(checkout):
    """The official functions, without the package's list of all of them."""
    for name in ("desktop_env", "desktop_env.evaluators",
                 "desktop_env.evaluators.metrics"):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(checkout, *name.split("."))]
        sys.modules[name] = package
    sys.meta_path.append(Standing())
    functions = {}
    for name in ("basic_os", "general", "gimp", "table", "thunderbird",
                 "vlc", "vscode"):
        module = importlib.import_module("desktop_env.evaluators.metrics."
                                         + name)
        for key, value in vars(module).items():
            if callable(value) and value.__class__ is types.FunctionType:
                functions.setdefault(key, value)
    return functions


# -- inputs -------------------------------------------------------------------

WORDS = ["alpha", "Beta", "0", "1", "true", "", " ", "München", "ß", "日本",
         "a b", "x=1", "<tag>", "it's", "\"q\"", "#", "(key value)", "12:30:59",
         "23:59:60", "\u00a0", "İ", "end\\", "None"]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n", "", "\x0b", "\u2028"]


def text(rng, lines=None):
    parts = []
    for _ in range(rng.randint(0, 8) if lines is None else lines):
        parts.append(rng.choice([" ", "\t", ", "]).join(
            rng.choice(WORDS) for _ in range(rng.randint(0, 4))))
        parts.append(rng.choice(ENDS))
    return "".join(parts)


def mutated(rng, source):
    """Some characters deleted, doubled, swapped or replaced."""
    letters = list(source)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
        if not letters:
            break
        at = rng.randrange(len(letters))
        kind = rng.randrange(5)
        if kind == 0:
            del letters[at]
        elif kind == 1:
            letters.insert(at, letters[at])
        elif kind == 2:
            letters[at] = rng.choice("aZ09 \t\n\r\"',;:{}[]()\\=#ß")
        elif kind == 3:
            letters[at] = letters[at].swapcase()
        else:
            other = rng.randrange(len(letters))
            letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)


def value(rng, depth=2):
    kind = rng.randrange(9 if depth else 6)
    if kind < 2:
        return rng.choice(WORDS)
    if kind == 2:
        return rng.choice([0, 1, -1, 2, 100, 2 ** 40])
    if kind == 3:
        return rng.choice([0.0, 1.0, 0.5, 1e20])
    if kind == 4:
        return rng.choice([True, False])
    if kind == 5:
        return None
    if kind < 8:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(WORDS): value(rng, depth - 1)
            for _ in range(rng.randint(0, 3))}


def as_file(content, rng, broken=True):
    data = content.encode()
    if broken and rng.random() < 0.03:
        data += b"\xff\xfe"
    return {"file": data.hex()}


def maybe_none(rng, given):
    return {} if rng.random() < 0.04 else given


PATTERNS = ["alpha", "^Beta", r"\d+", r"\bx=\d\b", "(a|b)+c?", "[A-Z]\\w*",
            "a.c", r"^\s*$", "ß$", r"(?i)BETA", r"M.nchen", r"[^a-z ]+",
            r"(\w)\1", r"(?<=x)=", r"(?!a)\w", "a{1,2}", r"\S+\s\S+",
            r"^(?:alpha|0)\s", r"日.", "end\\\\", r"(?P<n>1).*(?P=n)", "(",
            "[z-a]", "*a", r"x{2", r"\A\(", r"true\Z"]


def pick(rng, items, least=0, most=3):
    return [rng.choice(items) for _ in range(rng.randint(least, most))]


def rule_match(rng, found):
    method = rng.choice(["eq", "eq", "ne", "lt", "le", "gt", "ge", "re",
                         "re.S", "re.I.M", "approx:0.5", "range.te",
                         "range.tt", "str_list_eq", "str_set_eq", "nope"])
    ref = found if rng.random() < 0.5 else value(rng, 1)
    if method.startswith("re"):
        ref = rng.choice(PATTERNS)
    elif method.startswith("range"):
        ref = [rng.choice([0, 1, "a"]), rng.choice([1, 2, 100, "z"])]
    elif method.startswith("approx"):
        ref = rng.choice([0, 1, 2.25])
    elif method.startswith("str_"):
        ref = pick(rng, WORDS)
    return {"method": method, "ref": ref}


def json_case(rng):
    data = {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 4))}
    rules = {}
    for name in ("expect", "unexpect"):
        if rng.random() < 0.6:
            rules[name] = []
            for _ in range(rng.randint(0, 2)):
                found, key = data, []
                while isinstance(found, (dict, list)) and found and (
                        len(key) < 1 or rng.random() < 0.5):
                    step = (rng.choice(list(found)) if isinstance(found, dict)
                            else rng.randrange(-1, len(found)))
                    key.append(step)
                    found = found[step]
                if rng.random() < 0.1:
                    key.append(rng.choice([0, "nope", 7]))
                rules[name].append({"key": key, **rule_match(rng, found)})
    content = mutated(rng, json.dumps(data, ensure_ascii=rng.random() < 0.5))
    return maybe_none(rng, as_file(content, rng)), {"data": rules}, {}


def settings_case(rng):
    data = {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 4))}
    expected = {k: v for k, v in data.items() if rng.random() < 0.7}
    if rng.random() < 0.3:
        expected[rng.choice(WORDS)] = value(rng)
    body = data if rng.random() < 0.9 else value(rng)
    return (maybe_none(rng, as_file(mutated(rng, json.dumps(body)), rng)),
            {"data": {"expected": expected}}, {})


def keybindings_case(rng):
    data = [{"key": rng.choice(WORDS), "command": rng.choice(WORDS)}
            for _ in range(rng.randint(0, 3))]
    wanted = rng.choice(data) if data and rng.random() < 0.8 else value(rng)
    head = rng.choice(["", "// Place your key bindings\n", "\n", "//"])
    return (maybe_none(rng, as_file(head + mutated(rng, json.dumps(data)),
                                    rng)),
            {"data": {"expected": wanted}}, {})


def config_case(rng):
    data = {rng.choice(WORDS): value(rng) for _ in range(rng.randint(0, 3))}
    part = {k: v for k, v in data.items() if rng.random() < 0.7}
    wanted = mutated(rng, json.dumps(part)) if rng.random() < 0.8 else text(rng)
    actual = json.dumps(data, indent=rng.choice([None, 2]))
    if rng.random() < 0.3:
        actual = text(rng) + wanted + text(rng)
    options = rng.choice([{}, {"containment_ok": True},
                          {"containment_ok": False}])
    return (maybe_none(rng, as_file(mutated(rng, actual), rng)),
            {"data": {"expected": wanted}}, options)


def direct_case(rng):
    data = {rng.choice(WORDS[:4] + ["k"]): value(rng, 1)
            for _ in range(rng.randint(0, 4))}
    expected = {k: v for k, v in data.items() if rng.random() < 0.8}
    if rng.random() < 0.2:
        expected["k"] = rng.choice(["__EVALUATION_FAILED__", "a", ["a", "b"]])
    rules = {"expected": expected}
    if rng.random() < 0.4:
        rules["expect_in_result"] = rng.choice([True, False])
    result = data if rng.random() < 0.4 else mutated(
        rng, rng.choice([json.dumps, repr])(data))
    if rng.random() < 0.05:
        result = value(rng)
    return ({} if result is None else {"data": result}), {"data": rules}, {}


def include_case(rng):
    body = text(rng)
    parts = [body[a:b] for a, b in (sorted((rng.randrange(len(body) + 1),
                                            rng.randrange(len(body) + 1)))
                                    for _ in range(3))]
    rules = {}
    if rng.random() < 0.9:
        rules["include"] = pick(rng, parts + ["alpha"], 0, 2)
    if rng.random() < 0.6:
        rules["exclude"] = pick(rng, WORDS, 0, 2)
    result = body if rng.random() < 0.9 else pick(rng, WORDS)
    return maybe_none(rng, {"data": result}), {"data": rules}, {}


def equal_case(rng):
    got = value(rng)
    wanted = got if rng.random() < 0.5 else value(rng)
    return ({} if got is None else {"data": got},
            {"data": {"expected": wanted}}, {})


def list_in_case(rng):
    return ({"data": rng.choice([rng.choice(WORDS), value(rng, 1) or "x"])},
            {"data": {"expected": rng.choice([pick(rng, WORDS),
                                              rng.choice(WORDS)])}}, {})


def in_list_case(rng):
    got = rng.choice([pick(rng, WORDS), text(rng)])
    return {"data": got}, {"data": {"expected": rng.choice(WORDS)}}, {}


def literal_case(rng):
    got = value(rng)
    wanted = got if rng.random() < 0.5 else value(rng)
    options = {"type": rng.choice(["str", "list"])}
    if rng.random() < 0.4:
        options["ignore_case"] = True
        if isinstance(wanted, str):
            wanted = wanted.swapcase()
    def shaped(v):
        return {} if v is None else {"data": v}
    return shaped(got), shaped(wanted), options


def two_files(rng, options):
    first = text(rng, rng.choice([None, None, 250]))
    second = mutated(rng, first) if rng.random() < 0.8 else text(rng)
    return maybe_none(rng, as_file(first, rng)), as_file(second, rng), options


def diff_case(rng):
    return two_files(rng, {})


def compare_text_case(rng):
    return two_files(rng, rng.choice([{}, {"ignore_blanks": True},
                                      {"ignore_case": True},
                                      {"ignore_blanks": True,
                                       "ignore_case": True}]))


def compare_csv_case(rng):
    return two_files(rng, rng.choice([{}, {"strict": False},
                                      {"ignore_case": True}]))


def pure_python_case(rng):
    head = rng.choice(["", "#!/usr/bin/python\n", "# -*- coding: utf-8 -*-\n"])
    body = "".join("\t" * rng.randrange(3) + rng.choice(WORDS) + "\n"
                   for _ in range(rng.randint(0, 6)))
    return (maybe_none(rng, as_file(head + mutated(rng, body), rng)),
            as_file(body, rng), {})


def contains_case(rng):
    body = text(rng)
    return (maybe_none(rng, as_file(body, rng)),
            {"data": {"expected": pick(rng, WORDS)}}, {})


def line_number_case(rng):
    count = rng.randint(0, 3)
    body = "".join(rng.choice(["%02d:%02d:%02d up\n" % (
        rng.randrange(26), rng.randrange(60), rng.randrange(62)),
        text(rng, 1)]) for _ in range(count))
    wanted = rng.choice([count, str(count), 0, "1", 2])
    return (maybe_none(rng, as_file(body, rng)),
            {"data": {"expected": wanted}}, {})


def list_case(rng):
    rules = {}
    for name in ("expect", "unexpect"):
        if rng.random() < 0.7:
            rules[name] = pick(rng, PATTERNS, 0, 2)
    return maybe_none(rng, as_file(text(rng), rng)), {"data": rules}, {}


def csv_case(rng):
    names = pick(rng, ["a", "b", "c", "a b", "\"x\""], 1, 4)
    rows = [pick(rng, WORDS + ["x,y", "l\n2"], 0, 5)
            for _ in range(rng.randint(0, 4))]
    out = io.StringIO()
    import csv
    csv.writer(out, lineterminator=rng.choice(["\n", "\r\n"])).writerows(
        [names] + rows)
    def record():
        row = rng.choice(rows) if rows else []
        return {k: v for k, v in zip(names, row) if rng.random() < 0.7}
    rules = {name: [record() for _ in range(rng.randint(0, 2))]
             for name in ("expect", "unexpect") if rng.random() < 0.7}
    return (maybe_none(rng, as_file(mutated(rng, out.getvalue()), rng)),
            {"data": rules}, {})


def gimp_case(rng):
    lines = [rng.choice(["# comment\n", "\n", "(theme \"Dark\")\n",
                         "(icon-size small)\n", "(undo-levels 100)\n",
                         "(color-management (mode display))\n", " \n",
                         "(a b c)\n"]) for _ in range(rng.randint(0, 5))]
    key = rng.choice(["theme", "icon-size", "undo-levels",
                      ["color-management", "(mode"], ["a", "b"], 3])
    wanted = rng.choice(["\"Dark\"", "small", "100", "display", "c"])
    return (maybe_none(rng, as_file(mutated(rng, "".join(lines)), rng)),
            {"data": {"key": key, "value": wanted}}, {})


def utc_case(rng):
    zone = rng.choice(["UTC, +0000", "WET, +0000", "CET, +0100"])
    body = "Local\nUniversal\nRTC\nTime zone: X (%s)\nSystem\n" % zone
    return {"data": mutated(rng, body)}, None, {}


def jpgs_case(rng):
    names = pick(rng, ["a.jpg", "b.jpg", "c d.jpg"], 0, 3)
    tree = {"type": "directory", "name": "d", "children": [
        {"type": "file", "name": name} for name in names]}
    wanted = rng.sample(names, len(names)) if rng.random() < 0.6 else pick(
        rng, ["a.jpg", "b.jpg"])
    return {"data": tree}, {"data": {"expected": wanted}}, {}


def extension_case(rng):
    return ({"data": text(rng)},
            {"data": {"type": rng.choice(["contain", "not_contain", "has"]),
                      "expected": rng.choice(WORDS)}}, {})


def favourites_case(rng):
    apps = pick(rng, ["thunderbird.desktop", "vim.desktop", "a.desktop"], 1, 3)
    wanted = rng.sample(apps, len(apps)) if rng.random() < 0.6 else pick(
        rng, ["vim.desktop", "a.desktop"])
    return {"data": repr(apps)}, {"data": {"expected": wanted}}, {}


def vlc_case(key, rule):
    def make(rng):
        lines = [rng.choice(["#%s=7" % key, "%s=%s" % (key, rng.choice(
            ["0", "1", "125", "", " 1 ", "a=b", "/home/user/Desktop"])),
            "[qt]", "", "x=1"]) for _ in range(rng.randint(0, 4))]
        wanted = rng.choice([0, 1, "0", "1", "125", "/home/user/Desktop", True])
        return (as_file(rng.choice(["\n", "\r\n"]).join(lines), rng),
                {"data": {rule: wanted}}, {})
    return make


def colours_case(rng):
    value_text = ";".join(str(rng.choice([0, 1, 50, 99, 100, 200]))
                          for _ in range(rng.choice([0, 3, 6, 12, 4])))
    lines = rng.choice(["qt-slider-colours=" + value_text, "#" + "x=1", ""])
    rules = rng.choice([{"type": "blackish"},
                        {"type": "match",
                         "expected_qt_slider_colours": value_text}])
    return as_file(lines, rng), {"data": rules}, {}


def prefs_case(rng):
    keys = ["mail.a", "mail.b", "x\\\"y", "n"]
    lines, values = [], {}
    for _ in range(rng.randint(0, 5)):
        key, found = rng.choice(keys), rng.choice(
            ["text", True, False, 3, 2.5, "a,b"])
        values[key] = found
        lines.append(rng.choice(["", "  ", "// "])
                     + 'user_pref("%s", %s);' % (key, json.dumps(found)))
    rules = {}
    for name in ("expect", "unexpect"):
        if rng.random() < 0.7:
            rules[name] = {key: rule_match(rng, values.get(key, 1))
                           for key in pick(rng, keys, 0, 2)}
    return (maybe_none(rng, as_file(mutated(rng, "\n".join(lines)), rng)),
            {"data": rules}, {})


def filter_case(rng):
    def one():
        return {"name": rng.choice(["Promo", "a \\\"b\\\""]),
                "enabled": rng.choice(["yes", "no"]), "type": "17",
                "action": rng.choice(["Move to folder", "Forward"]),
                "actionValue": "mailbox://x/Y",
                "condition": rng.choice([
                    "AND (subject,contains,discount)", "ALL",
                    "OR (from,isn't,a b) OR (to,is,\\\"q\\\")"])}
    filters = [one() for _ in range(rng.randint(0, 3))]
    body = 'version="9"\nlogging="no"\n' + "".join(
        "%s=\"%s\"\n" % item for each in filters for item in each.items())
    def pattern():
        each = dict(rng.choice(filters)) if filters else {}
        each.pop("condition", None)
        if rng.random() < 0.5:
            each["condition"] = rng.choice([
                ["AND (subject,contains,discount)"], ["ALL"]])
        return {k: v for k, v in each.items() if rng.random() < 0.5}
    rules = {name: [pattern() for _ in range(rng.randint(0, 2))]
             for name in ("expect", "unexpect") if rng.random() < 0.7}
    return (maybe_none(rng, as_file(mutated(rng, body), rng)),
            {"data": rules}, {})


MAKERS = {
    "check_include_exclude": include_case, "exact_match": equal_case,
    "match_in_list": list_in_case, "is_in_list": in_list_case,
    "literal_match": literal_case, "check_direct_json_object": direct_case,
    "check_list": list_case, "diff_text_file": diff_case,
    "compare_text_file": compare_text_case, "compare_config": config_case,
    "file_contains": contains_case, "check_json": json_case,
    "check_json_settings": settings_case,
    "check_json_keybindings": keybindings_case, "check_csv": csv_case,
    "compare_csv": compare_csv_case, "check_config_status": gimp_case,
    "is_utc_0": utc_case, "check_moved_jpgs": jpgs_case,
    "is_extension_installed": extension_case,
    "check_line_number": line_number_case,
    "check_gnome_favorite_apps": favourites_case,
    "compare_python_pure_text": pure_python_case,
    "check_qt_bgcone": vlc_case("qt-bgcone", "expected_qt_bgcone"),
    "check_qt_max_volume": vlc_case("qt-max-volume", "expected_qt_max_volume"),
    "check_qt_minimal_view": vlc_case("qt-minimal-view",
                                      "expected_qt_minimal_view"),
    "check_play_and_exit": vlc_case("play-and-exit", "expected_play_and_exit"),
    "check_one_instance_when_started_from_file": vlc_case(
        "one-instance-when-started-from-file",
        "expected_one_instance_when_started_from_file"),
    "check_global_key_play_pause": vlc_case(
        "global-key-play-pause", "expected_global_key_play_pause"),
    "is_vlc_recordings_folder": vlc_case("input-record-path",
                                         "recording_file_path"),
    "check_qt_slider_colours": colours_case,
    "check_thunderbird_prefs": prefs_case,
    "check_thunderbird_filter": filter_case,
}


# -- scores -------------------------------------------------------------------

def as_argument(shaped, directory, name):
    if "file" in shaped:
        path = os.path.join(directory, name)
        with open(path, "wb") as file:
            file.write(bytes.fromhex(shaped["file"]))
        return path
    return shaped.get("data")


def scored(function, case, directory):
    arguments = [as_argument(case["result"], directory, "result")]
    if case["expected"] is not None:
        arguments.append(as_argument(case["expected"], directory, "expected"))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {"score": float(function(*arguments, **case["options"]))}
    except Exception as raised:  # what escapes is an answer, too
        return {"raises": type(raised).__name__}


def main():
    checkout, count = sys.argv[1], int(sys.argv[2])
    logging.disable(logging.CRITICAL)
    functions = official(checkout)
    names = sorted(MAKERS)
    with tempfile.TemporaryDirectory() as directory:
        for number in range(count):
            name = names[number % len(names)]
            rng = random.Random("%s %d" % (name, number))
            result, expected, options = MAKERS[name](rng)
            case = {"metric": name, "result": result, "expected": expected,
                    "options": options}
            case.update(scored(functions[name],
                               json.loads(json.dumps(case)), directory))
            print(json.dumps(case))


if __name__ == "__main__":
    main()
