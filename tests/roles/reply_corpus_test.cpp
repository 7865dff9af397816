#include "base/file.hpp"
#include "tests/fuzz/role_reply_target.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace brewery;

TEST_CASE("the fuzzer's inputs: replies of models") {
  const auto folder = std::filesystem::path{BREWERY_SOURCE_DIR}
                      / "tests/fuzz/corpus/role_reply";
  std::size_t replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    INFO(entry.path().string());
    const auto bytes = read_file(entry.path());
    REQUIRE(bytes);
    // Of exact size, so that a sanitizer sees a read past its end.
    const std::vector<char> exact(bytes->begin(), bytes->end());
    CHECK(fuzz::role_reply({exact.data(), exact.size()}) == "");
    ++replayed;
  }
  CHECK(replayed > 0);
}
