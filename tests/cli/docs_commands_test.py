#!/usr/bin/env python3
"""Every command in README and docs does what it says. A command that cannot run
here stands in ELSEWHERE with the reason, or names something that must exist.

  docs_commands_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from support.program import CommandCase, clean_environment, free_port, main

ROOT = Path(__file__).resolve().parents[2]
START = re.compile(r"(brewery|build/|ctest|scripts/|make|python3|export) ?")

# What a command's capitals stand for, in the directory of the test.
VALUES = {"RUN-A": "first", "RUN-B": "second", "RUN": "first", "CONCEPT": "0",
          "DIRECTORY": "examples/spreadsheets", "DIR": "skills",
          "CONFIG": "config/telecom-example.toml", "[JOB]": "",
          "WORKER": "w1", "HOST": "127.0.0.1",
          "TASK": "no_service/L2006/overdue_bill+airplane_mode"}
# A search small enough for a test; results are not looked at.
SMALL = {"BREWERY_SEARCH__ITERATIONS": "1", "BREWERY_EVAL__TEST_TRIALS": "1",
         "BREWERY_SEARCH__INITIAL_TRIALS": "2",
         "BREWERY_ENVIRONMENT__MAX_TRAIN_TASKS": "8",
         "BREWERY_ENVIRONMENT__MAX_EVAL_TASKS": "4",
         "BREWERY_ENVIRONMENT__MAX_TEST_TASKS": "4"}

# Beginning of a command -> why it is not run here.
ELSEWHERE = {
    "brewery run /usr/": "install_test.py uses an installed program",
    "brewery run config/spreadsheet": "spreadsheet_test.py runs it",
    "brewery run config/osworld": "examples_test.cpp plays these tasks",
    "brewery config check config/telecom-house-rules-models": "needs a model",
    "brewery estimate config/telecom-house-rules-models": "needs a model",
    "brewery estimate config/presets/": "needs models and data of tau2-bench",
    "brewery run config/telecom-house-rules": "house_rules_test.py runs both",
    "brewery eval learned": "house_rules_test.py runs it",
    "brewery resume RUN --retry-failed": "recovery_test.py breaks jobs",
    "brewery regrade": "spreadsheet_test.py runs it",
    "brewery data check": "test_grade_examples.py checks these tasks",
    "brewery env check": "spreadsheet_test.py runs it",
    "brewery worker --env spreadsheet": "spreadsheets/grader_test.py runs it",
    "brewery run config/tau2-": "needs data or a checkout of tau2-bench",
    "brewery run my.toml --replay": "models_test.py replays a run",
    "brewery sweep config/sweeps/table5.toml --group": "cluster_sweep_test.py",
    "brewery fetch": "fetch_test.py fetches runs",
    "brewery set": "operators_test.py changes shares",
    "brewery top": "operators_test.py looks at it",
    "brewery logs": "operators_test.py reads them",
    "brewery worker --env tau2-telecom=DATA --tag": "operators_test.py has tags",
    "brewery worker --env toy --env spreadsheet": "operators_test.py has limits",
    "brewery cluster": "slurm_test.py and engines_test.py have the engines",
    "brewery sim --workers": "cli_test.py runs a smaller one",
    "brewery sim --seeds": "the simulator's own test runs as many",
    "brewery worker --env external": "external_test.py runs these workers",
    "brewery coordinator --env external": "external_test.py runs it",
    "brewery ui": "ui_api_test.py asks its pages",
    "brewery config print --format": "cli_test.py compares these files",
}


def documents():
    yield ROOT / "README.md"
    yield ROOT / "CONTRIBUTING.md"
    for folder in ("docs", "config", "examples", "bench", "tests", "scripts"):
        yield from sorted((ROOT / folder).glob("*.md"))


def commands_of(document):
    """(line, command), continuations joined, without comment and prompt."""
    fenced, out, open_line = False, [], None
    for number, text in enumerate(document.read_text().splitlines(), 1):
        if text.startswith("```"):
            fenced = not fenced
            continue
        if not fenced and not text.startswith("    "):
            open_line = None
            continue
        text = text.strip().removeprefix("$ ")
        if open_line is not None:
            out[-1] = (out[-1][0], out[-1][1] + " " + text)
        elif START.match(text):
            out.append((number, text))
        else:
            continue
        line, text = out[-1]
        open_line = number if text.endswith("\\") else None
        out[-1] = (line, text.removesuffix("\\").rstrip())
    return [(line, re.sub(r"\s+#.*", "", text)) for line, text in out]


def with_values(command):
    return " ".join(re.sub(r"(?<![\w/])(RUN-[AB]|CONCEPT|CONFIG|DIRECTORY|DIR"
                           r"|RUN|TASK|WORKER|HOST|\[JOB\])(?![\w.])",
                           lambda found: VALUES[found.group()], word)
                    for word in command.split(" "))


def skipped(command):
    return any(command.startswith(start) for start in ELSEWHERE)


class Commands(CommandCase):
    def setUp(self):
        super().setUp()
        for name in ("config", "envs", "examples", "docs"):
            (self.at / name).symlink_to(ROOT / name)
        (self.at / "bin").mkdir()
        (self.at / "bin/brewery").symlink_to(self.program)
        (self.at / "my.toml").write_text(
            (ROOT / "config/telecom-example.toml").read_text()
            .replace('"../', f'"{ROOT}/'))

    def environment(self):
        inherited = clean_environment()
        return inherited | SMALL | {
            "PATH": f"{self.at / 'bin'}:{inherited['PATH']}",
            "BREWERY_RUN__RUNS_DIR": str(self.at / "runs")}

    def shell(self, command, expect=0):
        done = subprocess.run(["bash", "-c", command], cwd=self.at, text=True,
                              env=self.environment(), capture_output=True,
                              timeout=300)
        self.assertEqual(done.returncode, expect,
                         f"{command}\n{done.stderr}{done.stdout}")
        return done.stdout

    def brewery_commands(self):
        for document in documents():
            for line, command in commands_of(document):
                if command.startswith("brewery ") and not skipped(command):
                    yield f"{document.relative_to(ROOT)}:{line}", command

    def test_the_documents_have_commands_of_every_kind(self):
        found = [c for d in documents() for _, c in commands_of(d)]
        for start in ["brewery run", "make ", "ctest ", "build/", "scripts/",
                      "brewery kb", "brewery keys", "python3 ", *ELSEWHERE]:
            self.assertTrue(any(c.startswith(start) for c in found), start)

    def test_goals_scripts_and_tests_that_are_named_exist(self):
        goals = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(),
                               re.M))
        build = Path(self.program).parents[1]
        for document in documents():
            for line, command in commands_of(document):
                words = shlex.split(command)
                with self.subTest(f"{document.relative_to(ROOT)}:{line}"):
                    if words[0] == "make":
                        for word in words[1:]:
                            self.assertTrue("=" in word or word in goals, word)
                    elif words[0].startswith("scripts/"):
                        self.assertTrue((ROOT / words[0]).is_file(), words[0])
                    elif words[0] == "python3":
                        self.assertTrue((ROOT / words[1]).is_file(), words[1])
                    elif words[0] == "ctest":
                        listed = subprocess.run(
                            ["ctest", "--test-dir", build, "-N", *words[3:]],
                            capture_output=True, text=True).stdout
                        self.assertNotIn("Total Tests: 0", listed)
                    elif "/tests/test_" in words[0]:
                        program = build / "tests" / Path(words[0]).name
                        listed = subprocess.run(
                            [program, *words[1:], "--list-test-names-only"],
                            capture_output=True, text=True).stdout
                        self.assertTrue(listed.strip(), command)

    def test_commands_of_one_process_succeed(self):
        self.shell("brewery run my.toml --id first --quiet")
        self.shell("brewery run my.toml --id second --quiet --set run.seed=2")
        VALUES["CONCEPT"] = str(json.loads(
            self.shell("brewery kb list first --json").splitlines()[0]
        )["concept"])
        cluster = ("coordinator", "worker", "submit", "status", "workers",
                   "drain", "cancel", "quarantine", "keys")
        for place, command in self.brewery_commands():
            if command.split()[1] in cluster:
                continue
            with self.subTest(place):
                shutil.rmtree(self.at / "my-desk", ignore_errors=True)
                self.shell(with_values(command))

    def test_commands_of_a_cluster_succeed_in_their_order(self):
        """With addresses that are free, and shorter than for ever."""
        address = f"tcp://127.0.0.1:{free_port()}"
        started = False
        for place, command in self.brewery_commands():
            kind = command.split()[1]
            if kind == "keys":
                continue
            command = re.sub(r"tcp://[\w.]+:7420", address,
                             with_values(command))
            with self.subTest(place):
                if "--key" in command:
                    continue  # cluster_security_test.py has these
                if kind == "coordinator" and not started:
                    self.background(f"{command} --listen {address}",
                                    "listening on")
                    started = True
                elif kind == "worker":
                    self.background(f"{command} --connect {address} --name w1",
                                    "connects to")
                elif kind in ("submit", "status", "workers", "drain",
                              "cancel", "quarantine"):
                    self.cluster_order(command + f" --connect {address}")

    def cluster_order(self, command):
        if "--watch" in command:
            command = f"timeout -s INT 3 {command}; [ $? = 124 ]"
        done = subprocess.run(["bash", "-c", command], cwd=self.at, text=True,
                              env=self.environment(), capture_output=True,
                              timeout=120)
        # What there is nothing of any more is refused by name.
        fine = done.returncode == 0 or re.search(
            r'exists already|no worker "w1"|has no run "first"|is already',
            done.stderr)
        self.assertTrue(fine, f"{command}\n{done.stderr}{done.stdout}")

    def test_commands_about_keys_succeed_in_their_order(self):
        for document in documents():
            for _, command in commands_of(document):
                if command.startswith("brewery keys new"):
                    name = command.split()[3]
                    if not (self.at / f"keys/{name}.key").exists():
                        self.shell(command)
                elif command.startswith("brewery keys list"):
                    self.assertIn("w1", self.shell(command))
        self.shell("brewery keys revoke w1")


if __name__ == "__main__":
    main()
