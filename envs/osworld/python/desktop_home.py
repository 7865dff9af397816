"""Makes the prepared home of a desktop: settings without which applications
greet, ask or ring home at their first start. A tar file, as each desktop gets
a copy.

  python3 desktop_home.py OUT.tar
"""

import io
import sys
import tarfile
from pathlib import Path

OPENBOX = Path("/etc/xdg/openbox/rc.xml")
KEYS = """  <keybind key="C-A-t">
    <action name="Execute"><command>gnome-terminal</command></action>
  </keybind>
"""
WINDOWS = """  <application type="normal">
    <decor>no</decor>
    <maximized>yes</maximized>
  </application>
"""

OFFICE_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" \
xmlns:xs="http://www.w3.org/2001/XMLSchema" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
"""
COMMON, SETUP = "/org.openoffice.Office.Common/", "/org.openoffice.Setup/"
LONG_AWAY = "4102444800"  # the year 2100
OFFICE = [
    (COMMON + "Misc", "ShowTipOfTheDay", "false"),
    (COMMON + "Misc", "FirstRun", "false"),
    (COMMON + "Misc", "CrashReport", "false"),
    (COMMON + "Misc", "LastTipOfTheDayShown", "99999"),
    (SETUP + "Product", "WhatsNew", "false"),
    (SETUP + "Product", "WhatsNewDialog", "false"),
    (SETUP + "Product", "LastTimeGetInvolvedShown", LONG_AWAY),
    (SETUP + "Product", "LastTimeDonateShown", LONG_AWAY),
]

VLC = """[qt]
qt-privacy-ask=0
qt-updates-notif=0

[core]
metadata-network-access=0
"""

# Nobody hears it: a sink that plays nothing, at half volume, so that there is
# something to turn up. It stays when nobody plays, as it does beside a shell.
SOUND = """.include /etc/pulse/default.pa
set-sink-volume @DEFAULT_SINK@ 32768
"""


def office_settings():
    lines = [OFFICE_HEAD]
    for path, name, value in OFFICE:
        lines.append(f'<item oor:path="{path}"><prop oor:name="{name}" '
                     f'oor:op="fuse"><value>{value}</value></prop></item>\n')
    return "".join(lines) + "</oor:items>\n"


def window_manager():
    """The machine's own settings, with windows that fill the screen."""
    text = OPENBOX.read_text(encoding="utf-8")
    for end, more in (("</keyboard>", KEYS), ("</applications>", WINDOWS)):
        if text.count(end) != 1:
            raise SystemExit(f"{OPENBOX}: there is no {end}")
        text = text.replace(end, more + end)
    return text


def files():
    return {
        ".config/libreoffice/4/user/registrymodifications.xcu":
            office_settings(),
        ".config/openbox/rc.xml": window_manager(),
        ".config/pulse/default.pa": SOUND,
        ".config/pulse/daemon.conf": "exit-idle-time = -1\n",
        ".config/vlc/vlcrc": VLC,
    }


def write(out):
    with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, text in sorted(files().items()):
            data = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    write(sys.argv[1])
