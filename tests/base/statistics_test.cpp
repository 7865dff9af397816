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
  const auto a = estimate_mean(rewards, 7);
  const auto b = estimate_mean(rewards, 7);
  CHECK(a.low == b.low);
  CHECK(a.high == b.high);
  CHECK(estimate_mean(rewards, 8).low <= a.value);
  CHECK(a.value == Approx(0.5));
  CHECK(a.low < a.value);
  CHECK(a.value < a.high);
}

TEST_CASE("without tasks there is no estimate") {
  const auto nothing = estimate_mean({}, 1);
  CHECK(nothing.value == 0);
  CHECK(nothing.high == 0);
}

TEST_CASE("tasks that all agree have Wilson's interval, not none") {
  const auto none = estimate_mean(task_rewards(24, {0.0}), 1);
  CHECK(none.kind == interval_kind::wilson);
  CHECK(none.value == 0);
  CHECK(none.low == 0);
  CHECK(none.high == Approx(0.13797).margin(1e-5)); // Wilson, 0 of 24
  const auto all = estimate_mean({{1, 1}, {1, 1}, {1, 1}}, 1);
  CHECK(all.kind == interval_kind::wilson);
  CHECK(all.low == Approx(0.43850).margin(1e-5)); // Wilson, 3 of 3
  CHECK(all.high == 1);
  const auto half = estimate_mean(task_rewards(24, {0.5}), 1);
  CHECK(half.low == Approx(0.5 * (1 - 0.13797)).margin(1e-5));
  CHECK(half.high == Approx(0.5 * (1 + 0.13797)).margin(1e-5));
}

TEST_CASE("few tasks have Wilson's interval and what resampling adds to it") {
  // Of two, resampling would find the smaller and the larger one.
  const auto gains = estimate_difference({{0.67}, {1}}, {{0}, {0}}, 1);
  CHECK(gains->kind == interval_kind::wilson);
  CHECK(gains->low < 0); // no proof of anything
  CHECK(gains->high == 1);
  const auto agreed = estimate_difference({{1}, {1}}, {{0}, {0}}, 1);
  CHECK(agreed->low > gains->low); // more evidence, no weaker verdict
  const auto apart = estimate_mean({{1}, {0}, {1}}, 1);
  CHECK(apart.low == 0);
  CHECK(apart.high == 1);
  task_rewards six{{1}, {0}, {1}, {1}, {1}, {1}};
  CHECK(estimate_mean(six, 1).kind == interval_kind::bootstrap);
  six.pop_back();
  CHECK(estimate_mean(six, 1).kind == interval_kind::wilson);
}

TEST_CASE("differences that all agree have an interval too") {
  const task_rewards lost(3, {0.0}), won(3, {1.0});
  const auto all = estimate_difference(won, lost, 1);
  REQUIRE(all);
  CHECK(all->kind == interval_kind::wilson);
  CHECK(all->value == 1);
  // Three tasks alone do not show that the arm is better.
  CHECK(all->low == Approx(1 - 2 * 0.56150).margin(1e-5));
  CHECK(all->high == 1);
  const task_rewards many_lost(24, {0.0}), many_won(24, {1.0});
  CHECK(estimate_difference(many_won, many_lost, 1)->low > 0.7);
  const auto same = estimate_difference(many_won, many_won, 1);
  CHECK(same->value == 0);
  CHECK(same->low == Approx(-0.13797).margin(1e-5));
  CHECK(same->high == Approx(0.13797).margin(1e-5));
}

TEST_CASE("the bootstrap interval covers the truth about 95 times in 100") {
  // 60 tasks of success chance 0.3, 300 experiments.
  int covered = 0;
  for (std::uint64_t experiment = 0; experiment < 300; ++experiment) {
    rng draw{rng_key(experiment, "coverage")};
    task_rewards rewards;
    for (int i = 0; i < 60; ++i)
      rewards.push_back({draw.uniform() < 0.3 ? 1.0 : 0.0});
    const auto interval = estimate_mean(rewards, experiment, 500);
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
  const auto difference = estimate_difference(arm, baseline, 1);
  REQUIRE(difference);
  CHECK(difference->low > 0.05);
  CHECK(difference->high < 0.07);
  // The arms' own intervals overlap: only the pairing shows it.
  CHECK(estimate_mean(arm, 1).low < estimate_mean(baseline, 1).high);
  const auto none = estimate_difference(arm, arm, 1);
  CHECK(none->low < 0);
  CHECK(none->high > 0);
}

TEST_CASE("arms over other tasks are refused") {
  const auto lengths = estimate_difference({{1}}, {{1}, {0}}, 1);
  REQUIRE_FALSE(lengths);
  CHECK(lengths.error().message.find("1 tasks in one arm, 2") //
        != std::string::npos);
  const auto apart = estimate_difference({{1}, {}}, {{}, {0}}, 1);
  REQUIRE_FALSE(apart);
  CHECK(apart.error().message.find("no task has trials in both")
        != std::string::npos);
}

TEST_CASE("tasks with trials in one arm only do not count in a difference") {
  const auto one = estimate_difference({{1}, {}, {}}, {{0}, {1}, {}}, 1);
  REQUIRE(one);
  CHECK(one->value == 1);
  CHECK(one->tasks == 1);
}

TEST_CASE(
    "few tasks have Wilson's interval of their mean, not a narrower one") {
  // R: prop.test(1, 5, correct = FALSE) has 0.036223 to 0.624465.
  const auto fifth = estimate_mean({{1}, {0}, {0}, {0}, {0}}, 1);
  CHECK(fifth.low == 0); // of resampling
  CHECK(fifth.high == Approx(0.624465).margin(1e-6));
  CHECK(fifth.tasks == 5);
  // That all have the same grade makes it no narrower.
  const auto half = estimate_mean(task_rewards(5, {0.5}), 1);
  CHECK(half.low == Approx(0.170424).margin(1e-6)); // of 2.5 of 5
  CHECK(half.high == Approx(0.829576).margin(1e-6));
}

TEST_CASE("a difference of fewer than six tasks shows nothing") {
  for (const std::size_t tasks : {1, 5, 6, 24}) {
    const auto won = estimate_difference(task_rewards(tasks, {1.0}),
                                         task_rewards(tasks, {0.0}), 1);
    INFO(tasks);
    CHECK(is_above_zero(*won) == (tasks >= 6)); // sign test: 2 / 2^tasks
    CHECK_FALSE(is_below_zero(*won));
  }
  // Four of five are better; a sign test says p = 0.125.
  const auto most =
      estimate_difference({{1}, {1}, {1}, {1}, {0}}, task_rewards(5, {0.0}), 1);
  CHECK(most->low < 0);
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

TEST_CASE("attempts without a score bound the mean from both sides") {
  const auto some = count_unscored({{1}, {}, {0, 0.5}}, 2);
  CHECK(some.count == 3);
  CHECK(some.of == 6);
  CHECK(some.share() == Approx(0.5));
  CHECK(some.lowest == Approx((0.5 + 0 + 0.25) / 3));
  CHECK(some.highest == Approx((1 + 1 + 0.25) / 3));
  // More trials than planned hide nothing.
  const auto none = count_unscored({{1, 0, 1}}, 2);
  CHECK(none.count == 0);
  CHECK(none.lowest == none.highest);
  CHECK(count_unscored({}, 2).share() == 0);
}
