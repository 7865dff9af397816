#include "server/group_budget.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

using namespace brewery;
using Catch::Contains;
using Catch::Equals;
using namespace std::chrono_literals;

TEST_CASE("a group's limit of cost counts all its runs") {
  group_budget budget{"g4"};
  const group_budget::clock::time_point now{100s};
  budget.begin(now);
  budget.set_limit({1.0, 0});
  CHECK_FALSE(budget.note("a", 0.5, now));
  CHECK_FALSE(budget.note("b", 0.25, now));
  // The whole cost of a run, not what it spent since it was noted last.
  CHECK_FALSE(budget.note("a", 0.625, now));
  CHECK(budget.cost_usd() == 0.875);
  const auto over = budget.note("b", 0.375, now);
  REQUIRE(over);
  CHECK(over->code == ec::over_budget);
  CHECK_THAT(over->message, Equals("group g4: [budget] max_cost_usd = 1: "
                                   "the runs have spent $1.00"));
  // It stops the others too, and a higher one lets them go on.
  CHECK(budget.note("a", 0.625, now));
  budget.set_limit({2.0, 0});
  CHECK_FALSE(budget.note("a", 0.625, now));
}

TEST_CASE("a group's limit of time counts from the begin of its session") {
  group_budget budget{"g4"};
  const group_budget::clock::time_point now{100s};
  budget.begin(now);
  budget.set_limit({0, 1.0});
  CHECK_FALSE(budget.note("a", 1e6, now + 59min));
  const auto over = budget.note("a", 0, now + 60min);
  REQUIRE(over);
  CHECK_THAT(over->message, Contains("max_hours = 1"));
  budget.begin(now + 60min);
  CHECK_FALSE(budget.note("a", 0, now + 61min));
}

TEST_CASE("a group without a limit may go on") {
  group_budget budget{"g4"};
  budget.begin({});
  CHECK_FALSE(budget.note("a", 1e9, group_budget::clock::time_point{100000h}));
}

TEST_CASE("a group none of whose runs is under way is not out of time") {
  group_budget budget{"g4"};
  budget.set_limit({0, 1.0});
  CHECK_FALSE(budget.over(group_budget::clock::time_point{100h}));
}

TEST_CASE("who listens to a group's budget is told until its runs have ended") {
  group_budget budget{"g"};
  budget.set_limit({4.0, 0});
  budget.note("a", 1, {});
  std::vector<std::pair<double, double>> told;
  budget.begin({},
               [&](double usd, double most) { told.emplace_back(usd, most); });
  budget.note("b", 2, {});
  budget.set_limit({5.0, 0});
  budget.end();
  budget.note("b", 3, {});
  CHECK(told == std::vector<std::pair<double, double>>{{1, 4}, {3, 4}, {3, 5}});
}
