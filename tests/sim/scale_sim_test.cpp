#include "sim/scale/scale_sim.hpp"

#include <catch2/catch.hpp>

using namespace brewery::simulated;

namespace {

scale_options small_cluster() {
  scale_options out;
  out.workers = 20;
  out.slots = 5;
  out.mean_s = 1;
  out.seconds = 40;
  out.tasks = 20;
  out.result_kb = 2;
  return out;
}

double share_of(const scale_report& made, const std::string& what) {
  for (const auto& load : made.loads)
    if (load.what == what) return load.share;
  FAIL("there is no " << what);
  return 0;
}

} // namespace

TEST_CASE("what a cluster of a size sends is a function of the seed") {
  const auto one = simulate_scale(small_cluster());
  const auto two = simulate_scale(small_cluster());
  CHECK(one.full.jobs == two.full.jobs);
  CHECK(one.full.frames_in == two.full.frames_in);
  CHECK(one.full.bytes_out == two.full.bytes_out);
  CHECK(one.full.log_bytes == two.full.log_bytes);
  CHECK(one.round_s == two.round_s);
}

TEST_CASE("at full load slots end jobs at the rate of their durations") {
  auto options = small_cluster();
  const auto made = simulate_scale(options);
  CHECK(made.slots == 100);
  CHECK(made.full.per_second(made.full.jobs) == Approx(100).epsilon(0.1));
  // A result and, with the heartbeats, a grant and an acknowledgement each.
  CHECK(made.full.frames_in > made.full.jobs);
  CHECK(made.full.frames_out > 2 * made.full.jobs - 200);
  CHECK(made.full.rows == Approx(made.full.jobs).epsilon(0.05));
  CHECK(made.barrier_efficiency() > 0.8);
  CHECK(made.barrier_efficiency() <= 1);
}

TEST_CASE("prices of what is not simulated count for what they are given") {
  auto options = small_cluster();
  options.prices = {0, 0, 0, 0, 0, 1'000};
  const auto cheap = simulate_scale(options);
  CHECK(share_of(cheap, "search")
        == Approx(cheap.full.per_second(cheap.full.jobs) * 0.001));
  options.prices.search_us = 100'000;
  const auto dear = simulate_scale(options);
  CHECK(dear.loads.front().what == "search");
  CHECK(dear.slots_carried < cheap.slots_carried);
}

TEST_CASE("a simulation of a size stops when it is told to") {
  CHECK(simulate_scale(small_cluster(), [] { return true; }).stopped);
}
