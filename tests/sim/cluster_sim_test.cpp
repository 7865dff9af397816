#include "sim/cluster_sim.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace brewery::simulated;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

} // namespace

TEST_CASE("seeded clusters lose nothing and end like undisturbed ones") {
  // BREWERY_SIM_SEEDS runs more or fewer, BREWERY_SIM_FIRST begins elsewhere.
  const auto first = from_environment("BREWERY_SIM_FIRST", 0);
  const auto seeds = from_environment("BREWERY_SIM_SEEDS", 10'000);
  sim_report sum;
  for (auto seed = first; seed < first + seeds; ++seed) {
    sim_options options;
    options.seed = seed;
    const auto report = simulate_cluster(options);
    if (!report.violation.empty())
      FAIL("seed " << seed << ": " << report.violation
                   << "; replay it: brewery sim --seed " << seed << " --trace");
    sum.faults += report.faults;
    sum.adopted += report.adopted;
    sum.stale += report.stale;
    sum.backups += report.backups;
    sum.ahead += report.ahead;
    sum.late += report.late;
    sum.calls += report.calls;
    sum.grades += report.grades;
  }
  // The faults did happen, and what answers them did too.
  CHECK(sum.faults > 3 * seeds);
  CHECK(sum.adopted > 0);
  CHECK(sum.stale > 0);
  CHECK(sum.backups > 0);
  CHECK(sum.ahead > seeds / 2);
  CHECK(sum.late > seeds / 10);
  CHECK(sum.calls > seeds);
  CHECK(sum.grades > seeds);
}

TEST_CASE("a seed gives the same simulated run each time") {
  sim_options options;
  options.seed = 42;
  const auto one = simulate_cluster(options);
  const auto two = simulate_cluster(options);
  CHECK(one.events == two.events);
  CHECK(one.messages == two.messages);
  CHECK(one.simulated_seconds == two.simulated_seconds);
}
