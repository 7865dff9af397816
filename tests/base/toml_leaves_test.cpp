#include "base/toml_reader.hpp"

#include <catch2/catch.hpp>

namespace brewery {
namespace {

using path = std::vector<std::string>;

TEST_CASE("values of a file are found under one name however it is written") {
  const auto leaves = read_toml_leaves("a = 1\n[grid]\nx.y = [1, \"b\"]\n"
                                       "\"x.z\" = 2.5\n[grid.q]\nr = true\n",
                                       "f.toml");
  REQUIRE(leaves);
  REQUIRE(leaves->size() == 4);
  CHECK((*leaves)[0].path == path{"a"});
  CHECK((*leaves)[1].path == path{"grid", "x.y"});
  CHECK((*leaves)[1].line == 3);
  CHECK((*leaves)[1].is_list);
  REQUIRE((*leaves)[1].elements.size() == 2);
  CHECK((*leaves)[1].elements[1].shape == option_value{std::string{"b"}});
  CHECK((*leaves)[2].path == path{"grid", "x.z"});
  CHECK((*leaves)[3].path == path{"grid", "q.r"});
}

TEST_CASE("tables in a list have their number in their values' paths") {
  const auto leaves = read_toml_leaves(
      "[[points]]\nname = \"a\"\n[[points]]\nname = \"b\"\ns.w = 3\n",
      "f.toml");
  REQUIRE(leaves);
  REQUIRE(leaves->size() == 3);
  CHECK((*leaves)[0].path == path{"points", "0", "name"});
  CHECK((*leaves)[2].path == path{"points", "1", "s.w"});
}

TEST_CASE("of empty tables the outermost are named") {
  const auto leaves = read_toml_leaves("[a]\n[b.c]\n", "f.toml");
  REQUIRE(leaves);
  REQUIRE(leaves->size() == 1);
  CHECK((*leaves)[0].path == path{"a"});
  CHECK((*leaves)[0].line == 1);
  CHECK((*leaves)[0].value.type == "a section");
}

TEST_CASE("a file that is not TOML is refused with its line") {
  const auto leaves = read_toml_leaves("a = 1\nb = \n", "f.toml");
  REQUIRE_FALSE(leaves);
  CHECK(leaves.error().message.starts_with("f.toml:2:"));
}

} // namespace
} // namespace brewery
