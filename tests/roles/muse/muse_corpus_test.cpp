#include "tests/fuzz/corpus_replay.hpp"
#include "tests/fuzz/muse_target.hpp"

using namespace brewery;

TEST_CASE("the fuzzer's inputs: memories of muse and replies to it") {
  fuzz::replay("muse", fuzz::muse_text);
}
