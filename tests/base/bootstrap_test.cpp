#include "base/bootstrap.hpp"
#include "base/rng.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace brewery;

namespace {

constexpr value_range shares{0, 1};

values_by_task tasks(std::vector<double> values,
                     const std::string& prefix = {}) {
  values_by_task out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.emplace(prefix + std::to_string(i), values[i]);
  return out;
}

double width(const estimate& e) {
  return e.high - e.low;
}

} // namespace

TEST_CASE("one seed has the interval of its tasks") {
  const std::vector<double> values{1, 0, 0.5, 1, 0};
  const auto alone = bootstrap_mean(values, shares, 3);
  for (const auto& seeds : {std::vector{tasks(values)},
                            std::vector{tasks({}), tasks(values), tasks({})}}) {
    const auto made = bootstrap_seeds(seeds, shares, 3);
    CHECK(made.value == alone.value);
    CHECK(made.low == alone.low);
    CHECK(made.high == alone.high);
  }
  CHECK(bootstrap_seeds({}, shares, 1).high == 0);
  CHECK(bootstrap_seeds({{}, {}}, shares, 1).high == 0);
}

TEST_CASE("seeds weigh alike, however many tasks they have") {
  const auto made = bootstrap_seeds(
      {tasks({1, 1, 1, 1}, "a"), tasks({0, 0}, "b")}, shares, 1);
  CHECK(made.value == Approx(0.5));
  CHECK(made.low == 0);
  CHECK(made.high == 1);
}

TEST_CASE("what differs between seeds alone widens the interval") {
  std::vector<values_by_task> alike, apart;
  for (int seed = 0; seed < 4; ++seed) {
    std::vector<double> same, shifted;
    for (int task = 0; task < 40; ++task) {
      same.push_back(task % 2);
      shifted.push_back(0.5 * (task % 2) + 0.5 * (seed % 2));
    }
    alike.push_back(tasks(same));
    apart.push_back(tasks(shifted));
  }
  CHECK(bootstrap_seeds(apart, shares, 1).value == Approx(0.5));
  CHECK(width(bootstrap_seeds(apart, shares, 1)) > 0.4);
  CHECK(width(bootstrap_seeds(alike, shares, 1)) < 0.4);
}

TEST_CASE(
    "seeds with the same tasks know no more of tasks than one seed does") {
  const std::vector<double> values{1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1};
  const auto alone = width(bootstrap_mean(values, shares, 1));
  const std::vector<values_by_task> crossed(10, tasks(values));
  CHECK(width(bootstrap_seeds(crossed, shares, 1))
        == Approx(alone).epsilon(0.1));
  std::vector<values_by_task> nested;
  for (int seed = 0; seed < 10; ++seed)
    nested.push_back(tasks(values, std::to_string(seed) + '/'));
  CHECK(width(bootstrap_seeds(nested, shares, 1)) < 0.5 * alone);
}

TEST_CASE("a task that one seed lacks does not narrow an interval over seeds") {
  std::vector<double> values;
  for (int task = 0; task < 24; ++task)
    values.push_back(task % 2);
  std::vector<values_by_task> seeds(5, tasks(values));
  const auto whole = bootstrap_seeds(seeds, shares, 1);
  for (const auto* lacking : {"0", "1"}) {
    auto some = seeds;
    some[2].erase(lacking);
    const auto made = bootstrap_seeds(some, shares, 1);
    CHECK(width(made) == Approx(width(whole)).epsilon(0.1));
    CHECK(made.value == Approx(0.5).margin(0.005));
  }
}

TEST_CASE("seeds with few tasks in common draw from those that they have") {
  auto one = tasks({1, 0, 1}, "a"), other = tasks({0, 1}, "b");
  other.emplace("a0", 1.0);
  const auto made = bootstrap_seeds({one, other}, shares, 1);
  CHECK(made.value == Approx(2.0 / 3));
  CHECK(made.low < made.value);
  CHECK(made.high > made.value);
  CHECK(made.high <= 1);
}

TEST_CASE("seeds that all agree have Wilson's interval over distinct tasks") {
  const auto made =
      bootstrap_seeds({tasks({1, 1, 1}), tasks({1, 1, 1})}, shares, 1);
  CHECK(made.kind == interval_kind::wilson);
  CHECK(made.low == Approx(0.43850).margin(1e-5)); // 3 of 3
  const auto other = bootstrap_seeds(
      {tasks({1, 1, 1}, "a"), tasks({1, 1, 1}, "b")}, shares, 1);
  CHECK(other.low == Approx(1 - 0.39033).margin(1e-4)); // 6 of 6
}

TEST_CASE("an interval over seeds holds the truth about as often as it says") {
  // Seeds and tasks both vary; 12 seeds, as a bootstrap of few is too narrow.
  rng draw{11};
  int held = 0;
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    std::vector<values_by_task> seeds;
    std::vector<double> hardness;
    for (int task = 0; task < 30; ++task)
      hardness.push_back(draw.uniform());
    for (int seed = 0; seed < 12; ++seed) {
      const double luck = 0.2 * (draw.uniform() - 0.5);
      std::vector<double> values;
      for (const auto hard : hardness)
        values.push_back(0.1 + 0.8 * hard + luck * 0.5);
      seeds.push_back(tasks(values));
    }
    const auto made = bootstrap_seeds(seeds, shares, 1, 300);
    held += made.low <= 0.5 && 0.5 <= made.high;
  }
  INFO("seed 11: " << held << " of " << rounds);
  CHECK(held >= 0.90 * rounds);
  CHECK(held <= 0.99 * rounds);
}
