#!/usr/bin/env python3
"""Mutation check: changes the code in one place at a time and runs the tests
of its folder. A change that no test notices survives: a rule without a test.

  scripts/mutate.py --build build/dev --count 300 --seed 1
  scripts/mutate.py --build build/dev --only kb/diff.cpp:41
  scripts/mutate.py --build build/dev --survivors-of report.tsv

The checkout is never written to. All mutants of a file are compiled at once
from a temporary folder, with the command of the file that they replace, and
linked before the library that holds the original; the environment says which is
in force. What does not compile is replaced by the next in the seed's order.
Mutants that no test can tell from the original are listed, each with its reason,
in scripts/equivalent_mutants.txt; they count neither way.
"""

import argparse
import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutation.build import Folder
from mutation.generate import mutations_of
from mutation.self_test import self_test

FOLDERS = ["search", "kb", "learners", "cluster", "coordinator"]
KNOWN = Path(__file__).parent / "equivalent_mutants.txt"


def read_known(path):
    """Blocks of `file`, `line: ...`, `change: ...`, `why: ...`."""
    known = {}
    if not path.exists():
        return known
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [l for l in block.splitlines() if not l.startswith("#")]
        if not lines:
            continue
        parts = dict(l.strip().split(": ", 1) for l in lines[1:4])
        if len(lines) < 4 or set(parts) != {"line", "change", "why"}:
            sys.exit(f"{path}: a block is not file, line, change, why:\n{block}")
        known[lines[0].strip(), parts["line"], parts["change"]] = parts["why"]
    return known


def wilson(hits, total, z=1.96):
    """The 95 % interval of a share."""
    if total == 0:
        return 0.0, 1.0
    p = hits / total
    middle = p + z * z / (2 * total)
    wide = z * (p * (1 - p) / total + z * z / (4 * total * total)) ** 0.5
    return (middle - wide) / (1 + z * z / total), \
        (middle + wide) / (1 + z * z / total)


def read_report(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return {(file, text, change): verdict
            for verdict, file, _, change, text in rows}


def write_report(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        for m, verdict in rows:
            print(verdict, m.file, m.line, m.change, m.text, sep="\t", file=out)


def wanted(all_of_them, options, known):
    """What to try, in order, and how many verdicts are asked for."""
    if options.only:
        file, _, line = options.only.partition(":")
        found = [m for m in all_of_them
                 if m.file == file and (not line or m.line == int(line))]
        return found, len(found)
    if options.survivors_of:
        before = read_report(options.survivors_of)
        found = [m for m in all_of_them if before.get(m.key) == "survived"]
        return found, len(found)
    # By hash, so that a change of the code changes little of the sample.
    def place(mutation):
        return hashlib.sha256(
            repr((options.seed, *mutation.key)).encode()).digest()
    return sorted(all_of_them, key=place), options.count


def try_all(chosen, count, folders, sources, known, jobs):
    """The first `count` of the chosen that compile, with their verdicts."""
    verdicts, at = {}, 0

    def one_file(group):
        file = group[0].file
        found = folders[file.split("/")[0]].verdicts(group, sources[file])
        for mutation, verdict in zip(group, found):
            print(f"{verdict:10} {mutation.file}:{mutation.line}: "
                  f"{mutation.change}: {mutation.text}", flush=True)
        return zip(group, found)

    def rows():
        judged = [(m, verdicts[m]) for m in chosen[:at]
                  if verdicts[m] != "refused"]
        return judged[:count]

    with ThreadPoolExecutor(jobs) as pool:
        while len(rows()) < count and at < len(chosen):
            wanting = count - len(rows())
            more = chosen[at:at + wanting + wanting // 8]
            at += len(more)
            groups = {}
            for mutation in more:
                if mutation.key in known:
                    verdicts[mutation] = "equivalent"
                else:
                    groups.setdefault(mutation.file, []).append(mutation)
            for found in pool.map(one_file, groups.values()):
                verdicts.update(found)
    return rows()


def summary(rows, folders):
    print()
    for name in [*folders, "all"]:
        own = [v for m, v in rows
               if name == "all" or m.file.startswith(name + "/")]
        judged = len(own) - own.count("equivalent")
        killed = own.count("killed") + own.count("time")
        low, high = wilson(killed, judged)
        share = killed / judged if judged else 0
        print(f"{name:12} {len(own):4} mutants, {own.count('equivalent'):3} "
              f"equivalent, {own.count('survived'):3} survived, {killed:4} "
              f"killed ({own.count('time')} by time): {100 * share:.1f} % of "
              f"{judged} ({100 * low:.0f} to {100 * high:.0f} %)")


def main():
    parse = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parse.add_argument("--build", type=Path, default=Path("build/dev"))
    parse.add_argument("--folders", nargs="+", default=FOLDERS)
    parse.add_argument("--count", type=int, default=300)
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--jobs", type=int, default=1)
    parse.add_argument("--known", type=Path, default=KNOWN)
    parse.add_argument("--only", metavar="FILE[:LINE]")
    parse.add_argument("--survivors-of", metavar="REPORT")
    parse.add_argument("--report", help="where to write the verdicts")
    parse.add_argument("--list", action="store_true",
                       help="list the mutations, try none")
    parse.add_argument("--self-test", action="store_true",
                       help="check the generator of mutations")
    options = parse.parse_args()
    if options.self_test:
        return 1 if self_test() else 0
    root = Path(__file__).resolve().parent.parent
    known = read_known(options.known)
    if options.only:
        options.folders = [options.only.split("/")[0]]
    sources, found = {}, []
    for folder in options.folders:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            file = str(path.relative_to(root))
            sources[file] = path.read_text(encoding="utf-8")
            found += mutations_of(file, sources[file])
    for key in set(known) - {m.key for m in found}:
        if key[0].split("/")[0] in options.folders:
            print(f"{options.known.name}: no longer in the code: "
                  + ": ".join(key))
    chosen, count = wanted(found, options, known)
    if options.list:
        for m in chosen:
            print(f"{m.file}:{m.line}: {m.change}: {m.text}")
        return 0
    used = sorted({m.file.split("/")[0] for m in chosen}, key=FOLDERS.index)
    folders = {name: Folder(root, options.build.resolve(), name)
               for name in used}
    rows = try_all(chosen, count, folders, sources, known, options.jobs)
    if options.report:
        write_report(options.report, rows)
    summary(rows, used)
    return 0


if __name__ == "__main__":
    sys.exit(main())
