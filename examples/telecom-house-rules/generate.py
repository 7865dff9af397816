#!/usr/bin/env python3
"""Writes tasks.json: cases of one to four situations, in sealed splits.

  python3 examples/telecom-house-rules/generate.py [--seed 1] [--out FILE]

Train has every situation alone (those with a rule twice, at different
customers), then combinations; eval and test have combinations only. No
combination of situations, and none of two or more rules, is in two splits. A
case is kept only if exactly the rules of its situations bear on it, the
oracle's cures solve it in any order, and the written policy solves it if and
only if no rule bears on it.
"""

import argparse
import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any, Dict, FrozenSet, List, Optional, Set

from accounts import ACCOUNTS
from case import Case
from house_rules import rules_of
from oracle import oracle_calls, play, policy_calls
from situations import SITUATIONS, Situation

# Combinations of a split: how many situations each, and how many of those cases
# the written policy covers.
COMBINED = {"train": [2] * 14 + [3] * 6, "eval": [2] * 24 + [3] * 16,
            "test": [2] * 30 + [3] * 18 + [4] * 12}
PLAIN_SHARE = 0.15
ATTEMPTS = 4000

Task = Dict[str, Any]


class Draw:
    """Random choices that are the same in every version of Python."""

    def __init__(self, key: str) -> None:
        self._random = random.Random(key)

    def below(self, limit: int) -> int:
        return int(self._random.random() * limit)

    def one(self, some: List[Any]) -> Any:
        return some[self.below(len(some))]

    def shuffled(self, some: List[Any]) -> List[Any]:
        left, out = list(some), []
        while left:
            out.append(left.pop(self.below(len(left))))
        return out


def combine(draw: Draw, wanted: int, pool: List[Situation],
            first: Optional[Situation] = None) -> List[Situation]:
    """Situations that can occur together, or fewer than wanted."""
    chosen = [first] if first else []
    for row in draw.shuffled(pool):
        if len(chosen) == wanted:
            break
        if all(not row.touches & other.touches
               and row.complaints & other.complaints
               and set(row.places) & set(other.places)
               and set(row.plans) & set(other.plans) for other in chosen):
            chosen.append(row)
    return sorted(chosen, key=SITUATIONS.index)


def place_case(draw: Draw, rows: List[Situation]) -> Optional[Task]:
    """An account, a place and a complaint that suit all situations."""
    complaints = sorted(frozenset.intersection(*(r.complaints for r in rows)))
    places = [place for place in rows[0].places
              if all(place in row.places for row in rows)]
    accounts = [account.number for account in ACCOUNTS
                if all(account.plan_id in row.plans
                       and row.phone in ("", account.model) for row in rows)]
    amounts = [gb for gb in (2.0, 4.0)
               if all(gb in row.top_ups_gb for row in rows
                      if "usage" in row.touches)
               and (gb < 4 or any(gb in row.top_ups_gb for row in rows))]
    if not complaints or not places or not accounts or not amounts:
        return None
    # Half of the cases that may be at home are.
    at_home = "" in places and draw.below(2) == 0
    return {"account": draw.one(accounts), "complaint": draw.one(complaints),
            "place": "" if at_home else draw.one(places),
            "top_up_gb": draw.one(amounts),
            "situations": [row.name for row in rows],
            "rules": sorted({row.rule for row in rows} - {""})}


def sound(task: Task) -> bool:
    if sorted(rules_of(Case(task).began)) != task["rules"]:
        return False
    for order in permutations(task["situations"]):
        case = Case(task)
        if play(case, oracle_calls(case, order)) != 1:
            return False
    return play(Case(task), policy_calls(task)) == (0 if task["rules"] else 1)


class Dealer:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._customers: Set[str] = set()  # of combinations
        # Combinations -> the split that has them.
        self._situations: Dict[FrozenSet[str], str] = {}
        self._rules: Dict[FrozenSet[str], str] = {}

    def deal(self, split: str) -> List[Task]:
        tasks: List[Task] = []
        if split == "train":
            tasks = [self._new(split, f"single/{row.name}/{again}", 1, [], row)
                     for row in SITUATIONS
                     for again in range(2 if row.rule else 1)]
        sizes = COMBINED[split]
        plain = [row for row in SITUATIONS if not row.rule]
        ruled = [row for row in SITUATIONS if row.rule]
        for slot, size in enumerate(sizes):
            if slot % round(1 / PLAIN_SHARE) == 0:
                tasks.append(self._new(split, f"plain/{slot}", min(size, 3),
                                       plain, plain[slot % len(plain)]))
            else:
                # Few situations of a dead phone can occur together.
                rich = [row for row in ruled
                        if size < 3 or row.complaints != {"no_service"}]
                tasks.append(self._new(split, f"ruled/{slot}", size,
                                       SITUATIONS, rich[slot % len(rich)]))
        return Draw(f"{self._seed}/order/{split}").shuffled(tasks)

    def _new(self, split: str, key: str, size: int, pool: List[Situation],
             first: Situation) -> Task:
        for attempt in range(ATTEMPTS):
            draw = Draw(f"{self._seed}/{split}/{key}/{attempt}")
            rows = combine(draw, size, pool, first)
            if len(rows) != size:
                continue
            task = place_case(draw, rows)
            if task is None or not self._free(split, task) or not sound(task):
                continue
            self._situations[frozenset(task["situations"])] = split
            self._rules[frozenset(task["rules"])] = split
            self._customers.add(self._customer(task))
            return task
        raise SystemExit(f"generate: no sound case for {split} {key} in "
                         f"{ATTEMPTS} attempts; change situations.py")

    def _free(self, split: str, task: Task) -> bool:
        if self._customer(task) in self._customers:
            return False
        rules = frozenset(task["rules"])
        sealed = [(self._situations, frozenset(task["situations"]))]
        if len(rules) > 1:
            sealed.append((self._rules, rules))
        return all(known.get(those, split) == split for known, those in sealed)

    @staticmethod
    def _customer(task: Task) -> str:
        return f"{task['account']} {task['place']} {task['situations']}"


def generate(seed: int) -> List[Task]:
    dealer = Dealer(seed)
    out: List[Task] = []
    for split in ("train", "eval", "test"):
        for task in dealer.deal(split):
            out.append({"id": f"case-{len(out) + 1:03}", "split": split,
                        **task})
    return out


def text_of(tasks: List[Task]) -> str:
    return "[\n" + ",\n".join(json.dumps(task) for task in tasks) + "\n]\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes tasks.json.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path,
                        default=Path(__file__).with_name("tasks.json"))
    arguments = parser.parse_args()
    arguments.out.write_text(text_of(generate(arguments.seed)))


if __name__ == "__main__":
    main()
