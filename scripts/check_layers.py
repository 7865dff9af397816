#!/usr/bin/env python3
"""Checks the include lines against the layers of docs/ARCHITECTURE.md.

  check_layers.py [ROOT]       check a checkout (default: the one this is in)
  check_layers.py --self-test  check the checker

Prints `file:line: what is wrong and which rule says so`, one per line, and
exits 1 if there was any.
"""

import re
import sys
import tempfile
from pathlib import Path

# An include may point only to the same folder or to an earlier row; folders
# of one row do not know each other.
LAYERS = [
    ["base"],
    ["messages"],
    ["search", "kb", "cluster"],
    ["learners"],
    ["llm", "envs", "store", "net"],
    ["roles"],
    ["actors"],
    ["workers", "coordinator"],
    ["sim"],
    ["config"],
    ["apps"],
]
RANK = {folder: rank for rank, row in enumerate(LAYERS) for folder in row}
UNLAYERED = ["tests", "bench"]  # may include everything

# Third-party header -> places that may include it (path prefixes).
FENCES = [
    ("CAF", r"caf/", ["messages/caf/", "actors/", "workers/", "coordinator/",
                      "apps/"]),
    ("ZeroMQ", r"zmq", ["net/"]),
    ("msgpack", r"msgpack", ["messages/wire/"]),
    ("SQLite", r"sqlite3", ["store/"]),
    ("zlib", r"zlib", ["store/"]),
    ("Boost", r"boost/", ["net/", "llm/", "envs/"]),
    ("toml++", r"toml\+\+/", ["config/", "envs/", "roles/rubrics."]),
    ("prometheus-cpp", r"prometheus/", ["actors/probes.", "net/"]),
    ("OpenSSL", r"openssl/", ["base/", "net/", "llm/"]),
    ("libstemmer", r"libstemmer", ["kb/"]),
    ("CLI11", r"CLI/", ["apps/"]),
    ("spdlog", r"spdlog/", ["actors/", "workers/", "coordinator/", "config/",
                            "apps/"]),
]

# What decides is pure: no clock, thread or I/O below the ports.
PURE = ["search", "kb", "cluster", "learners"]
IMPURE = {"chrono", "ctime", "thread", "future", "condition_variable", "random",
          "iostream", "fstream", "filesystem", "cstdio"}
# Folders whose durations are chrono types; a clock is refused all the same.
DURATIONS = ["cluster"]
CLOCK = re.compile(r"_clock\b")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def order():
    rows = ["{" + ", ".join(r) + "}" if len(r) > 1 else r[0] for r in LAYERS]
    return " < ".join(rows)


def check_own(root, folder, target):
    """An include of a header of ours; returns what is wrong, or None."""
    other = target.split("/")[0]
    if "/" not in target or other not in RANK and other not in UNLAYERED:
        return (f'"{target}" does not start with a folder of this project; '
                "includes are written from the repository root")
    if not (root / target).is_file():
        return f'"{target}" does not exist'
    if folder in UNLAYERED or other == folder:
        return None
    if other in UNLAYERED:
        return f'{folder} may not include {other}'
    if RANK[other] < RANK[folder]:
        return None
    return f'{folder} may not include "{target}": the order is {order()}'


def check_foreign(path, folder, target):
    """An include of somebody else's header; returns what is wrong, or None."""
    if folder in UNLAYERED:
        return None
    for name, pattern, places in FENCES:
        if re.match(pattern, target) and not any(
                path.startswith(place) for place in places):
            return f"{name} <{target}> is allowed only in {', '.join(places)}"
    if target == "chrono" and folder in DURATIONS:
        return None
    if folder in PURE and target in IMPURE:
        return (f"<{target}>: {folder} is pure, no clock, thread, device "
                "randomness or I/O")
    return None


def check_file(root, file):
    path = file.relative_to(root).as_posix()
    folder = path.split("/")[0]
    lines = file.read_text(encoding="utf-8").splitlines()
    if file.suffix == ".hpp" and (not lines or lines[0] != "#pragma once"):
        yield f"{path}:1: a header starts with #pragma once"
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            if folder in DURATIONS and CLOCK.search(line):
                yield f"{path}:{number}: {folder} is pure: no clock"
            continue
        quote, target = match.groups()
        wrong = (check_own(root, folder, target) if quote == '"'
                 else check_foreign(path, folder, target))
        if wrong:
            yield f"{path}:{number}: {wrong}"


NAMESPACE = re.compile(r"namespace( [\w:]+)? \{")
TYPE = re.compile(r"(?:struct|class) (\w+)(?: final)?(?: :.*)?\s*\{")


def types_of(file):
    """Types that a file defines for others, as (qualified name, line)."""
    scopes = []
    for number, line in enumerate(
            file.read_text(encoding="utf-8").splitlines(), 1):
        if match := NAMESPACE.match(line):
            scopes.append((match.group(1) or "").strip())
        elif line.startswith("} // namespace") and scopes:
            scopes.pop()
        elif (match := TYPE.match(line)) and "" not in scopes:
            yield "::".join([*scopes, match.group(1)]), number


def check_names(root, files):
    """Two types of one name link without a word, and crash."""
    seen = {}
    for file in files:
        path = file.relative_to(root).as_posix()
        for name, number in types_of(file):
            first = seen.setdefault(name, path)
            if first != path:
                yield f"{path}:{number}: {name} is defined in {first} too"


def check(root):
    sources = [f for folder in RANK for f in sorted((root / folder).rglob("*"))
               if f.suffix in (".hpp", ".cpp")]
    yield from check_names(root, sources)
    for folder in [*RANK, *UNLAYERED]:
        directory = root / folder
        if not directory.is_dir():
            continue
        files = sorted(f for f in directory.rglob("*")
                       if f.suffix in (".hpp", ".cpp"))
        if files and not (directory / "README.md").is_file():
            yield f"{folder}/README.md:1: every folder says what it is for"
        for file in files:
            yield from check_file(root, file)
    for directory in sorted(root.iterdir()):
        known = directory.name in RANK or directory.name in UNLAYERED
        if (directory.is_dir() and not known and directory.name != "build"
                and not directory.name.startswith(".")
                and any(directory.rglob("*.hpp"))):
            yield (f"{directory.name}:1: has headers but no place in the "
                   "order; give it one in LAYERS")


# name, file that is written, its text, expected part of a finding (None: fine)
CASES = [
    ("a lower layer may be included", "kb/a.cpp",
     '#include "base/b.hpp"\n', None),
    ("the own folder may be included", "base/a.cpp",
     '#include "base/b.hpp"\n', None),
    ("a higher layer is refused with file and line", "base/a.cpp",
     '\n#include "kb/k.hpp"\n', 'base/a.cpp:2: base may not include "kb/k.hpp"'),
    ("a sibling is refused", "search/a.cpp",
     '#include "kb/k.hpp"\n', "search may not include"),
    ("tests may include everything", "tests/a.cpp",
     '#include "apps/m.hpp"\n#include <caf/all.hpp>\n', None),
    ("nothing includes the tests", "apps/a.cpp",
     '#include "tests/t.hpp"\n', "apps may not include tests"),
    ("a header that does not exist is refused", "kb/a.cpp",
     '#include "base/gone.hpp"\n', "does not exist"),
    ("a header without its folder is refused", "base/a.cpp",
     '#include "b.hpp"\n', "does not start with a folder"),
    ("CAF behind its fence is fine", "messages/caf/a.cpp",
     "#include <caf/all.hpp>\n", None),
    ("CAF outside its fence is refused", "messages/a.cpp",
     "#include <caf/all.hpp>\n", "CAF <caf/all.hpp> is allowed only in"),
    ("prometheus is fine in the probes", "actors/probes.cpp",
     "#include <prometheus/counter.h>\n", None),
    ("prometheus elsewhere in actors is refused", "actors/a.cpp",
     "#include <prometheus/counter.h>\n", "prometheus-cpp"),
    ("a clock in a pure folder is refused", "search/a.cpp",
     "#include <chrono>\n", "search is pure"),
    ("durations are fine in the cluster's core", "cluster/a.cpp",
     "#include <chrono>\n", None),
    ("a clock in the cluster's core is refused", "cluster/a.cpp",
     "#include <chrono>\nauto t = std::chrono::steady_clock::now();\n",
     "cluster is pure"),
    ("a clock elsewhere is fine", "actors/a.cpp", "#include <chrono>\n", None),
    ("a commented include does not count", "base/a.cpp",
     '// #include "kb/k.hpp"\n', None),
    ("a header without pragma once is refused", "kb/a.hpp",
     "int x;\n", "kb/a.hpp:1: a header starts with #pragma once"),
    ("a folder outside the order is refused", "extra/a.hpp",
     "#pragma once\n", "no place in the order"),
    ("a folder without README is refused", "store/a.cpp",
     "", "store/README.md"),
    ("two types of one name are refused", "kb/a.cpp",
     "namespace k {\n\nstruct thing {\n};\n\n} // namespace k\n",
     "k::thing is defined in"),
    ("types of a file's own are its own", "kb/a.cpp",
     "namespace k {\n\nnamespace {\n\nstruct thing {\n};\n\n"
     "} // namespace\n\n} // namespace k\n", None),
]


def self_test():
    failed = 0
    for name, path, text, expected in CASES:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            for header in ["base/b.hpp", "kb/k.hpp", "apps/m.hpp",
                           "tests/t.hpp"]:
                (root / header).parent.mkdir(exist_ok=True)
                (root / header).write_text("#pragma once\n", encoding="utf-8")
            (root / "kb/k.hpp").write_text(
                "#pragma once\nnamespace k {\n\nstruct thing {\n};\n\n"
                "} // namespace k\n", encoding="utf-8")
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
            for folder in [*RANK, *UNLAYERED]:
                if (root / folder).is_dir() and folder != "store":
                    (root / folder / "README.md").touch()
            found = list(check(root))
        good = (not found if expected is None
                else len(found) == 1 and expected in found[0])
        if not good:
            failed += 1
            print(f"FAILED {name}: expected {expected!r}, found {found}")
    print(f"{len(CASES) - failed} of {len(CASES)} cases passed")
    return failed


def main(arguments):
    if "--self-test" in arguments:
        return 1 if self_test() else 0
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent)
    if not (root / "base").is_dir():
        print(f"{root}: not a checkout of this project (no base/)")
        return 2
    findings = list(check(root.resolve()))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
