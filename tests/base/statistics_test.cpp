#include "base/rng.hpp"
#include "base/statistics.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("means of nothing are 0") {
  CHECK(mean({}) == 0);
  CHECK(mean_reward({}) == 0);
  CHECK(mean_reward({{}, {}}) == 0);
}

TEST_CASE("the mean reward weighs tasks alike, however many trials") {
  CHECK(mean_reward({{1, 1, 1, 1}, {0}}) == 0.5);
  CHECK(mean_reward({{1, 0}, {}, {0.5}}) == 0.5);
}

TEST_CASE("the bootstrap is seeded and ordered") {
  const task_rewards rewards{{1, 0}, {1}, {0}, {0.5}, {1}, {0}};
  const auto a = bootstrap_mean(rewards, 7);
  const auto b = bootstrap_mean(rewards, 7);
  CHECK(a.low == b.low);
  CHECK(a.high == b.high);
  CHECK(bootstrap_mean(rewards, 8).low <= a.value);
  CHECK(a.value == Approx(0.5));
  CHECK(a.low < a.value);
  CHECK(a.value < a.high);
}

TEST_CASE("the bootstrap of equal tasks has no width") {
  const auto same = bootstrap_mean({{0.5}, {0.5}, {0, 1}}, 1);
  CHECK(same.low == Approx(0.5));
  CHECK(same.high == Approx(0.5));
  const auto nothing = bootstrap_mean({}, 1);
  CHECK(nothing.value == 0);
  CHECK(nothing.high == 0);
}

TEST_CASE("the bootstrap interval covers the truth about 95 times in 100") {
  // 60 tasks of success chance 0.3, 300 experiments.
  int covered = 0;
  for (std::uint64_t experiment = 0; experiment < 300; ++experiment) {
    rng draw{rng_key(experiment, "coverage")};
    task_rewards rewards;
    for (int i = 0; i < 60; ++i)
      rewards.push_back({draw.uniform() < 0.3 ? 1.0 : 0.0});
    const auto interval = bootstrap_mean(rewards, experiment, 500);
    covered += interval.low <= 0.3 && 0.3 <= interval.high ? 1 : 0;
  }
  CHECK(covered >= 270);
  CHECK(covered <= 297);
}

TEST_CASE("pairing tells arms apart that differ little but always") {
  task_rewards arm;
  task_rewards baseline;
  rng draw{rng_key(3, "paired")};
  for (int i = 0; i < 40; ++i) {
    const double hard = draw.uniform();
    baseline.push_back({hard * 0.9});
    arm.push_back({hard * 0.9 + 0.05 + 0.02 * draw.uniform()});
  }
  const auto difference = bootstrap_difference(arm, baseline, 1);
  REQUIRE(difference);
  CHECK(difference->low > 0.05);
  CHECK(difference->high < 0.07);
  // The arms' own intervals overlap: only the pairing shows it.
  CHECK(bootstrap_mean(arm, 1).low < bootstrap_mean(baseline, 1).high);
  const auto none = bootstrap_difference(arm, arm, 1);
  CHECK(none->low == 0);
  CHECK(none->high == 0);
}

TEST_CASE("arms over other tasks are refused") {
  const auto lengths = bootstrap_difference({{1}}, {{1}, {0}}, 1);
  REQUIRE_FALSE(lengths);
  CHECK(lengths.error().message.find("1 tasks in one arm, 2") //
        != std::string::npos);
  const auto trials = bootstrap_difference({{1}, {}}, {{1}, {0}}, 1);
  REQUIRE_FALSE(trials);
  CHECK(trials.error().message.find("task 1") != std::string::npos);
  CHECK(bootstrap_difference({{1}, {}}, {{0}, {}}, 1)->value == 1);
}

TEST_CASE("pass^k is the chance that k attempts all succeed") {
  // s = 3 of n = 4: C(3,2)/C(4,2) = 3/6; s = 1 of 4: 0; mean 0.25.
  const task_rewards rewards{{1, 1, 0, 1}, {0, 0, 1, 0}};
  CHECK(*pass_hat_k(rewards, 1) == Approx(0.5));
  CHECK(*pass_hat_k(rewards, 2) == Approx(0.25));
  CHECK(*pass_hat_k(rewards, 3) == Approx(0.125)); // 1/4 and 0
  CHECK(*pass_hat_k(rewards, 4) == 0);
  CHECK(*pass_hat_k({{1, 1}, {1, 1}}, 2) == 1);
}

TEST_CASE("partial rewards are no success") {
  CHECK(*pass_hat_k({{0.99, 0.5}}, 1) == 0);
  CHECK(*pass_hat_k({{1.0 - 1e-9, 0.5}}, 1) == Approx(0.5));
}

TEST_CASE("pass^k needs k trials") {
  CHECK_FALSE(pass_hat_k({{1}}, 0));
  const auto few = pass_hat_k({{1, 1}, {1}}, 2);
  REQUIRE_FALSE(few);
  CHECK(few.error().message == "pass^2: task 1 has only 1 trials");
}

TEST_CASE("pass^k goes as far as every task has trials") {
  const task_rewards rewards{{1, 1, 0}, {1, 1}, {}, {0, 1, 1, 1}};
  const auto each = pass_hat_each(rewards);
  REQUIRE(each.size() == 2); // the second task has two; the third none
  CHECK(each[0] == Approx((2.0 / 3 + 1 + 0.75) / 3));
  CHECK(each[1] == Approx((1.0 / 3 + 1 + 0.5) / 3));
  CHECK(pass_hat_each({}).empty());
  CHECK(pass_hat_each({{}, {}}).empty());
}
