#include "report/learner_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("learners that keep a memory have a name, and searches none") {
  CHECK(memory_learner("agent_kb") == "Agent KB");
  CHECK(memory_learner("muse") == "MUSE");
  for (const char* searches : {"brew", "mcts", "greedy", ""})
    CHECK(memory_learner(searches).empty());
}
