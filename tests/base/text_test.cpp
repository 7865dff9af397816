#include "base/text.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>

using namespace brewery;
using parts = std::vector<std::string_view>;

TEST_CASE("trim takes white space off both ends only") {
  CHECK(trim("  a b\t\r\n") == "a b");
  CHECK(trim("") == "");
  CHECK(trim(" \n ") == "");
  CHECK(trim("x") == "x");
}

TEST_CASE("split keeps empty parts") {
  CHECK(split("a,b,,c", ',') == parts{"a", "b", "", "c"});
  CHECK(split("", ',') == parts{""});
  CHECK(split(",", ',') == parts{"", ""});
  CHECK(split("a, b, c", ", ") == parts{"a", "b", "c"});
}

TEST_CASE("join is the opposite of split") {
  CHECK(join({"a", "", "c"}, ",") == "a,,c");
  CHECK(join({}, ",") == "");
  CHECK(join({"a"}, ",") == "a");
}

TEST_CASE("lower touches ASCII letters only") {
  CHECK(lower("AbC-9 É") == "abc-9 É");
}

TEST_CASE("replace_all does not look at what it put in") {
  CHECK(replace_all("aaa", "a", "aa") == "aaaaaa");
  CHECK(replace_all("abcabc", "bc", "") == "aa");
  CHECK(replace_all("abc", "", "x") == "abc");
  CHECK(replace_all("abc", "z", "x") == "abc");
}

TEST_CASE("nearest suggests a likely misspelling only") {
  const std::vector<std::string> keys{"max_width", "max_depth", "seed"};
  CHECK(nearest("max_widht", keys) == "max_width");
  CHECK(nearest("sed", keys) == "seed");
  CHECK(nearest("completely_else", keys) == "");
  CHECK(nearest("x", {}) == "");
}

TEST_CASE("a word of a command line is one word to a shell") {
  CHECK(shell_word("runs/wide-2") == "runs/wide-2");
  CHECK(shell_word("my runs/wide") == "'my runs/wide'");
  CHECK(shell_word("it's $HOME") == R"('it'\''s $HOME')");
  CHECK(shell_word("") == "''");
}

TEST_CASE("a whole number is nothing but its digits, and fits its type") {
  struct example {
    const char* text;
    std::optional<int> as_signed;
    std::optional<std::uint8_t> as_byte;
  };
  const std::vector<example> examples{{"", {}, {}},
                                      {"0", 0, 0},
                                      {"007", 7, 7},
                                      {"255", 255, 255},
                                      {"256", 256, {}},
                                      {"-1", -1, {}},
                                      {"-0", 0, {}},
                                      {"-", {}, {}},
                                      {"+1", {}, {}},
                                      {" 1", {}, {}},
                                      {"1 ", {}, {}},
                                      {"1\n", {}, {}},
                                      {"12x", {}, {}},
                                      {"1.0", {}, {}},
                                      {"0x1f", {}, {}},
                                      {"2147483648", {}, {}},
                                      {"-2147483648", INT32_MIN, {}}};
  for (const auto& one : examples) {
    CAPTURE(one.text);
    CHECK(whole_number<int>(one.text) == one.as_signed);
    CHECK(whole_number<std::uint8_t>(one.text) == one.as_byte);
  }
  CHECK(whole_number<unsigned>("1F", 16) == 31U);
  CHECK_FALSE(whole_number<unsigned>("1g", 16));
  CHECK_FALSE(whole_number<unsigned>("0x1f", 16));
  CHECK_FALSE(whole_number<unsigned>({}));
  CHECK_FALSE(whole_number<unsigned>(std::string_view{"1\0", 2}));
}

TEST_CASE("a suggestion is never the word itself, and ignores case") {
  CHECK(suggest_choice("Romaing", {"Radio", "Roaming"})
        == "; did you mean \"Roaming\"?");
  CHECK(suggest_choice("MCTS", {"mcts", "greedy"})
        == "; did you mean \"mcts\"?");
  CHECK(suggest_choice("night", {"night"}).empty());
  CHECK(suggest_choice("night", {"night", "nights"})
        == "; did you mean \"nights\"?");
  CHECK(suggest_choice("", {"night"}).empty());
  CHECK(suggest_choice("completely_else", {"seed"}).empty());
}

TEST_CASE("nearest prefers the closer, then the earlier candidate") {
  CHECK(nearest("abcd", {"abxx", "abcx"}) == "abcx");
  CHECK(nearest("abcd", {"abcx", "abcy"}) == "abcx");
}
