#!/usr/bin/env python3
"""Checks the include lines against the layers of docs/ARCHITECTURE.md, and the
libraries that CMakeLists.txt links to each other against the include lines.

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
    ["process"],
    ["search", "kb", "cluster"],
    ["economy"],
    ["learners"],
    ["llm", "envs", "store", "net"],
    ["roles"],
    ["actors"],
    ["workers", "coordinator"],
    ["sim"],
    ["config"],
    ["run"],
    ["sweep"],
    ["server", "report"],
    ["web"],
    ["cli"],
]
RANK = {folder: rank for rank, row in enumerate(LAYERS) for folder in row}
UNLAYERED = ["tests", "bench"]  # may include everything
SCRIPTS = ["scripts", "examples"]

# Third-party header -> places that may include it (path prefixes).
FENCES = [
    ("CAF", r"caf/", ["messages/caf/", "actors/", "workers/", "coordinator/",
                      "run/", "server/"]),
    ("ZeroMQ", r"zmq", ["net/"]),
    ("msgpack", r"msgpack", ["messages/wire/"]),
    ("SQLite", r"sqlite3", ["store/", "envs/osworld/grading/sqlite_file."]),
    ("zlib", r"zlib", ["base/hash.", "store/"]),
    ("zstd", r"zstd", ["base/compression."]),
    ("utf8proc", r"utf8proc", ["base/utf8."]),
    ("xxHash", r"xxhash", ["messages/content_sums."]),
    ("Boost", r"boost/", ["base/shared_value.", "net/", "llm/", "envs/"]),
    ("toml++", r"toml\+\+/", ["base/toml_reader.", "envs/",
                               "roles/prompts/rubrics."]),
    ("prometheus-cpp", r"prometheus/", ["actors/process_metrics.",
                                        "actors/run_metrics.", "net/"]),
    ("OpenSSL", r"openssl/", ["base/", "net/", "llm/"]),
    ("libstemmer", r"libstemmer", ["kb/"]),
    ("hnswlib", r"hnswlib/", ["kb/dense/hnsw_segment."]),
    ("uriparser", r"uriparser/", ["llm/http/"]),
    ("CLI11", r"CLI/", ["cli/"]),
    ("spdlog", r"spdlog/", ["run/", "sweep/", "server/", "cli/"]),
]

# What decides is pure: no clock, thread or I/O below the ports.
PURE = ["search", "kb", "cluster", "economy", "learners"]
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


# A folder that is larger has topics of its own: they get folders.
FILES_MAX, LINES_MAX = 40, 4000


def check_sizes(root, files):
    """Folders that hold directly more files or lines than a reader surveys."""
    folders = {}
    for file in files:
        folders.setdefault(file.parent, []).append(file)
    for folder, inside in sorted(folders.items()):
        lines = sum(len(f.read_text(encoding="utf-8").splitlines())
                    for f in inside)
        if len(inside) > FILES_MAX or lines > LINES_MAX:
            yield (f"{folder.relative_to(root)}:1: holds {len(inside)} files "
                   f"and {lines} lines; at most {FILES_MAX} and {LINES_MAX}: "
                   "divide it by topic")


LIBRARY = re.compile(r"\bbrewery_library\(\s*(\w+)([^)]*)\)"
                     r"|\btarget_link_libraries\(\s*brew_(\w+) PUBLIC([^)]*)\)")
OURS = re.compile(r"\bbrew_(\w+)")


def included_by(root, folder):
    """Folders whose headers a folder includes, each with one place of it."""
    found = {}
    for file in sorted((root / folder).rglob("*")):
        if file.suffix not in (".hpp", ".cpp"):
            continue
        for number, line in enumerate(
                file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or match.group(1) != '"':
                continue
            other = match.group(2).split("/")[0]
            if other in RANK and other != folder:
                found.setdefault(
                    other, f"{file.relative_to(root).as_posix()}:{number}")
    return found


def check_libraries(root):
    """A library links those whose headers it includes, and no other."""
    for file in [root / "CMakeLists.txt",
                 *(root / folder / "CMakeLists.txt" for folder in RANK)]:
        if not file.is_file():
            continue
        path = file.relative_to(root).as_posix()
        # Comments are blanked, so that offsets and lines stay.
        text = re.sub(r"#.*", lambda m: " " * len(m.group()),
                      file.read_text(encoding="utf-8"))
        for match in LIBRARY.finditer(text):
            folder = match.group(1) or match.group(3)
            linked = set(OURS.findall(match.group(2) or match.group(4)))
            place = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
            included = included_by(root, folder)
            for other in sorted(included.keys() - linked):
                yield (f"{place}: brew_{folder} does not link brew_{other}, "
                       f"which {included[other]} includes")
            for other in sorted(linked - included.keys()):
                yield (f"{place}: brew_{folder} links brew_{other}, of which "
                       "it includes nothing")


def check(root):
    yield from check_libraries(root)
    sources = [f for folder in RANK for f in sorted((root / folder).rglob("*"))
               if f.suffix in (".hpp", ".cpp")]
    yield from check_names(root, sources)
    yield from check_sizes(root, [
        f for folder in [*RANK, *UNLAYERED, *SCRIPTS]
        for f in sorted((root / folder).rglob("*"))
        if f.suffix in (".hpp", ".cpp", ".py")])
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
     '#include "cli/m.hpp"\n#include <caf/all.hpp>\n', None),
    ("nothing includes the tests", "cli/a.cpp",
     '#include "tests/t.hpp"\n', "cli may not include tests"),
    ("a header that does not exist is refused", "kb/a.cpp",
     '#include "base/gone.hpp"\n', "does not exist"),
    ("a header without its folder is refused", "base/a.cpp",
     '#include "b.hpp"\n', "does not start with a folder"),
    ("CAF behind its fence is fine", "messages/caf/a.cpp",
     "#include <caf/all.hpp>\n", None),
    ("CAF outside its fence is refused", "messages/a.cpp",
     "#include <caf/all.hpp>\n", "CAF <caf/all.hpp> is allowed only in"),
    ("prometheus is fine in the metrics", "actors/process_metrics.cpp",
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
    ("a folder with too many lines is refused", "kb/a.cpp",
     "\n" * 4000, "kb:1: holds 2 files and 4007 lines"),
    ("so is a folder with too many lines of Python", "scripts/a.py",
     "\n" * 4001, "scripts:1: holds 1 files and 4001 lines"),
    ("two types of one name are refused", "kb/a.cpp",
     "namespace k {\n\nstruct thing {\n};\n\n} // namespace k\n",
     "k::thing is defined in"),
    ("a library may link what it includes", "CMakeLists.txt",
     "brewery_library(base DEPS fmt::fmt)\n"
     "brewery_library(llm SEPARATE\n  DEPS brew_base Boost::headers)\n", None),
    ("a library links what it includes", "CMakeLists.txt",
     "# brewery_library(base)\nbrewery_library(llm DEPS Boost::headers)\n",
     "CMakeLists.txt:2: brew_llm does not link brew_base, which llm/l.hpp:2 "
     "includes"),
    ("that holds where a folder makes its own", "llm/CMakeLists.txt",
     "add_library(brew_llm a.cpp)\n"
     "target_link_libraries(brew_llm PUBLIC brew_kb\n  brew_base)\n",
     "llm/CMakeLists.txt:2: brew_llm links brew_kb, of which"),
    ("a library links nothing else", "CMakeLists.txt",
     "brewery_library(llm\n  DEPS brew_base # and\n  brew_kb)\n",
     "CMakeLists.txt:1: brew_llm links brew_kb, of which it includes nothing"),
    ("types of a file's own are its own", "kb/a.cpp",
     "namespace k {\n\nnamespace {\n\nstruct thing {\n};\n\n"
     "} // namespace\n\n} // namespace k\n", None),
]


def self_test():
    failed = 0
    for name, path, text, expected in CASES:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            for header in ["base/b.hpp", "kb/k.hpp", "llm/l.hpp", "cli/m.hpp",
                           "tests/t.hpp"]:
                (root / header).parent.mkdir(exist_ok=True)
                (root / header).write_text("#pragma once\n", encoding="utf-8")
            (root / "kb/k.hpp").write_text(
                "#pragma once\nnamespace k {\n\nstruct thing {\n};\n\n"
                "} // namespace k\n", encoding="utf-8")
            (root / "llm/l.hpp").write_text(
                '#pragma once\n#include "base/b.hpp"\n', encoding="utf-8")
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


def main(arguments, check, self_test):
    """What a check of this folder does with its command line."""
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
    sys.exit(main(sys.argv[1:], check, self_test))
