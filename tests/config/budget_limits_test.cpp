#include "config/budget_limits.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("limits of a role are read strictly") {
  const auto good = parse_role_limit("judge cost_usd=0.5 tokens=7 calls=3");
  REQUIRE(good);
  CHECK(good->first == "judge");
  CHECK(good->second == spending{3, 7, picodollars_per_dollar / 2});
  for (const char* wrong : {"", "cook calls=3", "judge", "judge calls",
                            "judge calls=", "judge calls=-1", "judge calls=1x",
                            "judge coins=3", "judge cost_usd=nan"})
    CHECK_FALSE(parse_role_limit(wrong));
}
