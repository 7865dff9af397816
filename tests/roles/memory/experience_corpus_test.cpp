#include "tests/fuzz/corpus_replay.hpp"
#include "tests/fuzz/experience_target.hpp"

using namespace brewery;

TEST_CASE("the fuzzer's inputs: experiences, documents and replies") {
  fuzz::replay("experience", fuzz::experience_text);
}
