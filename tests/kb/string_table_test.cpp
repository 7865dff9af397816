/// Numbers of strings, against a map.

#include "base/rng.hpp"
#include "kb/string_table.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace brewery;

TEST_CASE("strings are numbered as they come, and found by their bytes") {
  string_table table;
  CHECK_FALSE(table.find(""));
  std::map<std::string, string_table::number> wanted;
  rng draw{5};
  for (int i = 0; i < 5000; ++i) {
    // Some empty, some with zeros, many again.
    std::string text(draw.below(4), 'a');
    for (auto& one : text)
      one = static_cast<char>(draw.below(12));
    const auto next = static_cast<string_table::number>(wanted.size());
    CHECK(table.add(text) == wanted.try_emplace(text, next).first->second);
  }
  CHECK(table.size() == wanted.size());
  for (const auto& [text, number] : wanted) {
    CHECK(table.find(text) == number);
    CHECK(table[number] == text);
  }
  CHECK_FALSE(table.find("not in"));
}
