#include "server/group_budget.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;
using namespace std::chrono_literals;

TEST_CASE("a group's limit of cost counts all its runs") {
  group_budget budget;
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
  CHECK_THAT(over->message, Contains("max_cost_usd = 1: $1.00"));
  // It stops the others too, and a higher one lets them go on.
  CHECK(budget.note("a", 0.625, now));
  budget.set_limit({2.0, 0});
  CHECK_FALSE(budget.note("a", 0.625, now));
}

TEST_CASE("a group's limit of time counts from the begin of its session") {
  group_budget budget;
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
  group_budget budget;
  budget.begin({});
  CHECK_FALSE(budget.note("a", 1e9, group_budget::clock::time_point{100000h}));
}

TEST_CASE("a group none of whose runs is under way is not out of time") {
  group_budget budget;
  budget.set_limit({0, 1.0});
  CHECK_FALSE(budget.over(group_budget::clock::time_point{100h}));
}
