#!/usr/bin/env python3
"""What racing would save: a simulation of candidates that are scored side by side.

  bench/studies/racing_study.py [--rounds N] [--seed N] [--spread SD]

All candidates of an expansion play the same queries, hardest first, in waves of
four. `bounds` stops a candidate that cannot become the best any more, as
economy.bounds does. `racing` also stops one that is worse than the leader with an
error of at most --error, however often that is looked at: the wealth of a
gambler who bets on the leader's next paired difference, in the mean of five
stakes, is a martingale if the candidate is as good, so it exceeds
(candidates - 1) / error with at most that probability (Ville's inequality).

Prints the share of rollouts that are played, how often the best candidate by its
true success was dropped by racing although full scores would have chosen it, and
how often another candidate than by full scores was chosen. Everything is
simulated: skills, tasks and luck. Needs no package.
"""

import argparse
import math
import random

WAVE = 4
STAKES = (0.2, 0.4, 0.6, 0.8, 0.95)
SIZES = ((3, 20), (10, 20), (10, 40), (10, 80), (10, 200))


def drawn(rng, candidates, queries, spread):
    """For each candidate its true success and what it gets, hardest first. The
    luck of a query is shared by all candidates in seven of ten cases: they have
    the same seeds."""
    hard = sorted(rng.gauss(0, 1.5) for _ in range(queries))
    luck = [rng.random() for _ in hard]
    out = []
    for _ in range(candidates):
        skill = rng.gauss(0.4, spread)
        chance = [1 / (1 + math.exp(-one - skill)) for one in hard]
        met = [(rng.random() if rng.random() < 0.3 else shared) < share
               for share, shared in zip(chance, luck)]
        out.append((sum(chance) / queries, met))
    return out


def best_of(scores):
    return max(range(len(scores)), key=lambda one: (scores[one], -one))


class Race:
    """Candidates that are still scored, and the gamblers' wealth of each pair."""

    def __init__(self, results, error):
        self.results, self.error = results, error
        self.length = len(results[0])
        self.played = [0] * len(results)
        self.running = set(range(len(results)))

    def run(self):
        for first in range(0, self.length, WAVE):
            end = min(self.length, first + WAVE)
            for one in self.running:
                self.played[one] = end
            self.stop(end)
        return sum(self.played)

    def met(self, one):
        return sum(self.results[one][:self.played[one]])

    def stop(self, end):
        least = max(self.met(one) for one in range(len(self.played)))
        self.running = {one for one in self.running
                        if self.met(one) + self.length - end >= least}
        if not self.error:
            return
        leader = max(self.running, key=lambda one: (self.met(one), -one))
        self.running = {one for one in self.running
                        if one == leader or not self.is_worse(one, leader, end)}

    def is_worse(self, one, leader, end):
        wealth = [1.0] * len(STAKES)
        for mine, its in zip(self.results[one][:end],
                             self.results[leader][:end]):
            wealth = [have * (1 + stake * (its - mine))
                      for have, stake in zip(wealth, STAKES)]
        most = (len(self.results) - 1) / self.error
        return sum(wealth) / len(wealth) >= most

    def chosen(self):
        return best_of([sum(met) if done == self.length else -1
                        for met, done in zip(self.results, self.played)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spread", type=float, default=0.5,
                        help="how much the candidates' skills differ (logits)")
    given = parser.parse_args()
    print("| candidates | queries | error | played with bounds | with racing | "
          "best dropped | another chosen |\n|---|---|---|---|---|---|---|")
    for candidates, queries in SIZES:
        for error in (0.05, 0.2):
            rng = random.Random(f"{given.seed} {candidates} {queries}")
            played, dropped, other = [0, 0], 0, 0
            for _ in range(given.rounds):
                made = drawn(rng, candidates, queries, given.spread)
                results = [met for _, met in made]
                bounds, race = Race(results, 0), Race(results, error)
                for at, one in enumerate((bounds, race)):
                    played[at] += one.run()
                full = best_of([sum(met) for met in results])
                truly = best_of([true for true, _ in made])
                dropped += (full == truly and race.played[truly] < queries)
                other += race.chosen() != full
            shares = [100 * one / (given.rounds * candidates * queries)
                      for one in played]
            print(f"| {candidates} | {queries} | {error} | {shares[0]:.1f} % | "
                  f"{shares[1]:.1f} % | {dropped} of {given.rounds:,} | "
                  f"{other} |", flush=True)


if __name__ == "__main__":
    main()
