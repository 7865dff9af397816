"""GIMP, VLC, Chromium, Thunderbird, and what cannot be done."""

import fixtures
from task import (FAIL, INFEASIBLE, Task, download, execute, in_terminal,
                  keys, launch, prints, prints_exactly, until, window)

SPLITS = ("train", "eval", "test")
PROFILE = ".thunderbird/work.default"
PREFERENCES = "/home/user/.config/google-chrome/Default/Preferences"


def pictures():
    stripes = [(200, 30, 30), (30, 160, 60), (40, 60, 200), (240, 220, 60)]
    for split, (name, wish, script, fact) in zip(SPLITS, (
            ("flag", "mirror it horizontally (left becomes right)",
             "(gimp-image-flip image ORIENTATION-HORIZONTAL)",
             "(160, 90) (240, 220, 60)"),
            ("banner", "scale it to 80 by 45 pixels",
             "(gimp-image-scale image 80 45)", "(80, 45) (200, 30, 30)"),
            ("card", "turn it by 90 degrees clockwise",
             "(gimp-image-rotate image ROTATE-90)",
             "(90, 160) (200, 30, 30)"))):
        place, out = f"Pictures/{name}.png", f"Pictures/{name}-new.png"
        batch = (f"(let* ((image (car (gimp-file-load 1 \"{place}\" "
                 f"\"{place}\")))) {script} (gimp-file-save 1 image (car "
                 f"(gimp-image-flatten image)) \"{out}\" \"{out}\"))")
        yield Task(
            "gimp", f"picture-{name}", split,
            f"Use GIMP on the picture ~/{place}: {wish}, and export the "
            f"result as ~/{out}.",
            prints("/usr/bin/python3 -c \"from PIL import Image; i=Image.open("
                   f"'/home/user/{out}').convert('RGB'); print(i.size, "
                   "i.getpixel((2,2)))\" 2>&1", [fact], ["Error"]),
            in_terminal(f"gimp -i -b '{batch}' -b '(gimp-quit 0)'"),
            [download((f"{name}.png", place))],
            {f"{name}.png": lambda path: fixtures.picture(path, 160, 90,
                                                          stripes)})


def gimp_settings():
    for split, (key, value, wish) in zip(SPLITS, (
            ("undo-levels", "100", "the minimum number of undo steps to 100"),
            ("num-processors", "1", "the number of threads to use to 1"),
            ("toolbox-group-tools", "no", "that tools in the toolbox are not "
             "grouped"))):
        yield Task(
            "gimp", f"setting-{key}", split,
            f"Set in the preferences of GIMP {wish} (in its file gimprc: "
            f"{key}). GIMP is not running.",
            {"func": "check_config_status",
             "result": {"type": "gimp_config_file", "file_name": "gimprc",
                        "dest": "gimprc"},
             "expected": {"type": "rule", "rules": {
                 "type": "key-value", "key": key, "value": value}}},
            in_terminal(f"echo '({key} {value})' >> .config/GIMP/2.10/gimprc"),
            [execute("mkdir -p ~/.config/GIMP/2.10 && echo '# GIMP gimprc' > "
                     "~/.config/GIMP/2.10/gimprc")])


def vlc_settings():
    for split, (key, value, wish) in zip(SPLITS, (
            ("input-record-path", "/home/user/Desktop",
             "the folder for recordings is my desktop, /home/user/Desktop"),
            ("qt-max-volume", "200", "the volume can be set up to 200 %"),
            ("snapshot-path", "/home/user/Pictures", "video snapshots are "
             "stored in /home/user/Pictures"))):
        yield Task(
            "vlc", f"setting-{key}", split,
            f"Change the settings of VLC so that {wish} (the setting {key} in "
            "~/.config/vlc/vlcrc). VLC is not running.",
            prints(f"grep '^{key}=' /home/user/.config/vlc/vlcrc",
                   [f"{key}={value}\n"]),
            in_terminal(f"sed -i '/^{key}=/d' .config/vlc/vlcrc; echo "
                        f"{key}={value} >> .config/vlc/vlcrc"))


def chromium_settings():
    start = [launch("google-chrome", "--remote-debugging-port=9222"),
             execute("for i in $(seq 300); do wmctrl -l | grep -q Chromium && "
                     "break; sleep 0.1; done")]
    stop = [execute("pkill chromium; for i in $(seq 100); do pgrep -x "
                    "chromium >/dev/null || break; sleep 0.1; done")]
    change = ("python3 -c \"import json; p='{place}'; d=json.load(open(p)); "
              "d.setdefault('{group}', {{}})['{key}']={value}; "
              "json.dump(d, open(p,'w'))\"")
    for split, (name, group, key, value, wish) in zip(SPLITS, (
            ("bookmark-bar", "bookmark_bar", "show_on_all_tabs", "True",
             "always shows the bookmarks bar"),
            ("downloads", "download", "prompt_for_download", "True",
             "asks where to save each file before downloading"),
            ("home-button", "browser", "show_home_button", "True",
             "shows the home button"))):
        read = (f"python3 -c \"import json; d=json.load(open('{PREFERENCES}'))"
                f"; print(d.get('{group}', {{}}).get('{key}'))\"")
        solution = [window("Chromium"), keys("ctrl", "shift", "b")] \
            if name == "bookmark-bar" else [
                window("Chromium"), keys("ctrl", "shift", "w"),
                until("! pgrep -x chromium"),
                *in_terminal(change.format(place=PREFERENCES, group=group,
                                           key=key, value=value))]
        yield Task("chrome", f"setting-{name}", split,
                   f"Change the settings of the browser so that it {wish}.",
                   prints_exactly(read, value + "\n", stop), solution, start)


def thunderbird_settings():
    for split, (key, value, wish) in zip(SPLITS, (
            ("mail.identity.id1.fullName", "Grace Hopper",
             "the name of the sender of my account is Grace Hopper"),
            ("mail.identity.id1.reply_to", "office@example.org",
             "replies to my mails go to office@example.org"),
            ("mail.identity.id1.organization", "Analytical Engines",
             "the organization of my account is Analytical Engines"))):
        short = key.rsplit(".", 1)[-1]
        line = f'user_pref("{key}", "{value}");'
        yield Task(
            "thunderbird", f"setting-{short}", split,
            f"Change the account settings of Thunderbird so that {wish} (the "
            f"preference {key} in the file prefs.js of its profile, "
            f"~/{PROFILE}). Thunderbird is not running.",
            {"func": "check_thunderbird_prefs",
             "result": {"type": "vm_file", "dest": "prefs.js",
                        "path": f"/home/user/{PROFILE}/prefs.js"},
             "expected": {"type": "rule", "rules": {"expect": {
                 key: {"method": "eq", "ref": value}}}}},
            in_terminal(f"sed -i '/{key}/d' {PROFILE}/prefs.js; echo '{line}' "
                        f">> {PROFILE}/prefs.js"),
            [download(("profiles.ini", ".thunderbird/profiles.ini"),
                      ("prefs.js", f"{PROFILE}/prefs.js"))],
            {"profiles.ini": lambda path: fixtures.text(path, [
                "[Profile0]", "Name=work", "IsRelative=1",
                "Path=work.default", "Default=1"]),
             "prefs.js": lambda path: fixtures.text(path, [
                 '// Mozilla User Preferences',
                 'user_pref("mail.account.account1.identities", "id1");',
                 'user_pref("mail.accountmanager.accounts", "account1");',
                 'user_pref("mail.identity.id1.fullName", "G. H.");',
                 'user_pref("mail.identity.id1.useremail", '
                 '"grace@example.org");'])})


def infeasible():
    for split, (domain, name, instruction) in zip(
            ("train", "train", "eval", "test", "test"), (
            ("os", "touchscreen", "Turn on the handwriting recognition of the "
             "touch screen of this computer."),
            ("libreoffice_calc", "rows", "Make the sheet of LibreOffice Calc "
             "four billion rows long."),
            ("vlc", "smell", "Let VLC play the smell track of this film."),
            ("gimp", "cmyk-brush", "Make GIMP guess which brush I will want "
             "next month."),
            ("chrome", "battery", "Set in the browser how fast the battery of "
             "this computer is charged."))):
        yield Task(domain, f"infeasible-{name}", split, instruction,
                   INFEASIBLE, [FAIL])


def tasks():
    for family in (pictures, gimp_settings, vlc_settings, chromium_settings,
                   thunderbird_settings, infeasible):
        yield from family()
