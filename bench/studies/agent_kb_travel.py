#!/usr/bin/env python3
"""What becomes of a memory of Agent KB that travels, on sealed tasks: beside ten
times as many experiences of another domain, with those alone, and with an agent
that does not explore.

  agent_kb_travel.py PATH_OF_BREWERY CONFIG DIRECTORY [--seeds 1-5]
                     [--set OPTION=VALUE]...

DIRECTORY is that of agent_kb_bars.py, whose runs have learned the memories.
Foreign experiences are learned on the toy and on the lock of
envs/python/examples, and copied under other names of their tools and parts,
until there are ten times as many as the memory has, half of them of each. Runs learn
nothing (agent_kb.learn = false); one that is there is resumed. Differences are
paired by task and pooled over seeds, with 95 % intervals.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from agent_kb_bars import FULL, arms_of, by_task, interval, seeds_of  # noqa: E402

TIMES = 10
CALL = re.compile(r"(?<=`)(\w+)(?=\()")
LINE = re.compile(r'(?<=")(\w[\w ]*)(?=: )')


def brewery(program, *words):
    subprocess.run([program, *map(str, words)], check=True,
                   stdout=subprocess.DEVNULL)


def run_of(chosen, name, seed, options, config=None):
    run = chosen.directory / "runs" / name
    if run.exists():
        brewery(chosen.program, "resume", run, "--quiet")
    else:
        words = []
        for option in (f"run.runs_dir={run.parent}", f"run.seed={seed}",
                       "search.learner=agent_kb", "agent_kb.compare=[]",
                       *chosen.set, *options):
            words += ["--set", option]
        brewery(chosen.program, "run", config or chosen.config, "--id", name,
                "--quiet", *words)
    return run


def exported(chosen, run):
    """The texts of its experiences, as Markdown."""
    where = chosen.directory / "memories" / run.name
    if not where.exists():
        where.parent.mkdir(exist_ok=True)
        brewery(chosen.program, "kb", "export", run, "--experiences", where)
    return [file.read_text() for file in sorted(where.glob("*.md"))]


def renamed(text, copy):
    """The same experience of a toy whose tools and parts have other names."""
    text = CALL.sub(rf"\1_{copy}", LINE.sub(rf"\1 no. {copy}", text))
    return re.sub(r"(?m)^- tools: (.*)$", lambda tools: "- tools: " + ", ".join(
        f"{tool}_{copy}" for tool in tools[1].split(", ")), text)


def foreign(domains, count):
    """As many of each domain, one after the other."""
    each = [[renamed(text, copy)
             for copy in range(1, 2 + count // len(domains) // len(texts))
             for text in texts] for texts in domains]
    return [text for row in zip(*each) for text in row][:count]


def folder(chosen, name, texts):
    where = chosen.directory / "memories" / name
    where.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        (where / f"{number:04}.md").write_text(text)
    return where


def played(chosen, name, seed, memory, *options):
    return arms_of(run_of(chosen, name, seed, [
        "agent_kb.learn=false", f"agent_kb.start_from={memory}", *options]))


def score(arms, name):
    values = by_task(arms[name]).values()
    return 100 * sum(values) / len(values)


def print_difference(what, pairs):
    rows = [{task: one[task] - other[task] for task in one if task in other}
            for one, other in pairs]
    centre, low, high, _ = interval(rows, -1, 1)
    print(f"{what}: {100 * centre:+.1f} [{100 * low:.1f}, {100 * high:.1f}]")
    return centre


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--set", action="append", default=[])
    chosen = parser.parse_args()
    chosen.directory = chosen.directory.absolute()
    lock = Path(chosen.config).resolve().parent / "external-example.toml"
    domains = [exported(chosen, run_of(chosen, "toy", 1,
                                       ["environment.kind=toy"])),
               exported(chosen, run_of(chosen, "lock", 1, [], lock))]
    kinds = ("moved", "mixed", "foreign", "still")
    all_arms = {kind: [] for kind in kinds}
    for seed in seeds_of(chosen.seeds):
        learned = chosen.directory / "runs" / f"seed-{seed}"
        own = exported(chosen, learned)
        others = foreign(domains, TIMES * len(own))
        plain = folder(chosen, f"own-{seed}", own)
        mixed = folder(chosen, f"mixed-{seed}", others + own)
        alone = folder(chosen, f"foreign-{seed}", others)
        for kind, memory, options in (
                ("moved", plain, ()), ("mixed", mixed, ()),
                ("foreign", alone, ()),
                ("still", plain, ("agent.explore=false",))):
            all_arms[kind].append(played(chosen, f"{kind}-{seed}", seed, memory,
                                         *options))
        print(f"seed {seed}: {len(own)} experiences, {len(others)} foreign")
    for kind in kinds:
        for arm in ("no KB", FULL):
            values = [score(arms, arm) for arms in all_arms[kind]]
            print(f"{kind:8} {arm:20} " + " ".join(f"{v:5.1f}" for v in values)
                  + f"  mean {sum(values) / len(values):5.1f}")
    tasks = {kind: [(by_task(arms[FULL]), by_task(arms["no KB"]))
                    for arms in all_arms[kind]] for kind in kinds}
    gain = print_difference("moved memory - no KB", tasks["moved"])
    print_difference("mixed - own", [(one[0], other[0]) for one, other
                                     in zip(tasks["mixed"], tasks["moved"])])
    print_difference("foreign - no KB", tasks["foreign"])
    kept = print_difference("moved, no exploring - no KB (exploring)", [
        (one[0], other[1]) for one, other
        in zip(tasks["still"], tasks["moved"])])
    if gain > 0:
        print(f"Without exploring {100 * kept / gain:.0f} % of the gain")


if __name__ == "__main__":
    main()
