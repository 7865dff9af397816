#include "envs/tau2/python_rules/python_text.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

using namespace brewery;
using namespace brewery::tau2;

TEST_CASE("floats print as Python's repr prints them") {
  const std::vector<std::pair<double, const char*>> table{
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {-2.5, "-2.5"},
      {40.0, "40.0"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {14.249999999999943, "14.249999999999943"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {123456789.125, "123456789.125"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {1.5e300, "1.5e+300"},
      {5e-324, "5e-324"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"}};
  for (const auto& [value, text] : table)
    CHECK(py_float(value) == text);
  CHECK(py_float(std::nan("")) == "nan");
}

TEST_CASE("a printed float reads back as itself") {
  const auto seed = GENERATE(1u, 2u, 3u);
  INFO("seed " << seed);
  std::mt19937_64 draw{seed};
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::pow(10.0, static_cast<double>(draw() % 40) - 20);
    const double value =
        (static_cast<double>(draw() % 2'000'001) - 1e6) * scale;
    INFO(value);
    CHECK(std::strtod(py_float(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("an int and a float of one value print differently") {
  CHECK(py_number_text(py_number{std::int64_t{2}}) == "2");
  CHECK(py_number_text(py_number{2.0}) == "2.0");
  CHECK(as_double(py_number{std::int64_t{2}}) == as_double(py_number{2.0}));
}

TEST_CASE("rounding takes the exact binary value, not its decimal text") {
  CHECK(py_round2(2.675) == 2.67);
  CHECK(py_round2(1.005) == 1.0);
  CHECK(py_round2(0.125) == 0.12);
  CHECK(py_round2(0.375) == 0.38);
  CHECK(py_round2(-2.675) == -2.67);
  CHECK(std::isinf(py_round2(HUGE_VAL)));
  CHECK(py_fixed2(275) == "275.00");
  CHECK(py_fixed2(0.005) == "0.01");
}

TEST_CASE("strings are quoted as repr quotes them") {
  CHECK(py_quote("plain") == "'plain'");
  CHECK(py_quote("it's") == "\"it's\"");
  CHECK(py_quote("\"it's\"") == "'\"it\\'s\"'");
  CHECK(py_quote("a\\b\n\t\r") == "'a\\\\b\\n\\t\\r'");
  CHECK(py_quote(std::string_view{"\0\x7f", 2}) == "'\\x00\\x7f'");
  CHECK(py_quote("é📶") == "'é📶'");
  CHECK(py_quote("\u200b") == "'\\u200b'");
}

TEST_CASE("values print as Python's str prints them") {
  CHECK(py_str("text") == "text");
  CHECK(py_str(nullptr) == "None");
  CHECK(py_str(true) == "True");
  CHECK(py_str(false) == "False");
  CHECK(py_str(12) == "12");
  CHECK(py_str(12u) == "12");
  CHECK(py_str(json::parse(R"([1, "a", {"k": [null, 2.0]}])"))
        == "[1, 'a', {'k': [None, 2.0]}]");
  const std::vector<std::pair<json, const char*>> types{
      {"x", "str"},
      {1, "int"},
      {1.0, "float"},
      {true, "bool"},
      {nullptr, "NoneType"},
      {json::array(), "list"},
      {json::object(), "dict"}};
  for (const auto& [value, name] : types)
    CHECK(py_type_name(value) == name);
}

TEST_CASE("equality follows Python: numbers by value, objects unordered") {
  CHECK(py_equal(1, 1.0));
  CHECK(py_equal(true, 1));
  CHECK(py_equal(0.0, false));
  CHECK_FALSE(py_equal(true, 2));
  CHECK_FALSE(py_equal("1", 1));
  CHECK_FALSE(py_equal(nullptr, false));
  CHECK(py_equal(json::parse(R"({"a":1,"b":[2]})"),
                 json::parse(R"({"b":[2.0],"a":true})")));
  CHECK_FALSE(py_equal(json::parse(R"({"a":1})"), json::parse(R"({"b":1})")));
  CHECK_FALSE(py_equal(json::parse("[1,2]"), json::parse("[1]")));
}

TEST_CASE("JSON is written as json.dumps writes it") {
  const auto dumped = [](const json& value, key_order order) {
    std::string out;
    append_json(out, value, order);
    return out;
  };
  const json value = json::parse(
      R"({"b":[1,2.0,true,null],"a":{"z":"\u00e9","y":"\ud83d\udcf6"}})");
  CHECK(
      dumped(value, key_order::model)
      == R"({"b": [1, 2.0, true, null], "a": {"z": "\u00e9", "y": "\ud83d\udcf6"}})");
  CHECK(
      dumped(value, key_order::sorted)
      == R"({"a": {"y": "\ud83d\udcf6", "z": "\u00e9"}, "b": [1, 2.0, true, null]})");
  CHECK(dumped("a\"\\\n\t\b\f\r\x01\x7f", key_order::model)
        == R"("a\"\\\n\t\b\f\r\u0001\u007f")");
  CHECK(dumped(json::array(), key_order::model) == "[]");
  CHECK(dumped(json::object(), key_order::model) == "{}");
  CHECK(dumped(HUGE_VAL, key_order::model) == "Infinity");
}

TEST_CASE("broken UTF-8 becomes a replacement character, never a crash") {
  for (const std::string bytes : {"\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x93",
                                  "a\x80z", "\xc3(", "\xf8"}) {
    std::string out;
    append_json(out, std::string_view{bytes});
    INFO(out);
    CHECK(out.find("\\ufffd") != std::string::npos);
    CHECK_FALSE(py_quote(bytes).empty());
  }
}
