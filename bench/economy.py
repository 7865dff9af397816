#!/usr/bin/env python3
"""What reuse of rollouts saves, as a table: the same run with every rollout
played, with reuse, and with all that could be reused audited.

  bench/economy.py PATH_OF_BREWERY --data DIR [--seeds 9001,9002] [--audit SHARE]
  bench/economy.py PATH_OF_BREWERY --data DIR --model [--seeds ...]
  bench/economy.py PATH_OF_BREWERY --data DIR --shares [--seeds ...]

On the official telecom tasks, width 10 and depth 3. With --model the agent is a
script behind an OpenAI-compatible server at temperature 0 that retrieves once
per task and whose replies are functions of all that it was sent
(models/reading_model.py), so every word of a shown document counts. Options of
--set go to every run.

With --shares it says instead what the rollouts of a run are for, and what of them
reuse and bounds save, with waves of 6 and of 1.

The documents must be equal byte for byte: the script ends with an error if they
are not, or if an audit found a difference. So it does if nothing was learned
that could be reused, and says why.
"""

import argparse
import collections
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "bench/models")]
sys.dont_write_bytecode = True

import reading_model  # noqa: E402
from support import model_script  # noqa: E402

CONFIG = ROOT / "config/tau2-telecom.toml"
WIDE = ["search.max_width=10", "search.max_depth=3"]
CATALOG = ('[server.here]\nbase_url = "{url}"\nkey_env = "SCRIPT_KEY"\n'
           '[model.agent]\nserver = "here"\nusd_per_million_prompt = 0\n'
           "usd_per_million_completion = 0\n")
MODEL = ["agent.kind=llm", "agent.model=agent", "agent.temperature=0",
         "agent.max_calls=40", "retrieval.per_observation=false",
         "reflector.kind=llm", "reflector.model=agent",
         "integrator.kind=llm", "integrator.model=agent",
         "search.initial_trials=3", "search.train_trials=1",
         "search.iterations=1", "eval.test_trials=1"]
HEAD = ("| seed | run | rollouts | evaluations | reused | of all | of "
        "evaluations | audited | wrong | time | log |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|")


class Rollouts:
    """How many rollouts of a run are evaluations of candidates."""

    def __init__(self, options, data):
        config = tomllib.loads(CONFIG.read_text())
        for line in options:
            path, value = line.split("=", 1)
            table, key = path.rsplit(".", 1)
            if value.isdigit():
                config.setdefault(table, {})[key] = int(value)
        file = next(Path(data).glob("**/domains/telecom/split_tasks.json"), None)
        if file is None:
            sys.exit(f"--data {data}: no domains/telecom/split_tasks.json below "
                     "it; name the folder of tau2-bench's data")
        split = json.loads(file.read_text())
        self.train = len(split["train"])
        self.train -= round(self.train * 0.3)  # environment.eval_fraction
        search = config["search"]
        self.first = self.train * search["initial_trials"]
        self.later = (self.train * search["train_trials"]
                      * search["iterations"])
        self.final = 2 * len(split["test"]) * config["eval"].get(
            "test_trials", 4)

    def reflected(self, made):
        """Rollouts that a model as reflector was asked about."""
        return sum(line["calls"] for line in made.get("spend", [])
                   if line["role"] == "reflector")

    def evaluations(self, made):
        """Rollouts that score versions, each counted once. A reflector on a
        model is asked once for each rollout that is learned from; the
        procedural one is not counted, but training draws no more tasks than
        there are."""
        return (made["rollouts"] - self.final
                - (self.reflected(made) or self.first + self.later))


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def run(brewery, where, options, environment):
    began = time.monotonic()
    words = [brewery, "run", str(CONFIG), "--id", "run", "--json"]
    for option in [*options, f"run.runs_dir={where}"]:
        words += ["--set", option]
    done = subprocess.run(words, capture_output=True, text=True,
                          env=environment)
    if done.returncode != 0:
        sys.exit(done.stderr[-2000:])
    out = next(json.loads(line) for line in done.stdout.splitlines()
               if '"result"' in line)
    refused = [note["reason"] for note in out.get("replies", [])
               if note["what"] == "rejected"]
    if refused or out["failed_jobs"]:
        sys.exit(f"the model's replies were of no use: {refused or done.stderr}")
    out["wall"] = time.monotonic() - began
    out["log"] = (where / "run" / "events.db").stat().st_size
    learned = files_below(where / "run" / "kb")
    if len(learned) < 2:
        sys.exit(f"{out['rollouts']} rollouts taught nothing: without a document "
                 "none reads the same as another; see search.initial_trials")
    return out, learned


def row(seed, name, made, count):
    reuse = made.get("reuse", {"reused": 0, "checked": 0, "wrong": 0})
    share = made["rollouts"], count.evaluations(made)
    percent = [f"{100 * reuse['reused'] / of:.1f} %" for of in share]
    if not count.reflected(made):
        percent[1] = ""  # what a procedural reflector reads is reused as well
    print(f"| {seed} | {name} | {made['rollouts']:,} | {share[1]:,} | "
          f"{reuse['reused']:,} | {percent[0]} | {percent[1]} | "
          f"{reuse['checked']:,} | {reuse['wrong']} | {made['wall']:.0f} s | "
          f"{made['log'] / 1e6:.0f} MB |", flush=True)
    return reuse["wrong"]


def compare(given, seed, environment, extra):
    options = [*WIDE, f"environment.data={given.data}", f"run.seed={seed}",
               "economy.bounds=false", *extra]
    count = Rollouts(options, given.data)
    wrong, documents = 0, None
    for name, more in (
            ("all played", []),
            ("reuse", ["economy.reuse=run"]),
            (f"audit {given.audit}",
             ["economy.reuse=run", f"economy.audit_reuse={given.audit}"])):
        with tempfile.TemporaryDirectory() as folder:
            made, learned = run(given.brewery, Path(folder), options + more,
                                environment)
        wrong += row(seed, name, made, count)
        documents = documents or learned
        if learned != documents:
            sys.exit(f"seed {seed}: {name} learned other documents")
    return wrong


def shares(given, seed, environment, extra):
    """What the rollouts are for follows from the options, but for those that
    score first documents: a run without iterations has no others."""
    options = [*WIDE, f"environment.data={given.data}", f"run.seed={seed}",
               *extra]
    count = Rollouts(options, given.data)
    reuse = "economy.reuse=run"
    made, documents = {}, None
    for name, more in (
            ("begin", ["search.iterations=0",
                       "search.final_evaluation=false"]),
            ("reuse", ["economy.bounds=false", reuse]),
            ("reuse and bounds, waves of 6", [reuse]),
            ("reuse and bounds, waves of 1", [reuse, "economy.wave=1"])):
        with tempfile.TemporaryDirectory() as folder:
            made[name], learned = run(given.brewery, Path(folder),
                                      options + more, environment)
        if name == "begin":
            continue
        documents = documents or learned
        if learned != documents:
            sys.exit(f"seed {seed}: {name} learned other documents")
    whole = made["reuse"]["rollouts"]
    fixed = count.first + count.later + count.final
    first = made.pop("begin")["rollouts"] - count.first
    print(f"Seed {seed}:\n\n| rollouts | number | of all |\n|---|---|---|")

    def line(name, number):
        print(f"| {name} | {number:,} | {100 * number / whole:.1f} % |",
              flush=True)

    line("all", whole)
    line("first attempts, reflected on", count.first)
    line("training, reflected on", count.later)
    line("final evaluation", count.final)
    line("that score first documents", first)
    line("that score candidates", whole - fixed - first)
    for name, one in made.items():
        played = one["rollouts"] - one["reuse"]["reused"]
        line(f"saved: {name}", whole - played)
    line("saved if nothing were scored", whole - fixed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("brewery")
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", default="9001")
    parser.add_argument("--audit", default="1")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--shares", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    extra, environment = list(given.set), dict(os.environ)
    with contextlib.ExitStack() as open_until_end:
        if given.model:
            model_script.complete = reading_model.completion
            model = open_until_end.enter_context(model_script.ModelScript())
            model.requests = collections.deque(maxlen=0)  # gigabytes in a run
            catalog = Path(open_until_end.enter_context(
                tempfile.TemporaryDirectory())) / "models.toml"
            catalog.write_text(CATALOG.format(url=model.url))
            environment["SCRIPT_KEY"] = model_script.KEY
            extra = [*MODEL, f"models.catalog={catalog}", *extra]
        if given.shares:
            for seed in given.seeds.split(","):
                shares(given, seed, environment, extra)
            return
        print(HEAD)
        wrong = sum(compare(given, seed, environment, extra)
                    for seed in given.seeds.split(","))
    if wrong:
        sys.exit(f"{wrong} rollouts were reused that should not have been")


if __name__ == "__main__":
    main()
