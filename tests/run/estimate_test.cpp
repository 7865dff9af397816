#include "run/setup/estimate.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("rollouts that are certain are counted exactly") {
  config options;
  options.search.iterations = 0;
  options.search.initial_trials = 2;
  options.eval.test_trials = 4;
  const auto jobs = count_jobs(options, {10, 5, 20}, {3, 3});
  CHECK(jobs.learning.low == 20);
  CHECK(jobs.learning.high == 20);
  // No KB and the learned one.
  CHECK(jobs.testing.low == 160);
  CHECK(jobs.testing.high == 160);
  CHECK(jobs.integrations.high == 3); // the roots
}

TEST_CASE("more of anything is never less work") {
  config small;
  const task_counts tasks{20, 10, 10};
  const auto base = count_jobs(small, tasks, {3, 6});
  const auto grown = [&](auto change) {
    config more = small;
    change(more);
    const auto jobs = count_jobs(more, tasks, {3, 6});
    CHECK(jobs.rollouts().low >= base.rollouts().low);
    CHECK(jobs.rollouts().high > base.rollouts().high);
    CHECK(jobs.rollouts().low <= jobs.rollouts().high);
  };
  grown([](config& c) { ++c.search.iterations; });
  grown([](config& c) { ++c.search.tree.candidates; });
  grown([](config& c) { ++c.search.initial_trials; });
  grown([](config& c) { ++c.eval.test_trials; });
  grown([](config& c) { c.search.strategies.push_back("greedy"); });
}

TEST_CASE("strategies that find the same documents cost what one costs") {
  config one;
  one.search.strategies = {"mcts"};
  auto three = one;
  three.search.strategies = {"mcts", "greedy", "iterative"};
  const task_counts tasks{20, 10, 10};
  const auto least = count_jobs(one, tasks, {6, 6});
  const auto most = count_jobs(three, tasks, {6, 6});
  CHECK(most.rollouts().low == least.rollouts().low);
  CHECK(most.integrations.low == least.integrations.low);
  // The first documents and the first rollouts are those of all strategies.
  const double roots = 6;
  CHECK(most.integrations.high - roots
        == 3 * (least.integrations.high - roots));
  const double first = 20.0 * one.search.initial_trials;
  CHECK(most.learning.high - first == 3 * (least.learning.high - first));
  one.search.strategies.clear();
  CHECK(count_jobs(one, tasks, {6, 6}).integrations.high == 0);
}

TEST_CASE("the rollouts of a finished run are those that it played") {
  auto jobs = count_jobs({}, {10, 5, 10}, {2, 4});
  jobs.played = 77;
  CHECK(jobs.rollouts().low == 77);
  CHECK(jobs_of("agent", jobs).high == 77);
}

TEST_CASE("only roles on a model cost something, at their model's price") {
  config options;
  const auto jobs = count_jobs(options, {10, 5, 10}, {2, 4});
  CHECK(estimate_roles(options, jobs, assumed_use(), {}).empty());
  options.judge.kind = "llm";
  const std::map<std::string, role_use> use{
      {"judge", {{1, 1}, 1'000, 200, 100, 2}}};
  const auto made = estimate_roles(
      options, jobs, use,
      {{"judge", {per_token(1), per_token(0.5), per_token(10)}}});
  REQUIRE(made.size() == 1);
  CHECK(made[0].role == "judge");
  CHECK(made[0].calls.low == jobs.learning.low);
  CHECK(made[0].tokens.high == Approx(jobs.learning.high * 1'100));
  const double each = (800 * 1 + 200 * 0.5 + 100 * 10) / 1e6;
  CHECK(made[0].cost_usd.low == Approx(jobs.learning.low * each));
  CHECK(made[0].seconds.high == Approx(jobs.learning.high * 2));
}
