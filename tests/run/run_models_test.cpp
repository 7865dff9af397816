#include "run/setup/run_models.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("a run that its budget stopped goes on with more of what it lacked") {
  const auto more = [](const char* why) {
    return larger_budget({ec::over_budget, why}, "brewery resume r");
  };
  CHECK(more("budget.max_hours = 1 is used up; spent $1.00")
        == "brewery resume r");
  CHECK(more("the next call of the agent could take the search to 3 of 2 calls "
             "(budget.max_calls); spent")
        == "brewery resume r --set budget.max_calls=AMOUNT");
  CHECK(more("could take its role to 3 of 2 calls (budget.roles); spent")
        == "brewery resume r --set budget.roles='[LIMITS]'");
}

TEST_CASE("a run that its models stopped says how it goes on") {
  const auto advice = [](ec code) {
    return go_on_advice({code, "why"}, "brewery resume r");
  };
  CHECK(advice(ec::exhausted)
        == "; nothing that was paid is lost; when it answers again, go on with "
           "`brewery resume r`");
  CHECK(advice(ec::unauthorized)
        == "; nothing that was paid is lost; then go on with `brewery resume "
           "r`");
  CHECK(advice(ec::environment).empty());
  for (const auto code : {ec::over_budget, ec::exhausted, ec::unauthorized})
    CHECK(may_go_on({code, "why"}));
  // Neither time nor a key mends these.
  for (const auto code : {ec::not_found, ec::environment, ec::corrupt})
    CHECK_FALSE(may_go_on({code, "why"}));
}
