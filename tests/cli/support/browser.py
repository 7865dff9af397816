"""What tests that open pages in Chromium need."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from support.program import SOURCE

BROWSER = SOURCE / "tests/browser"
MODULES = Path(os.environ.get("BREWERY_BROWSER_MODULES") or BROWSER)


def lacking():
    for name in ("chromium", "node"):
        if not shutil.which(name):
            return f"no {name} (Debian: chromium, nodejs)"
    for name in ("playwright-core", "axe-core"):
        if not (MODULES / "node_modules" / name).is_dir():
            return (f"no {name} in {MODULES}/node_modules: npm ci "
                    f"--ignore-scripts, with {BROWSER}/package-lock.json")
    return ""


def seen_by(script, *words):
    """What a script of tests/browser found."""
    done = subprocess.run(
        ["node", BROWSER / script, MODULES, shutil.which("chromium"), *words],
        text=True, capture_output=True, timeout=800)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
