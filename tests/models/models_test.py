#!/usr/bin/env python3
"""The telecom example with all roles on a real, tiny model: llama.cpp's server
with SmolLM2 of 135 M parameters, and with MiniLM for embeddings. The model
solves nothing; what is proven is what lies between Brewery and a server that
nobody here wrote.

Judge and reflector are constrained by the schemas that Brewery sends, the agent
by its tools and by a template that admits no words before a required call. For
a document Brewery sends no schema, and a model of this size cannot keep to a
form by itself, so the integrator's server is started with a grammar of it.

  models_test.py PATH_OF_BREWERY DIRECTORY_FOR_PACKAGES   (make models-test)
"""

import contextlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from checks import Checks, check_accounts, check_replies, spend_of
from counting_proxy import CountingProxy
from packages import Packages, Unreachable, say

TASKS = Path(__file__).resolve().parents[2] / "examples/telecom"
CONFIG = """
[run]
runs_dir = "runs"
threads = 1
[environment]
kind = "tau2-telecom"
data = "{tasks}"
eval_split = "eval"
max_train_tasks = 2
max_eval_tasks = 1
max_test_tasks = 1
[search]
iterations = 1
candidates = 1
train_trials = 0
[eval]
min_per_concept = 1
max_per_concept = 1
[agent]
kind = "llm"
model = "small"
max_calls = 2
max_tokens = 200
temperature = 0.7
[judge]
kind = "llm"
model = "small"
temperature = 0.7
rubrics = "rubrics.toml"
[reflector]
kind = "llm"
model = "small"
temperature = 0.7
max_insights = 1
[integrator]
kind = "llm"
model = "small"
max_tokens = 900
[embedder]
kind = "llm"
model = "near"
[models]
catalog = "models.toml"
"""
CATALOG = """
[server.llama]
base_url = "{url}"
initial_concurrency = 1
max_concurrency = 1
first_byte_timeout_ms = 900000
total_timeout_ms = 1800000
[model.small]
server = "llama"
[model.near]
server = "llama"
"""
RUBRICS = """
[[rubric]]
name = "looks before it acts"
asks = "Did the agent find out the state before it changed something?"
kept = "It called a tool that shows the state first."
broken = "Its first call changed something."
[[rubric]]
name = "checks what it did"
asks = "Did the agent look again after a change?"
kept = "It called the tool that shows the state once more."
broken = "It ended after the change."
"""


class Server:
    """llama.cpp's server. It writes with one thread: more get in each other's
    way on a machine that does something else too."""

    def __init__(self, packages, model, log, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = log
        self.command = [packages.server, "-m", model, "--host", "127.0.0.1",
                        "--port", str(port), "-np", "1", "-t", "1", "-tb", "2",
                        *options]

    def __enter__(self):
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(self.command, stdout=out, stderr=out)
        try:
            return self.ready()
        except BaseException:
            self.__exit__()
            raise

    def ready(self):
        for _ in range(1200):
            if self.process.poll() is not None:
                sys.exit(f"models-test: the server ended; see {self.log}")
            try:
                with urllib.request.urlopen(self.url + "/health", timeout=5):
                    return self
            except OSError:
                time.sleep(0.1)
        sys.exit(f"models-test: the server does not answer; see {self.log}")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Trial:
    """One run, killed at the first reply of some kinds and resumed."""

    def __init__(self, brewery, at, proxy):
        self.brewery, self.at, self.proxy = brewery, at, proxy
        self.kill_at = ["agent", "schema", "document", "embedding"]
        self.kills = 0
        proxy.before_reply = self.before_reply

    def before_reply(self, call):
        """The worst moment: the reply is paid for and has not arrived."""
        if call.kind in self.kill_at and call.paid():
            self.kill_at.remove(call.kind)
            self.kills += 1
            say(f"killed brewery at {call.kind}, call {len(self.proxy.calls)}")
            self.process.kill()
            self.process.wait()

    def play(self):
        command = ["run", "tiny.toml", "--id", "tiny"]
        while True:
            kills = self.kills
            with open(self.at / "brewery.log", "ab") as log:
                self.process = subprocess.Popen(
                    [self.brewery, *command, "--quiet"], cwd=self.at,
                    stdout=log, stderr=log)
                status = self.process.wait()
            if self.kills == kills:
                break
            command = ["resume", "tiny"]
        text = (self.at / "brewery.log").read_text()
        if status != 0:
            sys.exit(f"models-test: brewery ended with {status}:\n{text[-2000:]}")


def servers(packages, at):
    """One for each kind of request, so that each keeps its own prompt cache."""
    here = Path(__file__).resolve().parent
    short = ["-c", "512", "-b", "512", "-ub", "512"]
    options = {"agent": ["-c", "8192", "--jinja", "--chat-template-file",
                         here / "tools.jinja", "--repeat-penalty", "1.1"],
               "schema": ["-c", "8192"],
               "document": ["-c", "8192", "--grammar-file",
                            here / "document.gbnf"],
               "embedding": ["--embeddings", "--pooling", "mean", *short]}
    return {kind: Server(packages, packages.embedder if kind == "embedding"
                         else packages.chat(), at / f"{kind}.log", *words)
            for kind, words in options.items()}


def test(brewery, packages):
    at = packages.at / "trial"
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        urls = {kind: stack.enter_context(server).url
                for kind, server in servers(packages, at).items()}
        proxy = stack.enter_context(CountingProxy(urls))
        (at / "tiny.toml").write_text(CONFIG.format(tasks=TASKS))
        (at / "models.toml").write_text(CATALOG.format(url=proxy.url))
        (at / "rubrics.toml").write_text(RUBRICS)
        trial = Trial(brewery, at, proxy)
        trial.play()
    checks = Checks()
    checks.that("brewery was killed at each kind of call", not trial.kill_at,
                f"{trial.kills} kills")
    check_replies(checks, proxy.calls, at / "runs/tiny",
                  (at / "brewery.log").read_text())
    check_accounts(checks, proxy.calls, spend_of(brewery, at), trial.kills)
    say(f"{len(proxy.calls)} calls in {time.monotonic() - began:.0f} s")
    if checks.failed:
        sys.exit(f"models-test: FAILED: {'; '.join(checks.failed)}; see {at}")
    say("passed")


def main(brewery, folder):
    packages = Packages(folder)
    try:
        packages.install()
    except Unreachable as why:
        say(f"skipped: the package registry cannot be reached: {why}")
        return
    test(Path(brewery).resolve(), packages)


if __name__ == "__main__":
    main(*sys.argv[1:])
