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

TEST_CASE("a key of thousands of parts is refused before it is parsed") {
  std::string dotted;
  for (int i = 0; i < 200'000; ++i)
    dotted += "a.";
  dotted += 'a';
  for (const auto& text :
       {"x = 1\n" + dotted + " = 1\n", "\n[" + dotted + "]\n",
        "\nx = {" + dotted + " = 1}\n",
        "\nx = {y = \"\"\"a\"\"\"\"\"," + dotted + " = 1}\n",
        "\nx = {y = '''a''''," + dotted + " = 1}\n",
        "\n\"q.r\" ." + dotted + " = 1\n"}) {
    const auto refused = read_toml_leaves(text, "f.toml");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message
          == "f.toml:2: not valid TOML: a key has more than 100 parts");
  }
  CHECK_FALSE(read_toml_value("{" + dotted + " = 1}"));
}

TEST_CASE("dots in texts, comments and numbers are no parts of keys") {
  const std::string dots(500, '.');
  std::string numbers;
  for (int i = 0; i < 300; ++i)
    numbers += "1.5, ";
  for (const auto& value :
       {'"' + dots + '"', "\"\\\"" + dots + '"', '\'' + dots + '\'',
        "\"\"\"\n" + dots + "\n\"\"\"", "'''\n" + dots + "'\n'''",
        "1 # " + dots, '[' + numbers + "1.5]"}) {
    INFO(value);
    CHECK(read_toml_leaves("# " + dots + "\na.b = " + value + "\nc = 1\n",
                           "f.toml"));
  }
  CHECK(check_toml_keys("a = \"" + dots, "f.toml")); // the parser says why not
  CHECK(check_toml_keys("a = \"\\", "f.toml"));
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
