#!/usr/bin/env python3
"""Runs ctest and says how each folder's tests went.

  test_summary.py BUILD [CTEST ARGUMENT...]

Shows what ctest says except for the lines of tests that began or passed; then
one line per folder (the part of a test's name before the colon) and the ten
slowest tests. Exits as ctest does. BUILD/tests.xml keeps the results.
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

QUIET = re.compile(r"\s*Start\s+\d+: |\s*\d+/\d+ Test\s+#\d+: .* Passed ")
COUNT = re.compile(r"\s*(\d+)/(\d+) Test\s+#")


def run(build, arguments):
    """ctest's exit code; its lines are shown as they come."""
    report = build / "tests.xml"
    report.unlink(missing_ok=True)
    progress = sys.stdout.isatty()
    with subprocess.Popen(
            ["ctest", "--test-dir", str(build), "--output-junit",
             str(report.resolve()), *arguments],
            stdout=subprocess.PIPE, text=True, errors="replace") as ctest:
        for line in ctest.stdout:
            if not QUIET.match(line):
                print(line, end="", flush=True)
            elif progress and (match := COUNT.match(line)):
                print(f"{match.group(1)} of {match.group(2)}", end="\r",
                      flush=True)
    return ctest.returncode, report


def results(report):
    """(name, seconds, passed, failed or skipped) of every test."""
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        status = case.get("status", "")
        ended = {"run": "passed", "fail": "failed"}.get(status, "skipped")
        yield case.get("name"), float(case.get("time") or 0), ended


def summary(tests):
    """The lines for people."""
    folders = defaultdict(list)
    for name, seconds, ended in tests:
        folders[name.split(":")[0]].append((seconds, ended))
    lines = [f"{'folder':<14}{'tests':>6}{'failed':>8}{'skipped':>9}"
             f"{'seconds':>9}"]
    for folder, entries in sorted(folders.items()):
        ends = [ended for _, ended in entries]
        lines.append(f"{folder:<14}{len(entries):>6}{ends.count('failed'):>8}"
                     f"{ends.count('skipped'):>9}"
                     f"{sum(seconds for seconds, _ in entries):>9.1f}")
    lines += ["", "slowest:"]
    for name, seconds, _ in sorted(tests, key=lambda t: -t[1])[:10]:
        lines.append(f"{seconds:>9.1f} s  {name}")
    return lines


def main(arguments):
    if not arguments or not Path(arguments[0]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    code, report = run(Path(arguments[0]), arguments[1:])
    if report.is_file() and (tests := list(results(report))):
        print("", *summary(tests), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
