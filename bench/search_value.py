"""What the search is worth on a problem with scarce evidence: the sealed score
of each arm, and paired differences between arms.

usage: search_value.py BREWERY [--seeds 201-210] [--arms "roots;mcts"]
                       [--out FILE] [--set KEY=VALUE ...] [--table]

Runs config/scarce.toml once for each seed and arm; the seed is that of the
problem and of the search. Arms of a seed play the same tasks. A line is written
to FILE as soon as a run ends, and what is there is not run again, so an
interrupted sweep goes on where it was. --table only prints what FILE has.

Equal numbers of rollouts: mcts and greedy draw as many candidates, so they have
equal iterations. iterative draws one in an iteration, so it gets as many
iterations as cost what mcts with the same seed did, or a little more. The arm
without selection has as many. Confirming and scoring again take about a quarter
more rollouts, so these arms have five iterations for six. "roots" are the first
documents that all arms start from; "roots, equal rollouts" spend what mcts spends
on more attempts at the train tasks before they are written. All arms but one play
without bounds and without reuse, so the table has the rollouts that the algorithms
ask for, without those of the sealed test.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MCTS = 'search.strategies=["mcts"]'
ITERATIVE = 'search.strategies=["iterative"]'
# Neither changes a result; without them every rollout that counts is played.
PLAIN = ["economy.bounds=false", 'economy.reuse="off"']
SAVING = ["economy.bounds=true", 'economy.reuse="run"']
ROOTS = [MCTS, "search.iterations=0"]
ARMS = {
    "mcts": [MCTS],
    "roots": ROOTS,
    "roots, equal rollouts": ROOTS,
    "iterative": [ITERATIVE],
    "newest unselected": [ITERATIVE, "search.publish_newest=true"],
    "greedy": ['search.strategies=["greedy"]'],
    "mcts, bounds and reuse": [MCTS, *SAVING],
    "mcts, confirmed": [MCTS, "economy.confirm=1"],
    "mcts, scored again": [MCTS, "economy.rescore=true"],
    "mcts, raced": [MCTS, "economy.racing=0.1"],
    "mcts 10x3": [MCTS, "search.max_width=10"],
    "mcts 3x10": [MCTS, "search.max_depth=10"],
    "mcts lambda_ret 0": [MCTS, "search.lambda_correctness=1",
                          "search.lambda_retrieval=0"],
    "mcts lambda_ret 0.5": [MCTS, "search.lambda_correctness=0.5",
                            "search.lambda_retrieval=0.5"],
}
COSTLIER = ("mcts, confirmed", "mcts, scored again")
MATCHED = ("iterative", "newest unselected", "roots, equal rollouts")
PAIRS = (("mcts", "iterative"), ("mcts", "greedy"), ("mcts", "roots"),
         ("mcts", "roots, equal rollouts"),
         ("mcts", "newest unselected"), ("greedy", "iterative"),
         ("iterative", "newest unselected"), ("iterative", "roots"),
         ("iterative", "roots, equal rollouts"),
         ("roots, equal rollouts", "roots"),
         ("newest unselected", "roots"),
         ("mcts, bounds and reuse", "mcts"),
         ("mcts, confirmed", "mcts"), ("mcts, scored again", "mcts"),
         ("mcts, raced", "mcts"),
         ("mcts 10x3", "mcts"), ("mcts 3x10", "mcts"),
         ("mcts", "mcts lambda_ret 0"), ("mcts lambda_ret 0.5", "mcts"))
DRAWS = 10000
# Share of refinements that are no copy and so are scored: 0.94 of those of a
# development seed. With a little less, iterative has rather more rollouts.
NEW_DRAFTS = 0.92


def run(brewery, seed, options):
    """The last answer of one run, and the hash of its documents."""
    with tempfile.TemporaryDirectory() as runs:
        words = [brewery, "run", ROOT / "config/scarce.toml", "--id", "run",
                 "--json", "--set", f"run.runs_dir={runs}",
                 "--set", f"run.seed={seed}",
                 "--set", f"environment.plant.world_seed={seed}"]
        for option in options:
            words += ["--set", option]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        answer = json.loads(done.stdout.splitlines()[-1])
        return answer, hash_of(Path(answer["documents"]))


def hash_of(folder):
    text = hashlib.md5()
    for file in sorted(folder.glob("*.md")):
        text.update(file.name.encode() + b"\0" + file.read_bytes())
    return text.hexdigest()


def searched(answer):
    """Rollouts without those of the final evaluation."""
    return answer["rollouts"] - sum(
        arm["tasks"] * len(arm["pass_k"]) for arm in answer["arms"])


class sweep:
    def __init__(self, words):
        self.words = words
        self.file = Path(words.out)
        self.known = {}
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                item = json.loads(line)
                self.known[item["seed"], item["arm"]] = item

    def options(self, arm):
        return [f"search.iterations={self.words.iterations}", *PLAIN,
                *self.words.set, *ARMS[arm]]

    def trials(self, seed):
        """First attempts at each train task, so that roots cost what mcts
        does."""
        mcts, roots = (self.known[seed, a] for a in ("mcts", "roots"))
        first = self.words.initial_trials
        each = self.words.train_tasks
        return first + round((mcts["rollouts"] - roots["rollouts"]) / each)

    def iterations(self, seed, arm):
        """Of the given arm, so that its rollouts are nearest to mcts's."""
        if arm in COSTLIER:
            return round(self.words.iterations * 5 / 6)
        if arm not in ("iterative", "newest unselected"):
            return self.words.iterations
        other = self.known.get((seed, "iterative"))
        if other:
            return other["iterations"]
        target = self.known[seed, "mcts"]["rollouts"]
        first = self.known[seed, "roots"]["rollouts"]
        each = self.words.train_tasks + NEW_DRAFTS * self.words.scored
        return round((target - first) / each)

    def measure(self, seed, arm):
        options, began = self.options(arm), time.monotonic()
        iterations = self.iterations(seed, arm)
        if arm == "roots, equal rollouts":
            options.append(f"search.initial_trials={self.trials(seed)}")
        if arm.startswith("roots"):
            iterations = 0
        else:
            options.append(f"search.iterations={iterations}")
        answer, documents = run(self.words.brewery, seed, options)
        scores = {one["name"]: one["success"] for one in answer["arms"]}
        item = {"seed": seed, "arm": arm, "iterations": iterations,
                "rollouts": searched(answer), "no_kb": scores.pop("no KB"),
                "success": scores.popitem()[1],
                "reused": answer.get("reuse", {}).get("reused", 0),
                "documents": documents,
                "seconds": time.monotonic() - began}
        self.known[seed, arm] = item
        with self.file.open("a") as out:
            out.write(json.dumps(item) + "\n")
        return item

    def go(self):
        todo = [(seed, arm) for seed in self.words.seeds
                for arm in self.words.arms if (seed, arm) not in self.known]
        spent, done = 0, 0
        for seed, arm in todo:
            if arm in MATCHED and not (
                    {(seed, "mcts"), (seed, "roots")} <= self.known.keys()):
                sys.exit(f"{arm} needs the arms mcts and roots of seed {seed}")
            item = self.measure(seed, arm)
            spent, done = spent + item["seconds"], done + 1
            left = spent / done * (len(todo) - done) / 60
            print(f"{seed} {arm:20} {item['success']:6.1%} "
                  f"{item['rollouts']:6} rollouts {item['seconds']:5.0f} s; "
                  f"{done} of {len(todo)}, about {left:.0f} min left",
                  file=sys.stderr, flush=True)

    def table(self):
        def of(arm):
            return {seed: one for (seed, name), one in self.known.items()
                    if name == arm and seed in self.words.seeds}
        print("| arm | seeds | sealed score % (sd) | rollouts | iterations |")
        print("|---|---|---|---|---|")
        for arm in ARMS:
            found = list(of(arm).values())
            if not found:
                continue
            scores = [100 * one["success"] for one in found]
            mean = sum(scores) / len(scores)
            sd = (sum((s - mean) ** 2 for s in scores)
                  / max(len(scores) - 1, 1)) ** 0.5
            counts = [[one[name] for one in found]
                      for name in ("rollouts", "iterations")]
            rollouts, rounds = (sum(c) / len(c) for c in counts)
            print(f"| {arm} | {len(found)} | {mean:.1f} ({sd:.1f}) | "
                  f"{rollouts:.0f} | {rounds:.1f} |")
        saving, plain = of("mcts, bounds and reuse"), of("mcts")
        if both := saving.keys() & plain.keys():
            same = sum(saving[seed].get("documents")
                       == plain[seed].get("documents") for seed in both)
            print(f"\nbounds and reuse: the documents of mcts on {same} of "
                  f"{len(both)} seeds")
        print("\n| paired difference | seeds | points | 95 % interval |")
        print("|---|---|---|---|")
        for better, other in PAIRS:
            a, b = of(better), of(other)
            gaps = [100 * (a[s]["success"] - b[s]["success"])
                    for s in sorted(a.keys() & b.keys())]
            if len(gaps) < 2:
                continue
            low, high = interval(gaps)
            print(f"| {better} - {other} | {len(gaps)} | "
                  f"{sum(gaps) / len(gaps):+.1f} | [{low:+.1f}, {high:+.1f}] |")


def interval(gaps):
    """Bootstrap over seeds: each is a problem of its own with its own test, so
    tasks of a seed are not independent."""
    draw = random.Random(1)
    means = sorted(sum(draw.choices(gaps, k=len(gaps))) / len(gaps)
                   for _ in range(DRAWS))
    return means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]


def seeds(text):
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def arms(text):
    chosen = text.split(";")
    for arm in chosen:
        if arm not in ARMS:
            raise argparse.ArgumentTypeError(f"no arm {arm!r}: {list(ARMS)}")
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery")
    parser.add_argument("--seeds", type=seeds, default=seeds("201-210"))
    parser.add_argument("--arms", type=arms, default=list(ARMS))
    parser.add_argument("--iterations", type=int, default=6)
    # Of config/scarce.toml, to count what a trial of each train task costs.
    parser.add_argument("--initial-trials", type=int, default=30)
    parser.add_argument("--train-tasks", type=int, default=120)
    # 64 concepts, 16 tasks each. Those of roots are fewer, as concepts share
    # tasks and all see the same documents.
    parser.add_argument("--scored", type=int, default=1024)
    parser.add_argument("--out", default="search_value.jsonl")
    parser.add_argument("--set", nargs="*", default=[])
    parser.add_argument("--table", action="store_true")
    work = sweep(parser.parse_args())
    if not work.words.table:
        work.go()
    work.table()


if __name__ == "__main__":
    main()
