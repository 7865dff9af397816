#!/usr/bin/env python3
"""Completions and man pages against `--help`, and in real shells.

  reference_test.py PATH_OF_BREWERY [unittest arguments]
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.program import CommandCase, clean_environment, main  # noqa: E402

SHELLS = ("bash", "zsh", "fish")
# Its names, what its value is, and the beginning of its help.
OPTION = re.compile(r"  ((?:-\w,)?--[\w-]+)"
                    r"(?: (?!Needs|Excludes)[A-Z][^ ]*(?: in \[[^\]]*\]\S*)?(?: \(Env:\w+\))?"
                    r"(?: REQUIRED)?(?: \.\.\.)?)?(?: (?:Needs|Excludes):(?: [\w-]+)+)?"
                    r"(?: +(\S.*))?$")


def run(*words, **how):
    done = subprocess.run(list(map(str, words)), text=True,
                          capture_output=True, timeout=120, **how)
    if done.returncode:
        raise AssertionError(f"{words}: {done.stderr}{done.stdout}")
    return done.stdout


def brewery(*words):
    return run(CommandCase.program, *words, env=clean_environment())


class Command:
    """A command as `--help` explains it."""

    def __init__(self, path):
        self.path = path
        self.commands, self.options, self.sentences = [], [], []
        part, open_line = "", False
        for line in brewery(*path, "--help").splitlines():
            if line.startswith(("Examples:", "Writes ", "Options for")):
                break  # examples name options, too
            if line and not line.startswith(" "):
                part, open_line = line, False
            elif part == "Subcommands:" and re.match(r"  \w", line):
                self.commands.append(line.split()[0])
            elif option := OPTION.match(line):
                self.options += option[1].split(",")
                self.sentences.append(option[2] or "")
                open_line = True
            elif open_line and line.startswith(" " * 30):
                self.sentences[-1] += " " + line.strip()

    def all(self):
        yield self
        for name in self.commands:
            yield from Command([*self.path, name]).all()


class ReferenceCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.at = Path(scratch.name)
        cls.commands = list(Command([]).all())
        for run_name in ("first", "second"):
            (cls.at / "runs" / run_name).mkdir(parents=True)
        (cls.at / "desk.toml").touch()
        for shell in SHELLS:
            (cls.at / shell).write_text(brewery("completion", shell))


class Pages(ReferenceCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.said = brewery("man", "--out", cls.at / "man")

    def test_it_says_how_many_pages_are_where(self):
        pages = [page for page in (self.at / "man").rglob("*.[15]")]
        self.assertEqual(self.said, f"{len(pages)} pages in {self.at}/man\n")

    @staticmethod
    def words(page):
        """The page without fonts and escapes, in one line."""
        text = re.sub(r"\\f[A-Z]", "", page.read_text())
        text = re.sub(r"^\.(br|ti|TP|PP|RS|RE).*\n", "", text, flags=re.M)
        for written, meant in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ti", "~"),
                               (r"\(ga", "`"), (r"\(ha", "^"), (r"\&", ""),
                               (r"\e", "\\")):
            text = text.replace(written, meant)
        return " ".join(text.split())

    def test_every_command_has_a_page_with_every_option_and_its_help(self):
        self.assertGreater(len(self.commands), 40)
        for command in self.commands:
            name = "-".join(["brewery", *command.path])
            with self.subTest(name):
                text = self.words(self.at / f"man/man1/{name}.1")
                self.assertGreater(len(command.options), 0)
                for option in command.options:
                    self.assertRegex(text, rf"(?<![\w-]){option}(?![\w-])")
                for sentence in command.sentences:
                    self.assertIn(sentence.strip().replace("`", ""), text)
                for below in command.commands:
                    self.assertIn(f"{name}-{below}(1)", text)

    def test_the_limits_of_an_option_are_in_its_page(self):
        for name, facts in (
                ("sim", ["--slots UINT Of each worker. A number from 1 to "
                         "4096."]),
                ("estimate", ["Not with --pilot.", "Not with --like."]),
                ("quarantine-list", ["Needs --local."]),
                ("config-print", ["One of toml, json, example, markdown. "
                                  "Default: toml."]),
                ("export", ["-o, --out TEXT File or directory to write. "
                            "Required."]),
                ("status", ["Also from the environment: BREWERY_KEY."])):
            text = self.words(self.at / f"man/man1/brewery-{name}.1")
            for fact in facts:
                self.assertIn(fact, text)

    def test_there_is_no_other_page(self):
        self.assertEqual(
            {page.stem for page in (self.at / "man/man1").iterdir()},
            {"-".join(["brewery", *command.path])
             for command in self.commands})

    def test_every_option_of_a_configuration_is_in_its_page(self):
        text = self.words(self.at / "man/man5/brewery.toml.5")
        options = re.findall(r"^#?(\w+) = ",
                             brewery("config", "print", "--format", "example"),
                             re.M)
        self.assertGreater(len(options), 100)
        for option in options:
            self.assertIn(f" {option} = ", text)

    @unittest.skipUnless(shutil.which("man"), "there is no man")
    def test_man_has_no_warning(self):
        for page in sorted((self.at / "man").rglob("*.[15]")):
            done = subprocess.run(
                ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z",
                 page], text=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=os.environ | {"LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    def test_one_page_is_printed(self):
        self.assertEqual(brewery("man", "kb", "list"),
                         (self.at / "man/man1/brewery-kb-list.1").read_text())
        done = subprocess.run([CommandCase.program, "man", "kb", "lst"],
                              text=True, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('no command "kb lst"', done.stderr)


class Scripts(ReferenceCase):
    def test_shells_accept_their_scripts(self):
        for shell in filter(shutil.which, SHELLS):
            with self.subTest(shell):
                run(shell, "-n", self.at / shell)

    def bash(self, *words):
        """What the script offers for the last word."""
        line = " ".join(f"'{word}'" for word in ("brewery", *words))
        return run("bash", "-c", f"""
            source ./bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}
            _brewery; printf '%s\\n' "${{COMPREPLY[@]}}" """,
                   cwd=self.at).split()

    def test_bash_offers_every_command_and_option(self):
        for command in self.commands:
            with self.subTest(command.path):
                self.assertEqual(set(self.bash(*command.path, "-")),
                                 set(command.options))
                if command.commands:
                    runs = ["first", "second"] if command.path == ["ui"] else []
                    self.assertEqual(self.bash(*command.path, ""),
                                     command.commands + runs)

    def test_bash_offers_words_keys_and_runs(self):
        self.assertEqual(self.bash("config", "print", "--format", ""),
                         ["toml", "json", "example", "markdown"])
        self.assertEqual(self.bash("config", "print", "--format", "=", "ex"),
                         ["example"])
        self.assertEqual(self.bash("completion", "z"), ["zsh"])
        self.assertEqual(self.bash("run", "desk.toml", "--set",
                                   "search.max_w"), ["search.max_width="])
        self.assertEqual(self.bash("kb", "list", ""), ["first", "second"])
        self.assertEqual(self.bash("resume", "s"), ["second"])
        # Of a value that may be anything, bash offers files by itself.
        self.assertEqual(self.bash("run", "de"), [])

    def test_bash_explains_what_it_lists(self):
        listed = run("bash", "-c", """
            source ./bash; COMP_WORDS=(brewery kb s); COMP_CWORD=2 COMP_TYPE=63
            _brewery; printf '%s\\n' "${COMPREPLY[@]}" """, cwd=self.at)
        self.assertEqual(
            listed, "show    (Print a document and its provenance.)\n"
            "search  (Search a knowledge base as the agent does.)\n")

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish_offers_every_command_and_option_with_its_help(self):
        asked = "\n".join(
            f"echo '@@'; complete -C '{' '.join(['brewery', *c.path])} {mark}'"
            for c in self.commands for mark in ("-", ""))
        answers = run("fish", "--no-config", "-c", f"source ./fish\n{asked}",
                      cwd=self.at).split("@@\n")[1:]
        for command, listed, words in zip(self.commands, answers[::2],
                                          answers[1::2]):
            with self.subTest(command.path):
                offered = dict(line.split("\t", 1) if "\t" in line
                               else (line, "") for line in listed.splitlines())
                self.assertEqual({name for name in offered
                                  if name.startswith("-")},
                                 set(command.options))
                self.assertLessEqual(
                    {" ".join(text.split()) for text in offered.values()},
                    {sentence.strip() for sentence in command.sentences})
                first = [line.split("\t")[0] for line in words.splitlines()]
                self.assertLessEqual(set(command.commands), set(first))

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_the_script_for_zsh_has_every_command_and_option(self):
        script = (self.at / "zsh").read_text()
        for command in self.commands:
            name = "_".join(["_brewery", *command.path])
            with self.subTest(name):
                body = script.split(f"\n{name}() {{")[1].split("\n}")[0]
                for option in command.options:
                    self.assertRegex(body, rf"\){option}[=+\[]|'\*{option}=")
                for below in command.commands:
                    self.assertIn(f"{below}) {name}_{below} ;;", body)


class Typing(ReferenceCase):
    """At a terminal: TAB completes, and the command line that results is run."""

    def typed(self, start, script, line):
        """The words that `line` comes to, typed into a shell."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.at)
            os.execvpe(start[0], start, clean_environment() | {
                "TERM": "dumb", "HOME": str(self.at), "PS1": "READY> "})
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, 9)
        seen = ""

        def until(pattern):
            nonlocal seen
            limit = time.monotonic() + 60
            while not (found := re.search(pattern, seen, re.S)):
                ready, _, _ = select.select([terminal], [], [], 1)
                if ready:
                    seen += os.read(terminal, 65536).decode(errors="replace")
                self.assertLess(time.monotonic(), limit, seen)
            return found

        os.write(terminal, f"{script}; echo SET'UP'\n".encode())
        until("SETUP")
        os.write(terminal, f"{line}\n".encode())
        return until(r"<([^<>']*)>")[1]

    def check(self, start, setup):
        shown = "brewery() { echo '<'$*'>'; }"
        for line, words in (
                ("brewery kb sho\t", "kb show"),
                ("brewery config print --form\t js\t", None),
                ("brewery resume sec\t --retr\t", "resume second "
                 "--retry-failed"),
                ("brewery ui sec\t", "ui second"),
                ("brewery ui exp\t", "ui export"),
                ("brewery report sec\t", "report second"),
                ("brewery run de\t", "run desk.toml")):
            with self.subTest(line):
                typed = self.typed(start, f"{setup}; {shown}", line)
                if words is None:  # zsh puts "=" for the space
                    self.assertRegex(typed, "config print --format[ =]json")
                else:
                    self.assertEqual(typed.strip(), words)

    def test_bash_completes(self):
        self.check(["bash", "--norc", "--noprofile", "-i"], "source ./bash")

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh_completes(self):
        self.check(["zsh", "-f", "-i"],
                   "autoload -U compinit; compinit -u -D; source ./zsh")


if __name__ == "__main__":
    main()
