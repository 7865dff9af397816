// The bound that width_bench holds schedules against.

#include "base/rng.hpp"
#include "bench/virtual/least_time.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace brewery;

namespace {

/// When the last tail ends if the jobs are begun in this order, each as soon as
/// its head has passed and a slot is free.
double ends_at(const std::vector<placed_job>& jobs,
               const std::vector<std::size_t>& order, std::size_t slots) {
  std::vector<double> free_at(slots, 0.0);
  double end = 0;
  for (const auto i : order) {
    auto& slot = *std::min_element(free_at.begin(), free_at.end());
    slot = std::max(slot, jobs[i].head) + jobs[i].takes;
    end = std::max(end, slot + jobs[i].tail);
  }
  return end;
}

/// Of all orders.
double best_of(const std::vector<placed_job>& jobs, std::size_t slots) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  auto best = ends_at(jobs, order, slots);
  while (std::next_permutation(order.begin(), order.end()))
    best = std::min(best, ends_at(jobs, order, slots));
  return best;
}

} // namespace

TEST_CASE("no order of jobs takes less than the least time") {
  const auto seed = GENERATE(range(0, 300));
  CAPTURE(seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "least time")};
  const auto number = [&](std::uint64_t below) {
    return static_cast<double>(draw.below(below));
  };
  std::vector<placed_job> jobs(1 + draw.below(6));
  for (auto& job : jobs)
    job = {number(8), 1 + number(9), number(8)};
  const auto slots = 1 + draw.below(3);
  CHECK(least_time(jobs, static_cast<double>(slots))
        <= best_of(jobs, slots) + 1e-9);
}

TEST_CASE("the least time is met where one bound is all there is") {
  struct known {
    const char* what;
    std::vector<placed_job> jobs;
    double slots, seconds;
  };
  for (const auto& one : {
           known{"no job", {}, 4, 0},
           known{"a chain", {{2, 3, 4}, {0, 1, 0}}, 4, 9},
           known{"work", {{0, 3, 0}, {0, 3, 0}, {0, 3, 0}, {0, 3, 0}}, 2, 6},
           known{"nothing at first", {{5, 3, 0}, {5, 3, 0}, {5, 3, 0}}, 1, 14},
           known{"nothing at last", {{0, 3, 5}, {0, 3, 5}, {0, 3, 5}}, 1, 14},
           known{"both", {{2, 3, 1}, {2, 3, 1}}, 1, 9},
       }) {
    INFO(one.what);
    CHECK(least_time(one.jobs, one.slots) == Approx(one.seconds));
  }
}
