"""The settings that a new LibreOffice finds.

Made anew for each, inside its sandbox: what the one before was talked into
writing there does not come back.
"""

from __future__ import annotations

import os

# What differs from the defaults: macros never run, nothing outside is followed,
# no recovery of what a killed predecessor had open. Without the version of its
# last start it takes itself for newly upgraded and tries out its drawing, each
# time: that is most of a start, and a killed one does not save it.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="AutoSave" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/AutoSave"><prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/RecoveryInfo"><prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product"><prop oor:name="ooSetupLastVersion" oor:op="fuse"><value>{version}</value></prop></item>
</oor:items>
"""


def make(box: str, office: str, binary: str) -> str:
    """Its directory. `office`: its version, in full."""
    # LibreOffice names a socket after it. One that was killed at its start
    # leaves that socket, and a next one may not remove it.
    profile = os.path.join(box, f"profile-{os.urandom(8).hex()}")
    user = os.path.join(profile, "user")
    os.makedirs(os.path.join(user, "extensions"), mode=0o700)
    os.mkdir(os.path.join(box, "tmp"))
    with open(os.path.join(user, "registrymodifications.xcu"), "w",
              encoding="utf-8") as file:
        # What it compares is the version without patch levels.
        file.write(_SETTINGS.format(version=".".join(office.split(".")[:2])))
    # Without it a first start looks for extensions and asks for another start.
    with open(os.path.join(user, "extensions", "buildid"), "w",
              encoding="utf-8") as file:
        file.write(_build(os.path.join(os.path.dirname(binary), "versionrc")))
    return profile


def _build(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as facts:
            return next((line[len("buildid="):].strip() for line in facts
                         if line.startswith("buildid=")), "")
    except OSError:
        return ""
