#include "cli/terminal.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("the exit code follows the kind of error") {
  CHECK(exit_code_of(ec::ok) == 0);
  CHECK(exit_code_of(ec::invalid_argument) == 2);
  CHECK(exit_code_of(ec::invalid_config) == 2);
  CHECK(exit_code_of(ec::cancelled) == 130);
  for (const auto code : {ec::not_found, ec::malformed, ec::in_use,
                          ec::disk_full, ec::corrupt, ec::internal})
    CHECK(exit_code_of(code) == 1);
}

TEST_CASE("columns are aligned by characters, not bytes") {
  CHECK(table({{"caf\u00e9", "x"}, {"a", "y"}}) == "caf\u00e9  x\na     y\n");
  CHECK(table({}).empty());
  CHECK(table({{"a"}, {"bb", "c"}}) == "a\nbb  c\n");
}

TEST_CASE("style is added only when asked for") {
  CHECK(styled("a", style::red, false) == "a");
  CHECK(styled("a", style::red, true) == "\x1b[31ma\x1b[0m");
  CHECK(styled("a", style::cyan, true) == "\x1b[36ma\x1b[0m");
  CHECK(styled("a", style::bold, true) == "\x1b[1ma\x1b[0m");
  CHECK(styled("a", style::dim, true) == "\x1b[2ma\x1b[0m");
}
