#pragma once
/// Runs a fuzz target over its committed inputs, so that a change that breaks
/// one is seen by the tests, with any compiler.

#include "base/file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

namespace brewery::fuzz {

inline const std::filesystem::path corpus =
    std::filesystem::path{BREWERY_SOURCE_DIR} / "tests/fuzz/corpus";

inline void replay(const std::string& target,
                   std::string (*run)(std::string_view)) {
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator{corpus / target})
    inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  REQUIRE_FALSE(inputs.empty());
  for (const auto& file : inputs) {
    INFO(file.string());
    const auto bytes = read_file(file);
    REQUIRE(bytes);
    // Of exact size, so that a sanitizer sees a read past its end.
    const std::vector<char> exact(bytes->begin(), bytes->end());
    CHECK(run({exact.data(), exact.size()}) == "");
  }
}

} // namespace brewery::fuzz
