#include "coordinator/recorded.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

std::map<std::string, std::string> log_of(std::uint32_t barriers) {
  std::map<std::string, std::string> out{{"run_record/run", "x"}};
  for (const char* strategy : {"mcts", "greedy"})
    for (std::uint32_t i = 0; i < barriers; ++i) {
      gather_record record;
      record.iteration = i;
      if (strategy == std::string{"mcts"}) record.late = {{i}};
      out.emplace("gather_record/" + gather_key(strategy, i),
                  wire::encode(record));
    }
  return out;
}

} // namespace

TEST_CASE("a search's barriers are found in the log, by iteration") {
  CHECK(gathers_on_record({}, "mcts")->empty());
  const auto found = gathers_on_record(log_of(12), "mcts");
  REQUIRE(found);
  REQUIRE(found->size() == 12);
  for (std::uint32_t i = 0; i < 12; ++i) {
    CHECK((*found)[i].iteration == i);
    CHECK((*found)[i].late == std::vector<concept_id>{{i}});
  }
}

TEST_CASE("what comes after a barrier that is missing does not count") {
  auto log = log_of(5);
  log.erase("gather_record/mcts/iteration 2");
  CHECK(gathers_on_record(log, "mcts")->size() == 2);
}

TEST_CASE("a barrier that cannot be read is named") {
  auto log = log_of(3);
  log["gather_record/mcts/iteration 1"] = "junk";
  const auto junk = gathers_on_record(log, "mcts");
  REQUIRE_FALSE(junk);
  CHECK(junk.error().code == ec::corrupt);
  CHECK_THAT(junk.error().message, Contains("gather_record/mcts/iteration 1"));
  log["gather_record/mcts/iteration 1"] = log["gather_record/mcts/iteration 2"];
  const auto other = gathers_on_record(log, "mcts");
  REQUIRE_FALSE(other);
  CHECK_THAT(other.error().message, Contains("iteration 1 is of iteration 2"));
}
