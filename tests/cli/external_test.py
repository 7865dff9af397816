#!/usr/bin/env python3
"""The built `brewery` with environments that are programs of their own.

  external_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path

from support.cluster import Process
from support.log_reader import events
from support.program import CommandCase, files_below, main, wait_until

SOURCE = Path(__file__).resolve().parents[2]
PYTHON = SOURCE / "envs" / "python"
FAKE = SOURCE / "tests" / "envs" / "external" / "fake_child.py"
sys.path.insert(0, str(PYTHON / "tests"))
from fake_tau2 import write_checkout, write_unrelated  # noqa: E402

SMALL = """
[environment]
kind = "external"
eval_split = "eval"
[environment.external]
command = {command}
[search]
initial_trials = 10
iterations = 1
[eval]
test_trials = 2
"""


def attempts(rewards):
    return sum(sum(of.values()) for of in rewards.values())


class Case(CommandCase):
    def fails(self, *words, variables=None):
        """The one line on standard error; no run is left."""
        done = self.brewery(*words, variables=variables)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse((self.at / "runs").exists())
        return done.stderr

    def config(self, name, *command):
        (self.at / name).write_text(SMALL.format(
            command=json.dumps(list(map(str, command)))))
        return name

    def lock(self, name="lock.toml", edit=None):
        text = (PYTHON / "examples" / "lock.py").read_text()
        (self.at / "lock.py").write_text(edit(text) if edit else text)
        return self.config(name, "python3", self.at / "lock.py")

    def result(self, text):
        return json.loads(text.splitlines()[-1])


class Learning(Case):
    def test_the_example_is_learned_end_to_end(self):
        result = self.result(self.ok(
            "run", SOURCE / "config/external-example.toml", "--id", "lock",
            "--json", "--set", f"run.runs_dir={self.at}/runs"))
        baseline, learned = result["arms"][:2]
        self.assertGreater(learned["success"], baseline["success"] + 0.2)
        text = "".join(p.read_text()
                       for p in (self.at / "runs/lock/kb").glob("*.md"))
        self.assertIn("set_pins", text)
        # Its experiences are of what the benchmark calls itself.
        self.ok("kb", "export", self.at / "runs/lock/kb", "--experiences",
                "made")
        for made in files_below(self.at / "made").values():
            self.assertIn(b"- domain: jammed-lock\n", made)

    def test_threads_and_processes_learn_the_same(self):
        config = self.lock()
        kbs = []
        for words in [], ["--workers", 2], ["--set", "run.threads=3"]:
            self.ok("run", config, "--id", f"r{len(kbs)}", "--quiet", *words)
            files = files_below(self.at / f"runs/r{len(kbs)}/kb")
            kbs.append({n: t.replace(f'"r{len(kbs)}"'.encode(), b"")
                        for n, t in files.items()})
        self.assertEqual(kbs[0], kbs[1])
        self.assertEqual(kbs[0], kbs[2])

    def rewards(self, run):
        """Those of the attempts without documents, by task."""
        _, _, arm = [one for one in events(self.at / "runs" / run,
                                           "evaluation_record")
                     if one[1] == "no KB"][-1]
        return {task: Counter(of)
                for task, of in zip(arm["tasks"], arm["rewards"])}

    def test_a_child_that_crashes_now_and_then_harms_no_score(self):
        crash = f"""
    played = 0

    def grade(self):
        type(self).played += 1
        if self.played % 5 == 0 and os.path.exists({str(self.at / "loose")!r}):
            os._exit(7)
"""
        config = self.lock(edit=lambda text: "import os\n" + text.replace(
            "    def grade(self):\n", crash, 1).replace(
                "#!/usr/bin/env python3\n", ""))
        words = ("run", config, "--json", "--set", "run.threads=2", "--id")
        self.ok(*words, "whole")
        (self.at / "loose").touch()
        lines = [json.loads(line)
                 for line in self.ok(*words, "a").splitlines()]
        self.assertTrue([line for line in lines
                         if line.get("environment_errors")])
        # What crashed has no score, and the rest has its own.
        whole, left = self.rewards("whole"), self.rewards("a")
        self.assertEqual(list(left), list(whole))
        for task, rewards in left.items():
            self.assertFalse(rewards - whole[task], task)
        arm = lines[-1]["arms"][0]
        self.assertEqual(arm["ungraded"],
                         attempts(whole) - attempts(left))
        # Once the cause is mended, nothing is left of it.
        (self.at / "loose").unlink()
        self.ok("resume", "a", "--retry-failed", "--quiet")
        self.assertEqual(self.documents("a"), self.documents("whole"))
        self.assertEqual(self.rewards("a"), whole)


class BadPrograms(Case):
    def test_a_program_that_does_not_exist_is_named(self):
        said = self.fails("run", self.config("a.toml", "no-such-program"))
        self.assertIn('environment.external.command = "no-such-program": '
                      'there is no program "no-such-program" in PATH', said)

    def test_a_program_that_dies_is_refused_with_its_last_words(self):
        (self.at / "bad.py").write_text("import no_such_module\n")
        said = self.fails("run", self.config("a.toml", "python3", "bad.py"))
        self.assertIn("cannot be started, 3 times in a row: it ended with exit "
                      "status 1; last on its standard error: ", said)
        self.assertIn("No module named 'no_such_module'", said)

    def test_a_command_is_needed_and_for_external_only(self):
        (self.at / "a.toml").write_text('[environment]\nkind = "external"\n')
        self.assertIn("needs the program to start", self.fails("run", "a.toml"))
        (self.at / "a.toml").write_text(
            '[environment]\nkind = "toy"\n'
            '[environment.external]\ncommand = "x"\n')
        self.assertIn('has no effect with environment.kind = "toy"',
                      self.fails("run", "a.toml"))

    def test_one_string_is_split_as_a_shell_does(self):
        config = self.lock()
        file = str(self.at / "lock.py")
        spaced = self.at / "a dir"
        spaced.mkdir()
        os.rename(file, spaced / "lock.py")
        self.ok("run", config, "--quiet", "--set",
                'environment.external.command=python3 "a dir/lock.py"', "--set",
                "search.iterations=0")

    def test_quotes_that_do_not_match_are_refused(self):
        (self.at / "a.toml").write_text(
            '[environment]\nkind = "external"\n'
            '[environment.external]\ncommand = "python3 \'a"\n')
        self.assertIn("a ' without its other one", self.fails("run", "a.toml"))

    def test_a_variable_that_is_not_set_is_named(self):
        config = self.lock()
        words = ["run", config, "--set",
                 "environment.external.pass_env=LOCK_KEY"]
        self.assertIn('environment.external.pass_env names "LOCK_KEY"',
                      self.fails(*words))

    def test_children_see_what_is_passed_and_no_more(self):
        spy = ("import os\nopen(%r, 'w').write(repr(sorted(os.environ)))\n"
               % str(self.at / "seen"))
        config = self.lock(edit=lambda text: text.replace(
            "from itertools", spy + "from itertools", 1))
        self.brewery("run", config, "--quiet", "--set", "search.iterations=0",
                     "--set", "environment.external.pass_env=LOCK_KEY",
                     variables={"LOCK_KEY": "1", "OPENAI_API_KEY": "hush"})
        seen = (self.at / "seen").read_text()
        self.assertIn("'LOCK_KEY'", seen)
        self.assertNotIn("OPENAI_API_KEY", seen)


class Processes(Case):
    def alive(self, pid):
        stat = Path(f"/proc/{pid}/stat")
        return stat.exists() and ") Z " not in stat.read_text()

    def pids(self):
        file = self.at / "pids"
        return [int(line) for line in file.read_text().split()] \
            if file.exists() else []

    def start(self):
        config = self.config("a.toml", "python3", FAKE, "--fail-at", 3, "--how",
                             "stubborn", "--pids", self.at / "pids")
        (self.at / config).write_text(
            (self.at / config).read_text().replace(
                'eval_split = "eval"', 'eval_split = "test"\n'
                'test_split = ""').replace(
                    "[search]\n", "[search]\nfinal_evaluation = false\n"))
        process = Process(self.program, ["run", self.at / config, "--set",
                                    f"run.runs_dir={self.at}/runs"],
                          self.at / "log")
        self.addCleanup(process.kill)
        # The run starts one to look at it, then others to play.
        wait_until("a child hangs", lambda: len(self.pids()) >= 2)
        time.sleep(0.2)
        return process

    def test_no_child_outlives_a_killed_brewery(self):
        process = self.start()
        self.assertTrue(any(self.alive(pid) for pid in self.pids()))
        process.send(signal.SIGKILL)
        wait_until("all children are gone",
                   lambda: not any(map(self.alive, self.pids())))


class Clusters(Case):
    def coordinator(self, *words):
        address = f"ipc://{self.at}/socket"
        log = self.at / "coordinator.log"
        process = Process(self.program, ["coordinator", "--listen", address,
                                    "--runs-dir", self.at / "runs", *words],
                          log)
        self.addCleanup(process.kill)
        wait_until("the coordinator listens",
                   lambda: "listening on" in log.read_text())
        return address

    def worker(self, address, offer):
        process = Process(self.program, ["worker", "--connect", address, "--env",
                                    offer, "--no-spool", "--slots", 2],
                          self.at / "worker.log")
        self.addCleanup(process.kill)

    def test_programs_of_submitted_configurations_are_not_started(self):
        address = self.coordinator()
        config = self.config("a.toml", "touch", self.at / "started")
        done = self.brewery("submit", config, "--connect", address)
        self.assertNotEqual(done.returncode, 0)
        said = done.stderr
        self.assertIn("starts no programs that a submitted configuration names",
                      said)
        self.assertIn("--env external=COMMAND", said)
        self.assertFalse((self.at / "started").exists())

    def test_a_cluster_plays_the_programs_it_was_started_with(self):
        lock = self.lock()
        address = self.coordinator("--env",
                                   f"external=python3 {self.at}/lock.py")
        self.worker(address, f"external={self.at / lock}")
        self.ok("submit", lock, "--id", "a", "--connect", address)
        report = self.at / "runs/a/report.md"
        wait_until("the run ends", report.exists, limit=120)


    def test_rollouts_that_an_environment_broke_are_named_and_can_be_retried(
            self):
        def rusty(text):
            return text.replace(
                "    def grade(self):\n", "    def grade(self):\n"
                "        import os\n"
                f"        if os.path.exists({str(self.at / 'broken')!r}):\n"
                "            raise RuntimeError('the lock is rusty')\n", 1)

        (self.at / "broken").write_text("")
        lock = self.lock(edit=rusty)
        address = self.coordinator("--env",
                                   f"external=python3 {self.at}/lock.py")
        self.worker(address, f"external={self.at / lock}")
        self.ok("submit", lock, "--id", "a", "--connect", address)

        def run():
            return json.loads(self.ok("status", "--connect", address,
                                      "--json"))["runs"][0]

        wait_until("the run fails", lambda: run()["state"] == "failed",
                   limit=120, every=0.2)
        listed = [json.loads(line) for line in self.ok(
            "quarantine", "list", "--connect", address, "--json").splitlines()]
        self.assertTrue(all("the lock is rusty" in one["reason"]
                            for one in listed))
        self.assertIn(f"mend that, then try its {len(listed)} failed jobs again "
                      "with `brewery quarantine retry a`", run()["error"])
        (self.at / "broken").unlink()
        self.assertEqual(self.ok("quarantine", "retry", "a", "--connect",
                                 address),
                         f"{len(listed)} jobs will run again\n")
        wait_until("the run ends", (self.at / "runs/a/report.md").exists,
                   limit=120)


class OfficialCheckouts(Case):
    def test_a_checkouts_tasks_are_played(self):
        checkout = write_checkout(self.at / "checkout")
        (self.at / "a.toml").write_text(
            '[search]\niterations = 0\ninitial_trials = 5\n'
            '[environment]\neval_split = "test"\ntest_split = ""\n')
        out = self.brewery("run", "a.toml", "--env", "tau2-official",
                           "--checkout", checkout, "--set",
                           "search.final_evaluation=false")
        self.assertEqual(out.returncode, 0, out.stderr)
        # Two tickets are too few to learn from; they were played.
        run = json.loads(self.ok("runs", "--json").splitlines()[0])["id"]
        log = sqlite3.connect(self.at / "runs" / run / "events.db")
        played = log.execute("SELECT count(*) FROM events WHERE "
                             "instr(payload, 'see_lamp') > 0").fetchone()
        log.close()
        self.assertGreater(played[0], 0)

    def test_the_unrelated_package_is_refused(self):
        (self.at / "a.toml").write_text("")
        said = self.fails("run", "a.toml", "--env", "tau2-official",
                          "--checkout", write_unrelated(self.at / "relax"))
        self.assertIn("is not tau2-bench, it has no tau2.registry", said)

    def test_a_domain_with_users_asks_for_a_model(self):
        (self.at / "a.toml").write_text("")
        said = self.fails("run", "a.toml", "--env", "tau2-official",
                          "--checkout", self.at, "--set",
                          "environment.tau2_official.domain=retail")
        self.assertIn("the domain retail needs a user to talk to", said)


if __name__ == "__main__":
    main()
