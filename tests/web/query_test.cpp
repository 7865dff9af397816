#include "web/query.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::web;
using Catch::Contains;

TEST_CASE("percent-encoding is decoded once, or refused") {
  CHECK(*percent_decoded("a%20b%2Fc%2fd") == "a b/c/d");
  CHECK(*percent_decoded("%252e") == "%2e");
  CHECK(*percent_decoded("%C3%A9") == "é");
  for (const char* bad : {"%", "%2", "%zz", "%2g", "% 1", "%+1", "%-1", "a%",
                          "%00", "%0a", "%7f", "%ff", "%c3", "\xff", "a\tb"}) {
    INFO(bad);
    const auto decoded = percent_decoded(bad);
    REQUIRE_FALSE(decoded);
    CHECK(decoded.error().code == ec::invalid_argument);
  }
}

TEST_CASE("a path is split before it is decoded") {
  CHECK(*path_parts("/api/runs/a%2F..%2Fb")
        == std::vector<std::string>{"api", "runs", "a/../b"});
  CHECK(*path_parts("/") == std::vector<std::string>{""});
  CHECK(*path_parts("/a//b/") == std::vector<std::string>{"a", "", "b", ""});
  CHECK_FALSE(path_parts("/a/%"));
}

TEST_CASE("a query has only parameters that are known, each once") {
  const std::vector<std::string> known{"task", "limit"};
  CHECK(parse_query("", known)->empty());
  CHECK(*parse_query("task=a+b%26c&limit=5", known)
        == query_values{{"task", "a b&c"}, {"limit", "5"}});
  CHECK(*parse_query("task", known) == query_values{{"task", ""}});
  CHECK_THAT(parse_query("tsak=1", known).error().message,
             Contains("no parameter \"tsak\"; there are: task, limit"));
  CHECK_THAT(parse_query("task=1&task=2", known).error().message,
             Contains("given twice"));
  CHECK_FALSE(parse_query("task=%", known));
  CHECK_FALSE(parse_query("task=1&", known));
}
