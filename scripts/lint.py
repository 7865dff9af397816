#!/usr/bin/env python3
"""clang-tidy over the sources, and a proof that every header compiles alone.

  lint.py [-j N] [--share K] [--analyze] [FOLDER...]
                                          clang-tidy; all folders if none is named
  lint.py --headers [-j N] [--share K] [FOLDER...]
                                          headers, of tests and benches too

With --share it is one in K of what would be looked at; which, the commit's hash
says.

To parse the headers of others takes ten times as long as to parse a file of
ours, so clang-tidy gets many files of a folder as one, written to build/lint,
and what it says is mapped back to the files. Where such a file does not
compile, because two sources give something of their own the same name, it is
halved, down to single sources.

Headers are compiled each by itself: the build proves nothing, for it parses
headers of others first and many sources as one. What a header includes first is
compiled alone along with it, so it need not be again.

Prints `file:line:column: ...` and exits 1 if there was anything.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "lint"
BATCH = 24
TIDY = "clang-tidy"
COMPILER = "clang++"
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
MAIN = re.compile(r"^int main\(", re.MULTILINE)
FINDING = re.compile(r"^(\S+?):(\d+):(\d+): (warning|error|note): ")
UNITED = re.compile(r"^// from (\S+)$")


def configure():
    """The flags of every source, by its path; nothing is built."""
    subprocess.run(
        ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja",
         f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Release",
         "-DBREWERY_UNITY=OFF", "-DBREWERY_PCH=OFF", "-DBREWERY_TESTS=OFF"],
        check=True, stdout=subprocess.DEVNULL)
    flags = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if BUILD in path.parents:
            continue
        words = shlex.split(entry["command"])
        kept = [w for w in words[1:] if re.match(r"-(D|I|std=|isystem)", w)]
        flags[path.relative_to(ROOT).as_posix()] = tuple(kept)
    return flags


def batches(flags):
    """Sources that can be compiled as one: of one folder, with one main."""
    groups = {}
    for path in sorted(flags):
        folder = path.split("/")[0]
        alone = MAIN.search((ROOT / path).read_text(encoding="utf-8"))
        key = (folder, flags[path], path if alone else "")
        groups.setdefault(key, []).append(path)
    for (folder, options, _), paths in groups.items():
        count = -(-len(paths) // BATCH)
        size = -(-len(paths) // count)
        for i in range(0, len(paths), size):
            yield folder, options, paths[i:i + size]


def write_united(paths):
    """One file that holds the sources one after another, each after a line
    that says where it is from. Not a file that includes them: clang's analyzer
    and some checks look at the main file alone."""
    name = re.sub(r"[/.]", "_", paths[0]) + f"_{len(paths)}.cpp"
    united = BUILD / "united" / name
    united.parent.mkdir(parents=True, exist_ok=True)
    united.write_text("".join(
        f"// from {path}\n{(ROOT / path).read_text(encoding='utf-8')}"
        for path in paths), encoding="utf-8")
    return united


def origins(united):
    """For each line of the file, counted from 1: source and line in it."""
    places, source, begin = [("", 0)], "", 0
    for number, line in enumerate(
            united.read_text(encoding="utf-8").splitlines(), 1):
        if match := UNITED.match(line):
            source, begin = match.group(1), number
        places.append((source, number - begin))
    return places


def mapped(output, united):
    """What was said, about the files that people edit."""
    places = origins(united)
    for line in output.splitlines():
        match = FINDING.match(line)
        if match and match.group(1) == str(united):
            source, number = places[min(int(match.group(2)), len(places) - 1)]
            line = f"{source}:{number}:{line.split(':', 2)[2]}"
        yield line.replace(f"{ROOT}/", "")


def tidy(options, checks, paths):
    united = write_united(paths)
    done = subprocess.run(
        [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
         f"--checks={checks}", str(united), "--", *options],
        cwd=ROOT, text=True, capture_output=True)
    if "[clang-diagnostic-error" in done.stdout and len(paths) > 1:
        middle = len(paths) // 2
        return (tidy(options, checks, paths[:middle])
                + tidy(options, checks, paths[middle:]))
    if done.returncode < 0:
        return [f"{paths[0]}:1:1: error: clang-tidy ended by signal "
                f"{-done.returncode}"]
    return list(mapped(done.stdout, united))


def once_each(lines, seen):
    """A header's findings are said with every source that includes it. Those
    without a place are of clang 14, about names it made up itself."""
    keep = False
    for line in lines:
        match = FINDING.match(line)
        if match and match.group(4) != "note":
            keep = line not in seen
            seen.add(line)
        elif re.match("(warning|error): ", line):
            keep = False
        if keep and line.strip():
            yield line


def first_included(headers):
    """Headers of ours that another header includes before anything else."""
    for path in headers:
        for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
            if match := INCLUDE.match(line):
                yield match.group(1)
                break


def header_alone(options, path):
    done = subprocess.run(
        [COMPILER, *options, "-w", "-fsyntax-only", "-x", "c++", path],
        cwd=ROOT, text=True, capture_output=True)
    if done.returncode == 0:
        return []
    return ["\n".join(done.stderr.splitlines()[:6]),
            f"{path}:1: error: does not compile alone"]


def shared_out(items, count):
    """One in `count` of them. The commit's hash says which."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True,
                            capture_output=True).stdout.strip()
    return items[zlib.crc32(commit.encode()) % count::count]


def headers(flags, folders, jobs, share):
    every = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.hpp"],
        cwd=ROOT, check=True, text=True, capture_output=True).stdout.split()
    every = [p for p in every if (ROOT / p).is_file()
             and (not folders or p.split("/")[0] in folders)]
    rest = shared_out(sorted(set(every) - set(first_included(every))), share)
    together = sorted({word for words in flags.values() for word in words})
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda p: header_alone(together, p), rest))
    for lines in filter(None, found):
        print("\n".join(lines))
    bad = sum(map(bool, found))
    print(f"headers: {len(every)}, of which {len(rest)} were compiled, "
          f"{bad} do not compile alone")
    return bad


def sources(flags, folders, jobs, share, checks):
    wanted = {p: f for p, f in flags.items()
              if not folders or p.split("/")[0] in folders}
    work = shared_out(list(batches(wanted)), share)
    work.sort(key=lambda one: -len(one[2]))
    seen = set()
    with ThreadPoolExecutor(jobs) as pool:
        for lines in pool.map(lambda one: tidy(one[1], checks, one[2]), work):
            for line in once_each(lines, seen):
                print(line, flush=True)
    looked_at = sum(len(paths) for _, _, paths in work)
    print(f"lint: {looked_at} of {len(wanted)} sources, {len(seen)} findings")
    return len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headers", action="store_true")
    parser.add_argument("--analyze", action="store_true",
                        help="add clang-analyzer-*, ten times as long")
    parser.add_argument("--share", type=int, default=1, metavar="K",
                        help="one in K")
    parser.add_argument("-j", type=int, default=os.cpu_count(), dest="jobs")
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    folders = {f.rstrip("/") for f in arguments.folders}
    if arguments.share < 1:
        parser.error(f"--share {arguments.share}: 1 or more")
    if unknown := [f for f in folders if not (ROOT / f).is_dir()]:
        parser.error(f"no such folder: {', '.join(unknown)}")
    flags = configure()
    if arguments.headers:
        return 1 if headers(flags, folders, arguments.jobs,
                            arguments.share) else 0
    checks = "clang-analyzer-*" if arguments.analyze else ""
    return 1 if sources(flags, folders, arguments.jobs, arguments.share,
                        checks) else 0


if __name__ == "__main__":
    sys.exit(main())
