#include "messages/json_brackets.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace brewery;

TEST_CASE("brackets inside strings do not count") {
  CHECK(next_bracket(R"("{\"[" })", 0) == 7);
  CHECK(next_bracket(R"("{[")", 0) == 4);
  CHECK(json_depth(R"({"a":"[[["})") == 1);
}

TEST_CASE("the depth is that of the deepest place") {
  CHECK(json_depth("1") == 0);
  CHECK(json_depth("[[],[[]],{}]") == 3);
  CHECK(json_depth(std::string(70, '[') + std::string(70, ']')) == 70);
}

TEST_CASE("closing brackets too many take nothing off the depth") {
  CHECK(json_depth("]]][[") == 2);
}
