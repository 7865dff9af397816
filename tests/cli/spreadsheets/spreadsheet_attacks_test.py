#!/usr/bin/env python3
"""Scripts that try to turn a 0 into no score, on each rung, by a Brewery of
root and by one of an ordinary user, on a disk that they can fill.

  spreadsheet_attacks_test.py PATH_OF_BREWERY [unittest arguments]

Exit status 77, with what is missing, where a service does not work or no file
system can be mounted.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import small_disk
from support.program import CommandCase, main
from support.spreadsheet_variants import ATTACKS, write_attacks
from support.spreadsheets import (SMALL, SpreadsheetCase, rung_lacking,
                                  services_lacking)

DISK_MB = 420  # a workspace may hold 256
HONEST = 4
DRAWN = 2  # for learning: any of them, so there are two of each attack
USER = 1000
AS_USER = ["setpriv", "--reuid", str(USER), "--regid", str(USER),
           "--clear-groups"]


class Attacks:
    """Each has the score 0, none is without one, and an honest attempt beside
    them is not blamed."""

    rung, words = "", []

    def setUp(self):
        super().setUp()
        small_disk.mount(self, self.temporary, DISK_MB)
        if self.words:
            self.give_away()
        if lacking := rung_lacking(self, self.rung):
            self.skipTest(lacking)

    def give_away(self):
        if shutil.which(self.words[0]) is None:
            self.skipTest("there is no setpriv (Debian: util-linux)")
        # Where the user may read, wherever the checkout is.
        shutil.copy(CommandCase.program, self.at / "brewery")
        os.chmod(self.at / "brewery", 0o755)
        for place in (self.at, self.temporary):
            os.chown(place, USER, USER)
        done = subprocess.run([*self.words, self.at / "brewery", "--help"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest(f"no program can be run as {USER}: {done.stderr}")

    def start(self, *words, **how):
        if not self.words:
            return super().start(*words, **how)
        return subprocess.Popen(
            [*self.words, str(self.at / "brewery"), *map(str, words)],
            cwd=self.at, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment() | {"HOME": str(self.temporary)})

    def test_every_attack_scores_0_and_none_is_without_a_score(self):
        data = self.at / "tasks"
        expected = write_attacks(data, HONEST)
        (self.at / "a.toml").write_text(SMALL.format(
            tasks=data, train=1, eval=1, trials=1,
            more=f'keep_flawed_tasks = true\nisolation = "{self.rung}"'))
        # One after another: each has the disk for itself.
        result = json.loads(self.ok(
            "run", "a.toml", "--id", "a", "--json", "--set", "run.threads=1",
            "--set", "cluster.max_failures=1").splitlines()[-1])
        arm, = result["arms"]
        grades = self.grades(expected)
        print(f"\n{type(self).__name__}: {result['seconds']:.0f} s, {grades}",
              file=sys.stderr)
        right = grades.pop("right")
        self.assertEqual(set(grades), set(ATTACKS))
        self.assertEqual({name: set(scores) for name, scores in grades.items()},
                         {name: {0} for name in ATTACKS})
        self.assertEqual(set(right), {1})
        self.assertEqual(len(right) + sum(map(len, grades.values())),
                         len(expected) - DRAWN)
        self.assertEqual(arm["ungraded"], 0)

    def grades(self, expected):
        """Of all that were drawn for the test, by what they play; None: no
        score."""
        found = {task.split("--")[1]: [] for task in expected}
        for task in expected:
            done = self.brewery("rollout", "show", "a", task, "--arm", "no KB",
                                "--trial", "1", "--json")
            if done.returncode == 0:
                grade = json.loads(done.stdout)["rollout"].get("grade")
                found[task.split("--")[1]].append(grade and grade["reward"])
        return found


def of_each():
    """Name -> test case."""
    made = {}
    for rung in ("bubblewrap", "landlock"):
        for name, words in (("Root", []), ("OrdinaryUser", AS_USER)):
            name = f"In{rung.capitalize()}Of{name}"
            made[name] = type(name, (Attacks, SpreadsheetCase), {
                "rung": rung, "words": words, "__module__": __name__})
    return made


globals().update(of_each())

if __name__ == "__main__":
    main(lambda: small_disk.lacking() or services_lacking())
