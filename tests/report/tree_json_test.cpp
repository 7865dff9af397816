#include "report/tree_json.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("a reward is a range where an evaluation was stopped") {
  node_record version;
  version.reward = 0.4321;
  version.correctness = 0.5;
  CHECK(reward_text(version) == "0.432");
  CHECK(part_text(version, version.correctness) == "0.500");
  version.least = {0.032};
  CHECK(reward_text(version) == "0.032 to 0.432");
  CHECK(part_text(version, version.correctness) == "at most 0.500");
}
