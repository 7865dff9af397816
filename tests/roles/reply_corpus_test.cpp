#include "tests/fuzz/corpus_replay.hpp"
#include "tests/fuzz/role_reply_target.hpp"

using namespace brewery;

TEST_CASE("the fuzzer's inputs: replies of models") {
  fuzz::replay("role_reply", fuzz::role_reply);
}
