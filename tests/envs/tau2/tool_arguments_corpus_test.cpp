#include "tests/fuzz/corpus_replay.hpp"
#include "tests/fuzz/tool_arguments_target.hpp"

using namespace brewery;

TEST_CASE("the fuzzer's inputs: calls of a shop's tools") {
  fuzz::replay("tool_arguments", fuzz::tool_arguments);
}
