#include "envs/tau2/data/model_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace brewery;
using namespace brewery::tau2;

namespace {

json read_row(const json& from, model_trace& trace) {
  model_reader in{from, trace, "row"};
  in.integer("count");
  in.text("name");
  return in.take();
}

json read_table(const json& from, model_trace& trace) {
  model_reader in{from, trace, "table"};
  in.list("rows", read_row);
  in.map("prices", read_integer);
  in.choice("kind", {"big", "small"});
  in.choice_or_null("state", {"gone"});
  return in.take();
}

const json good = {
    {"state", nullptr},
    {"kind", "big"},
    {"prices", {{"b", "2"}, {"a", 1.0}}},
    {"rows", json::array({{{"name", "x"}, {"colour", 1}, {"count", true}}})}};

} // namespace

TEST_CASE("ints are read as the reference's library reads them") {
  for (const auto& [given, expected] :
       std::vector<std::pair<json, std::int64_t>>{
           {7, 7},
           {true, 1},
           {100.0, 100},
           {"100", 100},
           {" 100 ", 100},
           {"\t5\n", 5},
           {"\x0b"
            "5",
            5},
           {"+100", 100},
           {"\xc2\xa0"
            "5\xe3\x80\x80",
            5},
           {"-100", -100},
           {"-0", 0},
           {"-007", -7},
           {"007", 7},
           {"1_000", 1000},
           {"0_0", 0},
           {"100.0", 100},
           {"1_000.0", 1000},
           {"00.0", 0},
           {0x1p53, 9007199254740992},
           {"-9223372036854775808",
            std::numeric_limits<std::int64_t>::min()}}) {
    INFO(given.dump());
    const auto value = lax_int(given);
    REQUIRE(value);
    CHECK(*value == expected);
  }
  for (const json& given : {json(100.5),
                            json(1e20),
                            json(-9.3e18),
                            json(0x1p63),
                            json(nullptr),
                            json::array(),
                            json::object(),
                            json(""),
                            json("1__0"),
                            json("_1"),
                            json("1_"),
                            json("_"),
                            json("100."),
                            json("100.50"),
                            json(".0"),
                            json("1e3"),
                            json("0x10"),
                            json("nan"),
                            json("inf"),
                            json("1 0"),
                            json("--1"),
                            json("+-1"),
                            json("+ 1"),
                            json("+_1"),
                            json("-_1"),
                            json("１"),
                            json("100.0_0"),
                            json("1_0.5"),
                            json(std::nan("")),
                            json("9223372036854775808"),
                            json(std::numeric_limits<std::uint64_t>::max())}) {
    INFO(given.dump());
    CHECK_FALSE(lax_int(given));
  }
}

TEST_CASE("floats are read as the reference's library reads them") {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const auto& [given, expected] : std::vector<std::pair<json, double>>{
           {7, 7},
           {true, 1},
           {2.5, 2.5},
           {"100", 100},
           {" 100 ", 100},
           {"+100", 100},
           {"1_000", 1000},
           {"100.", 100},
           {".0", 0},
           {"007", 7},
           {"1e3", 1000},
           {"1E5", 1e5},
           {"1_0.5", 10.5},
           {"-.5", -.5},
           {"5.", 5},
           {"100.0_0", 100},
           {"+_1", 1},
           {"-_1", -1},
           {"inf", infinite},
           {"-inf", -infinite},
           {"Infinity", infinite},
           {"iNf", infinite},
           {"1e400", infinite},
           {"999999999999999999999999999999", 1e30}}) {
    INFO(given.dump());
    const auto value = lax_float(given);
    REQUIRE(value);
    CHECK(*value == expected);
  }
  CHECK(std::isnan(*lax_float("nan")));
  CHECK(std::signbit(*lax_float("-0")));
  for (const json& given :
       {json(nullptr), json::array(), json(""), json("1__0"), json("_1"),
        json("1_"), json("5\x1c"), json("_"), json("0x10"), json("1 0"),
        json("--1"), json("+ 1"), json("nan(1)"), json("１"), json("0b1")}) {
    INFO(given.dump());
    CHECK_FALSE(lax_float(given));
  }
}

TEST_CASE("members are read in declared order, others are dropped") {
  const auto read = as_record(good, read_table);
  REQUIRE(read);
  CHECK(read->dump()
        == R"({"rows":[{"count":1,"name":"x"}],"prices":{"b":2,"a":1},)"
           R"("kind":"big","state":null})");
}

TEST_CASE("a record's first problem is told with the path to it") {
  const auto problem = [](const char* where, const json& value) {
    json bad = good;
    bad[json::json_pointer{where}] = value;
    const auto read = as_record(bad, read_table);
    return read ? "read" : read.error().message;
  };
  CHECK(problem("/rows/0/count", 1.5)
        == "rows.0.count: Input should be a valid integer, got a number with a "
           "fractional part");
  CHECK(problem("/rows/0", "x")
        == "rows.0: Input should be an object, a row, not 'x'");
  CHECK(problem("/rows", 3) == "rows: Input should be a valid list, not 3");
  CHECK(problem("/prices", json::array())
        == "prices: Input should be a valid dictionary, not list");
  CHECK(problem("/prices/a", "one")
        == "prices.a: Input should be a valid integer, unable to parse string "
           "as an integer");
  CHECK(problem("/kind", "huge")
        == "kind: Input should be 'big' or 'small', not 'huge'");
  CHECK(problem("/state", "here")
        == "state: Input should be 'gone', not 'here'");
  CHECK(problem("", 1) == "Input should be an object, a table, not 1");
}

TEST_CASE("an argument's problems are told all, counted, one a line") {
  const auto read = model_argument("Row", {{"count", "x"}}, read_row);
  REQUIRE_FALSE(read);
  CHECK(read.error().message
        == "2 validation errors for Row\ncount\n  Input should be a valid "
           "integer, unable to parse string as an integer\nname\n  Field "
           "required");
}
