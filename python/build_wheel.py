#!/usr/bin/env python3
"""Builds the wheel brewery-search: the program, its data and the Python modules.

  build_wheel.py BUILD OUT    BUILD: a build directory with the program

What `cmake --install` installs goes below the prefix of the environment that the
wheel is installed in, so the program finds its data as anywhere else. Standard
library only; the same files give the same bytes.
"""

import base64
import hashlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "brewery_search"


def version():
    return re.search(r"project\(brewery VERSION (\S+)",
                     (ROOT / "CMakeLists.txt").read_text())[1]


def metadata():
    return f"""Metadata-Version: 2.1
Name: brewery-search
Version: {version()}
Summary: Learns a knowledge base for an agent from its own rollouts
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
Description-Content-Type: text/markdown

{(ROOT / "python/README.md").read_text()}"""


def tag():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}"


def files(stage):
    """(name in the wheel, bytes, mode) of all but RECORD."""
    data = f"{NAME}-{version()}.data"
    for file in sorted(stage.rglob("*")):
        if file.is_file():
            inside = file.relative_to(stage).as_posix()
            place = (f"{data}/scripts/brewery" if inside == "bin/brewery"
                     else f"{data}/data/{inside}")
            yield place, file.read_bytes(), file.stat().st_mode & 0o777
    for folder in (ROOT / "python/brewery", ROOT / "envs/python/brewery_env"):
        for file in sorted(folder.iterdir()):
            if file.suffix == ".py" or file.name == "py.typed":
                yield f"{folder.name}/{file.name}", file.read_bytes(), 0o644
    info = f"{NAME}-{version()}.dist-info"
    yield f"{info}/METADATA", metadata().encode(), 0o644
    yield f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644
    yield f"{info}/WHEEL", (
        "Wheel-Version: 1.0\nGenerator: brewery build_wheel.py\n"
        f"Root-Is-Purelib: false\nTag: {tag()}\n").encode(), 0o644


def write(out, stage):
    wheel = out / f"{NAME}-{version()}-{tag()}.whl"
    record = ""
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as to:
        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            to.writestr(entry, content)
        for name, content, mode in files(stage):
            add(name, content, mode)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
            record += (f"{name},sha256={digest.decode().rstrip('=')},"
                       f"{len(content)}\n")
        name = f"{NAME}-{version()}.dist-info/RECORD"
        add(name, f"{record}{name},,\n".encode(), 0o644)
    return wheel


def main(build, out):
    Path(out).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["cmake", "--install", build, "--strip", "--prefix",
                        scratch], check=True, stdout=subprocess.DEVNULL)
        print(write(Path(out), Path(scratch)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
