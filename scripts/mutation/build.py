"""Compiles, links and runs the tests of one folder on mutants."""

import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutation.generate import Mutation, combined

MEMORY = 4 << 30  # a mutant that allocates without end ends here


def run(command, cwd, **limits):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, **limits).returncode


# In a list of mutations, where one is not wanted any more.
NOWHERE = Mutation("", 0, "", "", -1, -1, "")


class Folder:
    """How the tests of one folder are compiled, linked and run."""

    def __init__(self, root, build, name):
        self.root, self.build, self.target = root, build, f"test_{name}"
        subprocess.run(["ninja", self.target], cwd=build, check=True,
                       stdout=subprocess.DEVNULL)
        commands = subprocess.run(
            ["ninja", "-t", "commands", self.target], cwd=build, check=True,
            capture_output=True, text=True).stdout.splitlines()
        link = next(part for part in commands[-1].split(" && ")
                    if f" -o tests/{self.target} " in part)
        self.link = shlex.split(link)
        self.units = {}  # object -> (source, command)
        for line in commands:
            words = shlex.split(line)
            if "-c" not in words:
                continue
            if Path(words[0]).name == "ccache":
                words = words[1:]
            self.units[words[words.index("-o") + 1]] = (
                Path(words[words.index("-c") + 1]), words)
        self.gold = run(["ld.gold", "--version"], build) == 0
        self.headers = self.read_headers()
        self.measure()

    def read_headers(self):
        """Object -> headers of the checkout that it includes."""
        out, current = {}, None
        text = subprocess.run(["ninja", "-t", "deps"], cwd=self.build,
                              capture_output=True, text=True).stdout
        for line in text.splitlines():
            if line and not line.startswith(" "):
                current = out.setdefault(line.split(":")[0], set())
            elif line.strip():
                current.add(line.strip())
        return out

    def measure(self):
        """The limits are several times what the tests take now."""
        before, started = os.times(), time.monotonic()
        code = run([self.build / "tests" / self.target, "~[.]"], self.root)
        if code != 0:
            sys.exit(f"{self.target} fails without any mutation")
        spent = time.monotonic() - started
        cpu = (os.times().children_user + os.times().children_system
               - before.children_user - before.children_system)
        self.cpu_limit = int(3 * cpu) + 2
        self.wall_limit = 20 * spent + 60

    def needed(self, file, copy):
        """Objects to compile anew, and how: the file's own, or all with it."""
        original = str(self.root / file)
        out = []
        for name, (source, words) in self.units.items():
            if file.endswith(".hpp"):
                if (original in self.headers.get(name, ())
                        and (name in self.link or self.in_library(name))):
                    out.append((name, words))
            elif str(source) == original:
                out.append((name, with_source(words, source, copy)))
            elif (source.parent.name == "Unity" and self.in_library(name)
                  and f'"{original}"' in source.read_text()):
                # One of several files that are compiled at once.
                unity = copy.with_suffix(".unity.cpp")
                unity.write_text(source.read_text().replace(original,
                                                            str(copy)))
                out.append((name, with_source(words, source, unity)))
        return out

    def alone(self, file, copy):
        """One object with the inline functions of a header."""
        unit = copy.with_suffix(".only.cpp")
        unit.write_text(f'#include "{file}"\n', encoding="utf-8")
        source, words = next(known for name, known in self.units.items()
                             if self.in_library(name))
        return [("header", with_source(words, source, unit)
                 + ["-fkeep-inline-functions"])]

    def in_library(self, name):
        return name.split("CMakeFiles/")[-1].startswith(
            "brew_" + self.target.removeprefix("test_"))

    def verdicts(self, mutations, source):
        """Of mutations of one file: killed, time, survived or refused."""
        if not mutations[0].file.endswith(".hpp"):
            return self.judge_all(mutations, source, self.needed)
        # What a copy of the inline functions that is linked first does not
        # change may be in a template or a constant: compile all that use it.
        out = self.judge_all(mutations, source, self.alone)
        again = [i for i, verdict in enumerate(out)
                 if verdict == "survived"]
        found = self.judge_all([mutations[i] for i in again], source,
                               self.needed) if again else []
        for i, verdict in zip(again, found):
            out[i] = verdict
        return out

    def judge_all(self, mutations, source, units_of):
        out = [None] * len(mutations)
        left = list(enumerate(mutations, 1))
        with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
            scratch = Path(scratch)
            # All at once; what the compiler names is tried alone.
            for _ in range(4):
                text = combined(source, [
                    m if any(n == k for k, _ in left) else NOWHERE
                    for n, m in enumerate(mutations, 1)])
                program, errors = self.build_with(mutations[0].file, text,
                                                  scratch, units_of)
                if program:
                    break
                for n in re.findall(r"^mutation-(\d+):[\d:]+ error", errors,
                                    re.M):
                    out[int(n) - 1] = "refused"
                named = {int(n) for n in re.findall(r"mutation-(\d+)", errors)}
                left = [(n, m) for n, m in left if n not in named and named]
            if program and self.judge(program, scratch, 0) != "survived":
                left = []  # without any in force it must pass
            for n, m in left:
                if program and f"== {n}) " in text:
                    out[n - 1] = self.judge(program, scratch, n)
            for n, m in enumerate(mutations, 1):
                if out[n - 1] is None:
                    program, _ = self.build_with(m.file, m.apply(source),
                                                 scratch, units_of)
                    out[n - 1] = (self.judge(program, scratch, 0) if program
                                  else "refused")
        return out

    def build_with(self, file, text, scratch, units_of):
        """The test program with this text in place of the file."""
        copy = scratch / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        made = {}
        for number, (name, words) in enumerate(units_of(file, copy)):
            made[name] = str(scratch / f"{number}.o")
            words = list(words)
            words[words.index("-o") + 1] = made[name]
            # Before all others, so that the mutated header is found first.
            words[1:1] = ["-I", str(scratch), "-w"]
            done = subprocess.run(
                without_dependency_files(words), cwd=self.build, text=True,
                errors="replace", stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE)
            if done.returncode != 0:
                return None, done.stderr
        program = scratch / self.target
        if not made or run(self.link_words(file, made, program),
                           self.build) != 0:
            return None, ""
        return program, ""

    def judge(self, program, scratch, number):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU,
                               (self.cpu_limit, self.cpu_limit))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            code = run([program, "~[.]", "--abort"], scratch,
                       preexec_fn=limit, timeout=self.wall_limit,
                       env={**os.environ, "MUTATION": str(number)})
        except subprocess.TimeoutExpired:
            return "time"
        if code in (-24, -9):  # SIGXCPU, SIGKILL
            return "time"
        return "survived" if code == 0 else "killed"

    def link_words(self, file, made, program):
        """Tests run in the order of the objects: likely killers first."""
        words = [made.pop(w, w) for w in self.link]
        first = [w for w in words
                 if Path(w).name == f"{Path(file).stem}_test.cpp.o"]
        words = [w for w in words if w not in first]
        words[words.index("-o") + 1] = str(program)
        at = next(i for i, w in enumerate(words) if w.endswith(".o"))
        words[at:at] = [*made.values(), *first]
        if self.gold:
            words.insert(1, "-fuse-ld=gold")
        return words


def with_source(words, old, new):
    return [str(new) if Path(w) == old else w for w in words]


def without_dependency_files(words):
    out, skip = [], False
    for word in words:
        if not skip and word not in ("-MD", "-MT", "-MF"):
            out.append(word)
        skip = word in ("-MT", "-MF")
    return out
