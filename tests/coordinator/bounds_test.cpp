/// Whole searches on the toy with and without bounds.

#include "tests/fixtures/toy_search.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

/// The documents of each gather, and the texts of the last.
struct published {
  std::vector<std::vector<doc_ref>> gathered;
  std::vector<std::string> bodies;
  std::size_t jobs = 0;
};

published search_with(bool bounds, strategy how, std::uint64_t seed,
                      std::uint64_t shuffle = 0) {
  const auto source = make_toy_benchmark({.faults_max = 2});
  auto settings = settings_for(*source, how);
  settings.seed = seed;
  settings.economy = {.bounds = bounds, .wave = 2, .confirm = 0};
  settings.asks_with_task = true;
  settings.learner.initial_trials = 10;
  settings.learner.iterations = 5;
  settings.learner.tree.weights = {0.8, 0.2};
  agent_options agent;
  agent.explore_writes = 6;
  inline_search search{source, settings, agent, {}};
  search.run(shuffle);
  REQUIRE_FALSE(search.failure());
  published out;
  for (const auto& gather : search.gathers())
    out.gathered.push_back(gather.current);
  out.bodies = trace_of(search).bodies;
  out.jobs = search.jobs_run();
  return out;
}

} // namespace

TEST_CASE("bounds change no document of a search on the toy") {
  const auto how = GENERATE(strategy::mcts, strategy::greedy);
  std::size_t before = 0, now = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO(to_string(how) << ", seed " << seed);
    const auto all = search_with(false, how, seed);
    const auto some = search_with(true, how, seed);
    CHECK(some.gathered == all.gathered);
    CHECK(some.bodies == all.bodies);
    CHECK(search_with(true, how, seed, 7).gathered == all.gathered);
    before += all.jobs;
    now += some.jobs;
  }
  INFO(to_string(how) << ": " << now << " of " << before << " jobs");
  CHECK(now < before);
}
