/// What racing saves beside bounds, studied on simulated candidates of one
/// expansion: skills, tasks and luck are drawn, the decisions are those of
/// search/racing.hpp and search/bounds.hpp. With bounds alone the hardest tasks
/// go first, with a race they come in a random order. The same on every
/// machine.
///
///   build/release/bench/racing_study_bench [ROUNDS [SPREAD]]
///
/// SPREAD is how much the candidates' skills differ, in logits (0.5). Prints
/// the share of rollouts that are played, and in how many rounds another
/// candidate was chosen than full scores choose.

#include "base/rng.hpp"
#include "search/bounds.hpp"
#include "search/racing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

using namespace brewery;

namespace {

constexpr std::size_t wave = 6;

struct problem {
  std::size_t candidates, tasks;
  double spread;
};

double normal(rng& draw) {
  const double u = std::max(draw.uniform(), 1e-12);
  return std::sqrt(-2 * std::log(u))
         * std::cos(2 * std::numbers::pi * draw.uniform());
}

/// By candidate, what it gets in each task, hardest first.
using grades = std::vector<std::vector<double>>;

/// The luck of a task is shared by all candidates in seven of ten cases: they
/// have the same seeds.
grades drawn(const problem& on, rng& draw) {
  std::vector<double> ease(on.tasks);
  for (auto& one : ease)
    one = 1.5 * normal(draw);
  std::ranges::sort(ease);
  std::vector<double> shared(on.tasks);
  for (auto& one : shared)
    one = draw.uniform();
  grades out;
  for (std::size_t i = 0; i < on.candidates; ++i) {
    const double skill = 0.4 + on.spread * normal(draw);
    auto& own = out.emplace_back();
    for (std::size_t t = 0; t < on.tasks; ++t) {
      const double chance = 1 / (1 + std::exp(-ease[t] - skill));
      const double luck = draw.uniform() < 0.3 ? draw.uniform() : shared[t];
      own.push_back(luck < chance ? 1 : 0);
    }
  }
  return out;
}

double sum_of(const std::vector<double>& all, std::size_t played) {
  return std::accumulate(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(played), 0.0);
}

std::size_t best_of(const grades& all) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (sum_of(all[i], all[i].size()) > sum_of(all[best], all[best].size()))
      best = i;
  return best;
}

struct played {
  std::size_t rollouts = 0;
  std::size_t chosen = 0;
};

/// Of those that cannot be the best any more. `at`: how far all have come.
std::vector<node_id> bounded(const grades& all, const std::vector<node_id>& who,
                             std::size_t at) {
  std::vector<contender> running;
  const auto tasks = static_cast<double>(all.front().size());
  for (const auto id : who) {
    const double has = sum_of(all[id.value], at);
    const double left = tasks - static_cast<double>(at);
    running.push_back({id, {has / tasks, (has + left) / tasks}});
  }
  return beaten(running, tree{{"root"}, {}});
}

std::vector<node_id> raced(const grades& all, const std::vector<node_id>& who,
                           std::size_t at, double error) {
  std::vector<racer> running;
  for (const auto id : who) {
    const auto& own = all[id.value];
    running.push_back(
        {id, {own.begin(), own.begin() + static_cast<std::ptrdiff_t>(at)}});
  }
  return outrun(running, all.front().size(), all.size(), error);
}

/// Error 0: bounds alone.
played play(grades all, double error, rng& draw) {
  const auto tasks = all.front().size();
  if (error > 0) {
    std::vector<std::size_t> order(tasks);
    std::iota(order.begin(), order.end(), std::size_t{0});
    draw.shuffle(order);
    for (auto& own : all) {
      std::vector<double> mixed;
      for (const auto task : order)
        mixed.push_back(own[task]);
      own = std::move(mixed);
    }
  }
  std::vector<node_id> who;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    who.push_back({i});
  played out;
  for (std::size_t at = 0; at < tasks;) {
    const auto next = std::min(tasks, at + wave);
    out.rollouts += who.size() * (next - at);
    at = next;
    auto gone = bounded(all, who, at);
    if (error > 0)
      for (const auto id : raced(all, who, at, error))
        gone.push_back(id);
    if (at < tasks)
      std::erase_if(who, [&](node_id id) {
        return std::ranges::find(gone, id) != gone.end();
      });
  }
  out.chosen = std::ranges::max_element(who, {}, [&](node_id id) {
                 return sum_of(all[id.value], tasks);
               })->value;
  return out;
}

void study(const problem& on, std::size_t rounds) {
  constexpr std::array errors{0.0, 0.05, 0.2};
  std::array<std::size_t, errors.size()> rollouts{}, other{};
  for (std::size_t round = 0; round < rounds; ++round) {
    rng draw{rng_key(1, "race", on.candidates, on.tasks, round)};
    const auto all = drawn(on, draw);
    const auto best = best_of(all);
    for (std::size_t e = 0; e < errors.size(); ++e) {
      const auto made = play(all, errors[e], draw);
      rollouts[e] += made.rollouts;
      other[e] += made.chosen != best ? 1 : 0;
    }
  }
  const auto every =
      static_cast<double>(rounds * on.candidates * on.tasks) / 100;
  fmt::print("| {} | {} |", on.candidates, on.tasks);
  for (std::size_t e = 0; e < errors.size(); ++e)
    fmt::print(" {:.1f} % | {} |", static_cast<double>(rollouts[e]) / every,
               other[e]);
  fmt::print("\n");
}

} // namespace

int main(int count, char** words) {
  const auto rounds =
      count > 1 ? std::strtoull(words[1], nullptr, 10) : 1000ULL;
  const double spread = count > 2 ? std::strtod(words[2], nullptr) : 0.5;
  if (rounds == 0 || count > 3) {
    fmt::print(stderr, "usage: racing_study_bench [ROUNDS [SPREAD]]\n");
    return 2;
  }
  fmt::print(
      "{} rounds each, skills differ by {} logits\n\n"
      "| candidates | tasks | played with bounds | other chosen | with a "
      "race, error 0.05 | other chosen | error 0.2 | other chosen |\n"
      "|---|---|---|---|---|---|---|---|\n",
      rounds, spread);
  for (const auto& [candidates, tasks] :
       {std::pair{3, 20}, {10, 20}, {10, 40}, {10, 80}, {10, 200}})
    study({static_cast<std::size_t>(candidates),
           static_cast<std::size_t>(tasks), spread},
          rounds);
}
