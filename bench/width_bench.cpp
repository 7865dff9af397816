// How busy a search keeps 64 slots from the first to the last job of one gather
// barrier: the cluster's job table in virtual time, and what is assumed of an
// iteration in bench/virtual/virtual_search.hpp.
//
//   build/release/bench/width_bench [seeds]
//
// The first iterations, from which the table learns its predictions, are not
// counted. Busy is the time of all leases that delivered a result, divided by
// slots times the measured time; before: of an iteration whose candidates are
// scored once all of their tree are written, and whose jobs are not ordered by
// the stages after them. At best: no schedule of the same jobs keeps more busy
// (bench/virtual/least_time.hpp). No candidate is a duplicate, and none is
// stopped.

#include "bench/repetitions.hpp"
#include "bench/virtual/virtual_search.hpp"

#include <cstdio>

namespace {

using namespace brewery;

constexpr std::size_t slots = 64;
constexpr int iterations = 6, iterations_learned_from = 2;
constexpr double goal = 0.95;

/// Of one barrier.
struct barrier {
  double busy = 0, best = 0, seconds = 0;
};

struct figures {
  std::vector<barrier> barriers;
  std::uint64_t jobs = 0;

  [[nodiscard]] double mean(double barrier::*what) const {
    double sum = 0;
    for (const auto& one : barriers)
      sum += one.*what;
    return sum / static_cast<double>(barriers.size());
  }
  [[nodiscard]] auto reaching(double barrier::*what) const {
    return std::ranges::count_if(
        barriers, [&](const auto& one) { return one.*what >= goal; });
  }
};

void add_search(const virtual_plan& plan, std::uint64_t seed, figures& out) {
  rng draw{rng_key(seed, "width")};
  const virtual_durations durations{draw};
  virtual_cluster cluster{slots};
  const run_id run{"bench"};
  cluster.open(run);
  virtual_search search{cluster, run, "width", durations, plan, draw};
  for (int i = 0; i < iterations; ++i) {
    const auto began = cluster.seconds(), before = cluster.busy_seconds();
    const auto jobs = cluster.jobs();
    search.iterate([] {});
    cluster.play();
    if (i < iterations_learned_from) continue;
    const double took = cluster.seconds() - began;
    const double spent = cluster.busy_seconds() - before;
    out.barriers.push_back({spent / (slots * took),
                            spent / (slots * least_time(search.jobs(), slots)),
                            took});
    out.jobs += cluster.jobs() - jobs;
  }
}

figures play(const virtual_plan& plan, std::uint64_t seeds) {
  figures out;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    add_search(plan, seed, out);
  return out;
}

void report(const char* name, virtual_plan plan, std::uint64_t seeds) {
  const auto now = play(plan, seeds);
  plan.as_before = true;
  const auto before = play(plan, seeds);
  const auto least = std::ranges::min(now.barriers, {}, &barrier::busy);
  double of_best = 1;
  for (const auto& one : now.barriers)
    of_best = std::min(of_best, one.busy / one.best);
  const auto count = now.barriers.size();
  fmt::print("{:<24} {:>5}  {:.3f}   {:.3f}  {:.3f}    {:.3f} of {:.3f}  "
             "{:>3} of {:<3}  {:>3}     {:.3f}     {:>5.0f} {:>5.0f} s\n",
             name, now.jobs / count, before.mean(&barrier::busy),
             now.mean(&barrier::busy), now.mean(&barrier::best), least.busy,
             least.best, now.reaching(&barrier::busy), count,
             now.reaching(&barrier::best), of_best,
             before.mean(&barrier::seconds), now.mean(&barrier::seconds));
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::uint64_t seeds = bench::repetitions(argc, argv, 60);
  fmt::print(
      "{} trees, {} slots, {} barriers each\n"
      "                                mean busy of a barrier   the least   "
      "  at least {:.2f}   least of\n"
      "iteration of a tree       jobs  before    now  at best  and its best "
      "  reach  could   its best  before   now\n",
      virtual_trees, slots, seeds * (iterations - iterations_learned_from),
      goal);
  constexpr std::size_t waves_of = 6; // economy.wave
  report("3 candidates", {3}, seeds);
  report("the same in waves", {3, waves_of}, seeds);
  report("the same, waves together", {3, waves_of, true}, seeds);
  report("3 expansions of 3", {9}, seeds);
  report("width 10", {10}, seeds);
  report("width 10 in waves", {10, waves_of}, seeds);
  report("width 10, waves together", {10, waves_of, true}, seeds);
  report("width 10 in waves of 4", {10, 4}, seeds);
  report("3 expansions of width 10", {30}, seeds);
  report("the same in waves", {30, waves_of}, seeds);
  return 0;
}
