#include "run/setup/run_models.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

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
