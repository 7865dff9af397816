#!/usr/bin/env python3
"""The first hours of a new user, step by step: the example, its report, an own
benchmark, a broken environment, a full disk, a colleague's runs, a cluster with
keys. Every step prints what the user sees.

  walk_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import re
import resource
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from support.program import (CommandCase, clean_environment, free_port, main,
                             wait_until)
from docs_commands_test import SMALL

SOURCE = Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "envs" / "python"

LAMP = """
[environment]
kind = "external"
eval_split = "eval"
[environment.external]
command = ["python3", "lamp.py"]
[search]
iterations = 1
initial_trials = 4
[eval]
test_trials = 1
"""


def lamp():
    """The benchmark that the package's README shows."""
    text = (PACKAGE / "README.md").read_text()
    block = text[text.index("`lamp.py`:"):text.index("Then, in a")]
    return "\n".join(line.removeprefix("    ")
                     for line in block.splitlines()[1:]) + "\n"


class Walk(CommandCase):
    def setUp(self):
        super().setUp()
        (self.at / "brewery").symlink_to(self.program)
        text = (SOURCE / "config/telecom-example.toml").read_text()
        (self.at / "desk.toml").write_text(text.replace('"../', f'"{SOURCE}/'))

    def environment(self):
        return clean_environment() | SMALL | {
            "PYTHONPATH": str(PACKAGE), "PATH": f"{self.at}:/usr/bin:/bin"}

    def step(self, command, code=0, **how):
        done = subprocess.run(["bash", "-c", command], cwd=self.at, text=True,
                              env=self.environment(), capture_output=True,
                              timeout=300, **how)
        print(f"$ {command}\n{done.stderr}{done.stdout}", flush=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr if code else done.stdout

    def one_line(self, command, code=1, **how):
        said = self.step(command, code, **how)
        self.assertEqual(said.count("\n"), 1, said)
        return said

    def test_the_example_and_its_report(self):
        self.assertIn("ok", self.step("brewery config check desk.toml"))
        self.step("brewery estimate desk.toml")
        out = self.step("brewery run desk.toml --id first --quiet")
        self.assertIn("paired difference", out)
        report = (self.at / "runs/first/report.md").read_text()
        page = report[:report.index("## Appendix")]
        print(page)
        for part in ("**", "| seed | 1 |", "## Success by task group",
                     "## What to do next", "## How to read this"):
            self.assertIn(part, page)
        # Each command that the page suggests works.
        concept = json.loads(self.step("brewery kb list first --json")
                             .splitlines()[0])["concept"]
        suggested = re.findall(r"`(brewery [^`]*)`", page)
        self.assertGreater(len(suggested), 2)
        for command in suggested:
            self.step(command.replace("CONCEPT", str(concept))
                      .replace("DIR", "skills").replace("--trials 8",
                                                        "--trials 1"))

    def test_an_own_benchmark_that_breaks_and_is_mended(self):
        (self.at / "lamp.py").write_text(lamp())
        (self.at / "lamp.toml").write_text(LAMP)
        self.step("brewery config check lamp.toml --deep")
        self.step("brewery run lamp.toml --id whole --quiet")
        broken = lamp().replace("self.on = False",
                                'self.on = False\n'
                                '            raise RuntimeError("no bulb")', 1)
        broken = broken.replace("            raise", "        raise")
        (self.at / "lamp.py").write_text(broken)
        said = self.one_line("brewery run lamp.toml --id night --quiet "
                             "2> >(grep -v ' warn' >&2)")
        self.assertIn("no bulb", said)
        self.assertRegex(said, r"`brewery resume \S*night`")
        self.assertIn("failed", self.step("brewery runs"))
        (self.at / "lamp.py").write_text(lamp())
        self.step("brewery resume night --quiet")
        self.assertEqual(self.documents("night"), self.documents("whole"))

    def test_a_run_says_why_rollouts_have_no_score(self):
        broken = lamp().replace("self.on = False",
                                "self.on, self.task = False, task", 1)
        broken = re.sub(r"(def call\(.*\n)",
                        r'\1        if "lamp-1" in str(self.task):\n'
                        r'            raise RuntimeError("no bulb")\n', broken)
        (self.at / "lamp.py").write_text(broken)
        (self.at / "lamp.toml").write_text(LAMP)
        said = self.step("brewery run lamp.toml --id night --quiet")
        self.assertRegex(said, r"\nreason     .*no bulb")
        # It is tried again, and is as broken as before.
        self.assertRegex(self.step("brewery resume night --quiet"),
                         r"\nreason     .*no bulb")
        self.assertRegex((self.at / "runs/night/report.md").read_text(),
                         "without a score, .*no bulb")
        (self.at / "lamp.py").write_text(lamp())
        self.assertNotIn("no score (", self.step(
            "brewery resume night --quiet"))

    def test_a_full_disk_and_the_runs_of_a_colleague(self):
        def limited():  # a full disk that needs no privilege
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
        said = self.step("brewery run desk.toml --id full --quiet", 1,
                         preexec_fn=limited)
        self.assertIn("free some space", said)
        self.assertIn("brewery resume", said)
        out = self.step("brewery resume full --quiet")
        self.assertIn("paired difference", out)
        shutil.copytree(self.at / "runs", self.at / "theirs")
        for path in (self.at / "theirs").rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        self.addCleanup(lambda: [p.chmod(0o755) for p in
                                 (self.at / "theirs").rglob("*")
                                 if p.is_dir()])
        self.assertIn("full  finished",
                      self.step("brewery runs --runs-dir theirs"))
        self.step("brewery kb list full --runs-dir theirs")
        self.one_line("brewery runs --runs-dir nowhere")
        self.one_line("brewery kb list ful")

    def test_a_cluster_with_keys(self):
        for words in ("coordinator --role coordinator", "w1",
                      "alice --role operator"):
            self.step(f"brewery keys new {words}")
        address = f"tcp://127.0.0.1:{free_port()}"
        self.background(
            f"brewery coordinator --listen {address} --keys keys --env "
            f"tau2-telecom={SOURCE}/examples/telecom", "listening on")
        who = "--key keys/{}.key --server-key keys/coordinator.pub"
        worker = who.format("w1")
        self.background(f"brewery worker --connect {address} --no-spool --env "
                        f"tau2-telecom={SOURCE}/examples/telecom {worker}",
                        "connects to")
        me = f"--connect {address} {who.format('alice')}"
        self.step(f"brewery submit desk.toml --id a {me}")
        self.one_line(f"brewery quarantine list nosuch {me}")
        self.step(f"brewery workers {me}")
        # The report is there before the coordinator calls the run finished.
        wait_until("the run is finished", lambda: json.loads(self.ok(
            "status", "--json", *shlex.split(me)))["runs"][0]["state"]
            == "finished", 120, every=0.2)
        self.assertIn("finished", self.step(f"brewery status {me}"))
        self.assertTrue((self.at / "runs/a/report.md").exists())
        self.step("brewery keys revoke w1")
        self.step("brewery keys new w1")
        states = [line.split()[2] for line in
                  self.step("brewery keys list").splitlines()
                  if line.startswith("w1")]
        self.assertEqual(states, ["allowed", "revoked"])


class Answers(CommandCase):
    def test_every_json_line_names_its_event(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        run = self.ok("run", "toy.toml", "--id", "a", "--json")
        concept = json.loads(self.ok("kb", "list", "a", "--json")
                             .splitlines()[0])["concept"]
        lines = run.splitlines()
        for words in (["runs"], ["kb", "list", "a"],
                      ["kb", "show", "a", concept], ["kb", "diff", "a", "a"],
                      ["kb", "search", "a", "call"],
                      ["kb", "export", "a", "--skills", "out"],
                      ["resume", "a"], ["estimate", "toy.toml"],
                      ["config", "check", "toy.toml"], ["env", "check"],
                      ["eval", "a", "--trials", "1", "--quiet"],
                      ["sim", "--seeds", "2"]):
            lines += self.ok(*words, "--json").splitlines()
        for words in (["kb", "list", "nosuch"], ["resume", "nosuch"],
                      ["run", "none.toml"], ["run", "toy.toml", "--id", "a"]):
            done = self.brewery(*words, "--json")
            self.assertNotEqual(done.returncode, 0)
            error = json.loads(done.stdout.splitlines()[-1])
            self.assertEqual(error["event"], "error")
            self.assertEqual(f"brewery: {error['message']}\n", done.stderr)
            lines += done.stdout.splitlines()
        for line in lines:
            self.assertEqual(next(iter(json.loads(line))), "event", line)

    def test_while_a_coordinator_is_away_every_line_is_json_too(self):
        process = self.start("status", "--watch", "--json", "--connect",
                             f"tcp://127.0.0.1:{free_port()}",
                             "--timeout", 0.1)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        for _ in range(2):
            line = json.loads(process.stdout.readline())
            self.assertEqual(line["event"], "error")
            self.assertEqual(line["code"], "timeout")

    def test_quarantined_jobs_are_read_of_runs_anywhere(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        self.ok("run", "toy.toml", "--id", "a", "--runs-dir", "elsewhere")
        list_a = ["quarantine", "list", "a", "--runs-dir", "elsewhere"]
        self.assertEqual(self.ok(*list_a, "--local"),
                         "no job has failed\n")
        done = self.brewery(*list_a)  # a coordinator knows its own directory
        self.assertEqual(done.returncode, 2)
        self.assertIn("--local", done.stderr)
        # What its report suggests works from here.
        page = (self.at / "elsewhere/a/report.md").read_text()
        listing, = re.findall(r"`(brewery kb list [^`]*)`", page)
        self.assertIn(str(self.at / "elsewhere/a"), listing)
        self.ok(*shlex.split(listing)[1:])

    def test_a_metrics_address_in_use_leaves_no_run(self):
        (self.at / "toy.toml").write_text('[environment]\nkind = "toy"\n')
        import socket
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = self.brewery("run", "toy.toml", "--set",
                                f"run.metrics_listen=127.0.0.1:{port}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Address already in use", done.stderr)
        self.assertFalse((self.at / "runs").exists())

    def test_tasks_are_generated_without_a_checkout(self):
        said = self.ok("generate", "telecom", "--out", "desk")
        self.assertEqual(said, "60 train, 40 eval and 60 test tasks of seed 1 "
                               "in desk\n")
        for name in ("db.toml", "user_db.toml", "tasks.json",
                     "split_tasks.json"):
            self.assertEqual((self.at / "desk" / name).read_bytes(),
                             (SOURCE / "examples/telecom" / name)
                             .read_bytes())
        done = self.brewery("generate", "telecom", "--out", "desk")
        self.assertIn("exists already", done.stderr)
        done = self.brewery("generate", "telecom", "--out", "")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--out", done.stderr)
        done = self.brewery("generate", "telecom", "--out", "x", "--train", 0)
        self.assertEqual(done.returncode, 2)
        self.assertFalse((self.at / "x").exists())


if __name__ == "__main__":
    main()
