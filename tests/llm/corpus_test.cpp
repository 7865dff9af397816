#include "base/file.hpp"
#include "tests/fuzz/model_target.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <vector>

using namespace brewery;

TEST_CASE("the fuzzers' inputs: model servers and models") {
  const auto corpus =
      std::filesystem::path{BREWERY_SOURCE_DIR} / "tests/fuzz/corpus/model";
  std::size_t tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator{corpus}) {
    INFO(entry.path().string());
    const auto bytes = read_file(entry.path());
    REQUIRE(bytes);
    // Of exact size, so that a sanitizer sees a read past its end.
    const std::vector<char> exact(bytes->begin(), bytes->end());
    CHECK(fuzz::model({exact.data(), exact.size()}) == "");
    ++tried;
  }
  CHECK(tried >= 10);
}
