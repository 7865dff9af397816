"""Whether what a document says, and beside which others, matters on the simulated
plant: the sealed score of a learned knowledge base, of the same one with parts
swapped between documents, and without each document.

usage: plant_documents.py BREWERY [--seeds 201-210] [--out FILE]

For each seed, config/scarce.toml is run with mcts for six iterations, with bounds and
reuse, which change no document. Then its documents are changed and the test tasks
played again:

    swapped bodies  each document keeps title, when and why to use it, by which it is
                    found, and says below them how to perform what the next one is for
    renamed         each concept has the next one's whole text: the same set of texts,
                    so nothing may change
    without one     each document taken away by itself, which says how much it is worth
                    beside all others; below zero, it does harm to its neighbours
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from search_value import MCTS, ROOT, SAVING, interval, seeds

sys.path.insert(0, str(ROOT / "tests/cli"))
from support.log_reader import events

PROCEDURE = "\n### How to perform\n"


def brewery(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def problem(seed):
    words = []
    for option in (f"run.seed={seed}", f"environment.plant.world_seed={seed}"):
        words += ["--set", option]
    return words


def learn(program, seed, runs):
    words = []
    for option in (MCTS, "search.iterations=6", f"run.runs_dir={runs}",
                   *SAVING):
        words += ["--set", option]
    return Path(brewery(program, "run", ROOT / "config/scarce.toml", "--id",
                        "run", "--json", *problem(seed), *words)["documents"])


def parts_of(text):
    """Front matter, and what stands before and after the procedure begins."""
    _, front, body = text.split("---\n", 2)
    head, found, procedure = body.partition(PROCEDURE)
    assert found, text
    return front, head, procedure


def shown_in(run):
    """Of rollouts with documents: retrievals of each, and different documents
    that they showed; means."""
    asked, shown = [], []
    for _, _, answer in events(run, "job_result"):
        for rollout in answer.get("rollout") or []:
            found = rollout["retrievals"]
            if found:
                asked.append(len(found))
                shown.append(len({one for each in found
                                  for one in each["documents"]}))
    return sum(asked) / len(asked), sum(shown) / len(shown)


class Measure:
    def __init__(self, program, seed, folder):
        self.program, self.seed, self.folder = program, seed, folder

    def score(self, documents):
        """Of a test of every task, by documents of (front, head, procedure)."""
        for file in self.folder.glob("*.md"):
            file.unlink()
        for i, (front, head, procedure) in enumerate(documents):
            (self.folder / f"{i:02}.md").write_text(
                f"---\n{front}---\n{head}{PROCEDURE}{procedure}")
        found = brewery(self.program, "eval", self.folder, "--config",
                        ROOT / "config/scarce.toml", "--json", "--trials", 1,
                        *problem(self.seed))
        by_name = {arm["name"]: 100 * arm["success"] for arm in found["arms"]}
        self.without = by_name["no KB"]
        return by_name["with KB"]


def measure(program, seed):
    with tempfile.TemporaryDirectory() as runs:
        learned = learn(program, seed, Path(runs) / "runs")
        documents = [parts_of(file.read_text())
                     for file in sorted(learned.glob("*.md"))]
        turned = documents[1:] + documents[:1]
        folder = Path(runs) / "changed"
        folder.mkdir()
        by = Measure(program, seed, folder)
        item = {"seed": seed, "documents": len(documents),
                "learned": by.score(documents)}
        item["asked"], item["shown"] = shown_in(learned.parent)
        item["renamed"] = by.score([(one[0], *other[1:])
                                  for one, other in zip(documents, turned)])
        item["bodies"] = by.score([(*one[:2], other[2])
                                  for one, other in zip(documents, turned)])
        item["alone"] = [item["learned"] - by.score(documents[:i]
                                                    + documents[i + 1:])
                         for i in range(len(documents))]
        item["no_kb"] = by.without
        return item


def show(items):
    def line(name, values):
        low, high = interval(values) if len(values) > 1 else values * 2
        print(f"| {name} | {sum(values) / len(values):+.1f} | "
              f"[{low:+.1f}, {high:+.1f}] |")
    learned = sum(one["learned"] for one in items) / len(items)
    print(f"learned: {learned:.1f} % over {len(items)} seeds\n")
    told = [one for one in items if "shown" in one]
    if told:
        asked, shown, documents = (sum(one[key] for one in told) / len(told)
                                   for key in ("asked", "shown", "documents"))
        print(f"a rollout asks {asked:.1f} times and is shown {shown:.1f} of "
              f"{documents:.1f} documents\n")
    print("| change | points | 95 % interval |\n|---|---|---|")
    for name, key in (("bodies swapped", "bodies"),
                      ("documents renamed", "renamed"),
                      ("no documents", "no_kb")):
        line(name, [one[key] - one["learned"] for one in items])
    line("the sum of what each document is worth by itself",
         [sum(one["alone"]) for one in items])
    worth = [value for one in items for value in one["alone"]]
    print(f"\nof {len(worth)} documents, without one of them the score falls "
          f"for {sum(v > 0 for v in worth)}, stays for "
          f"{sum(v == 0 for v in worth)} and rises for "
          f"{sum(v < 0 for v in worth)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("brewery")
    parser.add_argument("--seeds", type=seeds, default=seeds("201-210"))
    parser.add_argument("--out", default="plant_documents.jsonl")
    chosen = parser.parse_args()
    file = Path(chosen.out)
    known = {}
    if file.exists():
        for text in file.read_text().splitlines():
            item = json.loads(text)
            known[item["seed"]] = item
    for seed in chosen.seeds:
        if seed in known:
            continue
        known[seed] = measure(chosen.brewery, seed)
        with file.open("a") as out:
            out.write(json.dumps(known[seed]) + "\n")
        print(f"seed {seed}: {known[seed]['learned']:.1f} %", file=sys.stderr,
              flush=True)
    show([known[seed] for seed in chosen.seeds])


if __name__ == "__main__":
    main()
