#include "envs/tau2/python_rules/calculate.hpp"
#include "envs/tau2/python_rules/py_arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::tau2;

namespace {

std::string worth(const json& expression) {
  const auto value = calculate(expression);
  return value ? *value : "error";
}

using line = std::pair<const char*, const char*>;

} // namespace

TEST_CASE("expressions have the values Python gives them") {
  const auto [text, value] = GENERATE(table<const char*, const char*>(
      {line{"2 + 2", "4.0"}, line{"  1.5*4 ", "6.0"}, line{"10/4", "2.5"},
       line{"(1.5-0.25)*3", "3.75"},
       line{"466.75 + 288.82 + 135.24 + 193.38 + 46.66", "1130.85"},
       // Signs, powers and their order.
       line{"--1", "1.0"}, line{"2--+-3", "-1.0"}, line{"-2**2", "-4.0"},
       line{"(-2)**2", "4.0"}, line{"2**3**2", "512.0"}, line{"2**-1", "0.5"},
       line{"2*-3**2", "-18.0"}, line{"4**.5", "2.0"},
       line{"(-8.)**3", "-512.0"}, line{"0**0", "1.0"},
       // // rounds down, for ints and for floats.
       line{"7//2", "3.0"}, line{"-7//2", "-4.0"}, line{"7//-2", "-4.0"},
       line{"-8//2", "-4.0"}, line{"7.5//-2", "-4.0"}, line{"-.5//3.", "-1.0"},
       line{"1-8//3*2", "-3.0"},
       // Literals.
       line{"00", "0.0"}, line{"012.50", "12.5"}, line{".5+5.", "5.5"},
       // Rounding is that of the exact value, and keeps the sign of zero.
       line{"2.675", "2.67"}, line{"0.125", "0.12"}, line{"0.375", "0.38"},
       line{"-0.001", "-0.0"}, line{"-0.0", "-0.0"}, line{"-0", "0.0"},
       line{"0.1+0.2", "0.3"},
       // Ints are exact until they become floats.
       line{"10**17", "1e+17"}, line{"9007199254740993", "9007199254740992.0"},
       line{"9007199254740995", "9007199254740996.0"},
       line{"2**1200//2**1199", "2.0"}, line{"3**700/3**699", "3.0"},
       line{"(2**1100-2**1099)/2**1099", "1.0"},
       line{"10**400/10**398", "100.0"}, line{"1/3**500", "0.0"},
       line{"(-1)**(10**30+1)", "-1.0"},
       line{"2**1023*1.0", "8.98846567431158e+307"}}));
  INFO(text);
  CHECK(worth(text) == value);
}

TEST_CASE("floats overflow to infinity by + and *, as in Python") {
  const std::string huge = "(2.0**1023)";
  CHECK(worth(huge + "*2") == "inf");
  CHECK(worth("-" + huge + "*2") == "-inf");
  CHECK(worth(huge + "*2-" + huge + "*2") == "nan");
  CHECK(worth("1/(" + huge + "*2)") == "0.0");
  CHECK(worth(std::string(400, '9') + ".") == "inf");
}

TEST_CASE("only digits, operators, points, parentheses and spaces are read") {
  for (const char* text : {"abc", "1e5", "1,000", "1\n", "1\t", "0x10", "1_0",
                           "$5", "5%", "2^3", "½"}) {
    const auto value = calculate(text);
    REQUIRE_FALSE(value);
    CHECK(value.error().message == "Invalid characters in expression");
  }
}

TEST_CASE("no expression costs more than a moment") {
  CHECK(worth("9**9**9**9") == "error");
  CHECK(worth("(2**16383)**2//1") == "error");
  CHECK(worth("2**16383//2**16382") == "2.0");
  CHECK(worth("2**16384//2**16383") == "error");
  CHECK(worth("(2**16383*2-1)//2**16383") == "error");
  CHECK(worth(std::string(longest_expression - 1, '-') + "1") == "-1.0");
  CHECK(worth(std::string(longest_expression, '-') + "1") == "error");
  CHECK(worth(std::string(200, '(') + "1" + std::string(200, ')')) == "1.0");
  CHECK(worth(std::string(201, '(') + "1" + std::string(201, ')')) == "error");
  std::string powers = "2";
  while (powers.size() + 3 <= longest_expression)
    powers += "**1";
  CHECK(worth(powers) == "2.0");
}

TEST_CASE("quotients of ints are rounded once, down to the smallest floats") {
  const auto quotient = [](const big_int& a, const big_int& b) {
    const auto value = py_apply(py_operator::divide, a, b);
    REQUIRE(value);
    return std::get<double>(*value);
  };
  const big_int one = 1;
  CHECK(quotient(1, 3) == 1.0 / 3);
  CHECK(quotient(-1, 3) == -1.0 / 3);
  // Half a unit of the last place above 1, and a trace more.
  CHECK(quotient((one << 53) + 1, one << 53) == 1.0);
  CHECK(quotient((one << 53) + 3, one << 53) == 1.0 + 0x1p-51);
  CHECK(quotient((one << 200) + (one << 147) + 1, one << 200) == 1.0 + 0x1p-52);
  CHECK(quotient(1, one << 1074) == 0x1p-1074);
  CHECK(quotient(1, one << 1075) == 0.0);
  CHECK(quotient(3, one << 1075) == 0x1p-1073);
  CHECK(quotient((one << 80) + 1, one << 1155) == 0x1p-1074);
}
