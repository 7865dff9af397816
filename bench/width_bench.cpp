// How busy a search keeps 64 slots from the first to the last job of one gather
// barrier: the cluster's job table in virtual time, and what is assumed of an
// iteration in bench/virtual/virtual_search.hpp.
//
//   build/release/bench/width_bench [seeds]
//
// The first iterations, from which the table learns its predictions, are not
// counted. Busy is the time of all leases that delivered a result, divided by
// slots times the measured time. No candidate is a duplicate.

#include "bench/virtual/virtual_search.hpp"

#include <cstdio>

namespace {

using namespace brewery;

constexpr std::size_t slots = 64;
constexpr int iterations = 6, iterations_learned_from = 2;

struct score {
  double busy = 0, least = 1, seconds = 0, best = 0;
  std::uint64_t barriers = 0, jobs = 0;
};

void add_search(std::size_t candidates, std::uint64_t seed, score& out) {
  rng draw{rng_key(seed, "width")};
  const virtual_durations durations{draw};
  virtual_cluster cluster{slots};
  const run_id run{"bench"};
  cluster.open(run);
  virtual_search search{cluster, run, "width", durations, candidates, draw};
  for (int i = 0; i < iterations; ++i) {
    const auto began = cluster.seconds(), before = cluster.busy_seconds();
    const auto jobs = cluster.jobs();
    search.iterate([] {});
    cluster.play();
    if (i < iterations_learned_from) continue;
    const double took = cluster.seconds() - began;
    const double spent = cluster.busy_seconds() - before;
    const double busy = spent / (slots * took);
    out.busy += busy;
    out.least = std::min(out.least, busy);
    out.seconds += took;
    out.best +=
        spent / (slots * std::max(spent / slots, search.longest_chain()));
    out.jobs += cluster.jobs() - jobs;
    ++out.barriers;
  }
}

void report(const char* name, std::size_t candidates, std::uint64_t seeds) {
  score out;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    add_search(candidates, seed, out);
  const auto n = static_cast<double>(out.barriers);
  fmt::print("{:<34} {:>6.0f}   {:.3f}   {:.3f}     {:.3f}   {:>6.0f} s\n",
             name, static_cast<double>(out.jobs) / n, out.busy / n, out.least,
             out.best / n, out.seconds / n);
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::uint64_t seeds = argc > 1 ? std::stoull(argv[1]) : 60;
  fmt::print(
      "{} trees, {} slots, {} barriers each\n"
      "iteration of a tree                  jobs    busy   least   at best   "
      "barrier\n",
      virtual_trees, slots, seeds * (iterations - iterations_learned_from));
  report("3 candidates", 3, seeds);
  report("3 expansions of 3", 9, seeds);
  report("width 10: 10 candidates", 10, seeds);
  report("3 expansions of width 10", 30, seeds);
  return 0;
}
