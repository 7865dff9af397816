#include "base/file.hpp"
#include "tests/fuzz/tool_arguments_target.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace brewery;

TEST_CASE("the fuzzer's inputs: calls of a shop's tools") {
  const auto folder = std::filesystem::path{BREWERY_SOURCE_DIR}
                      / "tests/fuzz/corpus/tool_arguments";
  std::size_t replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    INFO(entry.path().string());
    const auto bytes = read_file(entry.path());
    REQUIRE(bytes);
    // Of exact size, so that a sanitizer sees a read past its end.
    const std::vector<char> exact(bytes->begin(), bytes->end());
    CHECK(fuzz::tool_arguments({exact.data(), exact.size()}) == "");
    ++replayed;
  }
  CHECK(replayed > 0);
}
