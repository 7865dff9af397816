#include "envs/osworld/grading/python/py_regex.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::osworld;

// The answers are those of Python 3.11.
TEST_CASE("osworld: regular expressions mean what they mean to Python") {
  const auto [pattern, text, found] =
      GENERATE(table<std::string, std::string, bool>(
          {{"a.c", "a\nc", false},
           {"(?s)a.c", "a\nc", true},
           {"^b$", "b\n", true},
           {R"(\Ab\Z)", "b\n", false},
           {"^b$", "a\nb\n", false},
           {"(?m)^b$", "a\nb\nc", true},
           {R"(\bfoo\b)", "a foo.", true},
           {R"(\d{2,3}-\d)", "x12-3", true},
           {R"(\d{4})", "123", false},
           {R"((\w)\1)", "hello", true},
           {R"((?P<q>['"]).*?(?P=q))", "say 'x'", true},
           {"(?i)straße", "STRAßE", true},
           {"(?<=x)y(?!z)", "xyz xy", true},
           {"(?<!x)y", "xy", false},
           {"[^]a]", "a]b", true},
           {"[a-c-]+$", "ab-", true},
           {"x{,2}y", "xxxy", true},
           {"x{2", "x{2", true},
           {"(a*)*b", "aaac", false},
           {"(?:a|ab)(?:c|bcd)(?:d*)$", "abcd", true},
           {R"(\u65e5本)", "日本", true},
           {"(?x) a  b # c", "ab", true},
           {R"(\w+)", "ß", true},
           {R"((?a)^\w+$)", "ß", false},
           {"(?-i:A)(?i:b)", "AB", true},
           {"a+?b*?c??$", "aabbc", true}}));
  const auto regex = py_regex::compile(pattern);
  INFO(pattern);
  REQUIRE(regex);
  const auto answer = regex->search(text);
  REQUIRE(answer);
  CHECK(*answer == found);
}

TEST_CASE("osworld: what re.compile refuses is refused") {
  const auto pattern = GENERATE(as<std::string>{}, "(", "a)", "[b", "*a", "a**",
                                "a{3,2}", "[z-a]", R"(\q)", R"((a)\2)", "^*",
                                "(?<=a*)b", "(?P<a>x)(?P<a>y)", "x(?i)");
  INFO(pattern);
  CHECK_FALSE(py_regex::compile(pattern));
}

TEST_CASE("osworld: a pattern that backtracks without end is stopped") {
  const auto regex = py_regex::compile("(a|aa|a)+$");
  REQUIRE(regex);
  const auto answer = regex->search(std::string(60, 'a') + "b");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ec::exhausted);
}

TEST_CASE("osworld: groups and all matches are given") {
  const auto pair = py_regex::compile(R"((\w+)=(\d+)?)");
  REQUIRE(pair);
  const auto groups = pair->match("köln=7;");
  REQUIRE(groups);
  CHECK(**groups == std::vector<std::string>{"köln=7", "köln", "7"});
  CHECK_FALSE(*pair->match(" x=1"));
  const auto word = py_regex::compile(R"(\w+)");
  CHECK(*word->find_all("a b-c") == std::vector<std::string>{"a", "b", "c"});
}
