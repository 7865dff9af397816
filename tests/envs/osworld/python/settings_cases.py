"""Cases for metrics over settings of applications."""

import json

from case_inputs import (WORDS, as_file, maybe_none, mutated, pick, rule_match,
                         text)


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
    "check_config_status": gimp_case, "is_utc_0": utc_case,
    "check_moved_jpgs": jpgs_case, "is_extension_installed": extension_case,
    "check_gnome_favorite_apps": favourites_case,
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
