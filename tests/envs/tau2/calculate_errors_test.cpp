/// The words with which calculate refuses: those of eval() and float() of
/// Python 3.11 to 3.13, recorded.

#include "envs/tau2/python_rules/calculate.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::tau2;

namespace {

std::string refusal_of(const json& expression) {
  const auto value = calculate(expression);
  return value ? "is " + *value : value.error().message;
}

struct group {
  const char* words;
  std::vector<std::string> expressions;
};

void check(const std::vector<group>& groups) {
  for (const auto& [words, expressions] : groups) {
    for (const auto& text : expressions) {
      INFO(text);
      CHECK(refusal_of(text) == words);
    }
  }
}

} // namespace

TEST_CASE("an expression with wrong syntax is refused in Python's words") {
  check({{"invalid syntax (<string>, line 0)", {"", "   "}},
         {"invalid syntax (<string>, line 1)",
          {"1 2",   "1+",   "  1 + ", "*2",     "**1",      "2***3", "2* *3",
           "2/ /3", ".",    "1..",    "1.5.2",  "1 .5",     "...5",  "0 0",
           "1 . 2", "(1+)", "(1 .)",  "2(3 +)", "(1 (2+))", "(1)2",  "()1"}},
         {"invalid syntax. Perhaps you forgot a comma? (<string>, line 1)",
          {"(1 2)", "(1 2+)", "(1 ...)", "(1.5.5)", "2(3 4)", "1+((2)3)",
           "(-(1 2) *)", "(1 2 3", "(1 2 (3 4", "(*1 2)", "2(**3 4)"}},
         {"'(' was never closed (<string>, line 1)",
          {"(", "(1", "(1 2", "(1 2 (3", "1 2 (3", "(1+", "2(*3", "(1 .", "(*",
           "(**1"}},
         {"unmatched ')' (<string>, line 1)", {")", "1)", ")(", "1 2 )"}},
         {"cannot use starred expression here (<string>, line 1)",
          {"(*1)", "2+(*1)", "((*1) 2)", "(*())"}},
         {"cannot use double starred expression here (<string>, line 1)",
          {"(**1)", "2(3)(4+(**1))"}},
         {"leading zeros in decimal integer literals are not permitted; use an "
          "0o prefix for octal integers (<string>, line 1)",
          {"012", "1+09", "(1 2) 012", "012)", "((00012"}},
         {"too many nested parentheses (<string>, line 1)",
          {std::string(201, '(')}}});
}

TEST_CASE("syntax is checked before anything is calculated") {
  CHECK(refusal_of("1/0+") == "invalid syntax (<string>, line 1)");
  CHECK(refusal_of("1/0)") == "unmatched ')' (<string>, line 1)");
  // Then the first failure from the left counts.
  CHECK(refusal_of("1/0 + 2(3)") == "division by zero");
  CHECK(refusal_of("2(3) + 1/0") == "'int' object is not callable");
  CHECK(refusal_of("2(1/0)") == "division by zero");
}

TEST_CASE("arithmetic without a value is refused in Python's words") {
  check({{"division by zero", {"1/0", "1/(2-2)"}},
         {"integer division or modulo by zero", {"1//0"}},
         {"float division by zero", {"1.0/0", "1/0.0"}},
         {"float floor division by zero", {"1.//0"}},
         {"complex division by zero", {"(-8)**.5/0"}},
         {"0.0 cannot be raised to a negative power", {"0**-1", "0.**-1"}},
         {"0.0 to a negative or complex power", {"0**((-8)**.5)"}},
         {"int too large to convert to float",
          {"2**1024", "-2**1024", "2**1024*1.0", "(10**400)**-1"}},
         {"integer division result too large for a float", {"10**400/3"}},
         {"(34, 'Numerical result out of range')", {"2.0**1024", "10.**309"}},
         {"float() argument must be a string or a real number, not 'complex'",
          {"(-8)**.5", "-(-8)**.5*2+1"}},
         {"unsupported operand type(s) for //: 'complex' and 'int'",
          {"(-8)**.5//2"}}});
}

TEST_CASE("values that are no numbers are refused in Python's words") {
  check(
      {{"float() argument must be a string or a real number, not 'tuple'",
        {"()", "(())", "()+()", "()*2", "2*()"}},
       {"float() argument must be a string or a real number, not 'ellipsis'",
        {"...", "(...)"}},
       {"can only concatenate tuple (not \"int\") to tuple", {"()+1"}},
       {"can't multiply sequence by non-int of type 'float'",
        {"()*2.0", "2.0*()"}},
       {"cannot fit 'int' into an index-sized integer", {"()*2**70"}},
       {"unsupported operand type(s) for +: 'int' and 'tuple'", {"1+()"}},
       {"unsupported operand type(s) for ** or pow(): 'tuple' and 'int'",
        {"()**2"}},
       {"bad operand type for unary -: 'tuple'", {"-()", "+-()"}},
       {"'int' object is not callable", {"2(3)", "1()", "2(*())", "1()()"}},
       {"'float' object is not callable", {"2.5 (3)"}},
       {"'ellipsis' object is not callable", {"...()"}},
       {"2 argument after * must be an iterable, not int", {"2(*3)"}},
       {"2.5 argument after ** must be a mapping, not tuple", {"2.5(**())"}}});
}

TEST_CASE("an expression that is no text is read as Python reads it") {
  CHECK(refusal_of(3) == "'int' object is not iterable");
  CHECK(refusal_of(nullptr) == "'NoneType' object is not iterable");
  const std::string eval =
      "eval() arg 1 must be a string, bytes or code object";
  CHECK(refusal_of(json::array()) == eval);
  CHECK(refusal_of(json::array({"1", "+-"})) == eval);
  CHECK(refusal_of(json{{"1", "a"}}) == eval);
  CHECK(refusal_of(json::array({"a"})) == "Invalid characters in expression");
  CHECK(refusal_of(json::array({"1", nullptr}))
        == "'in <string>' requires string as left operand, not NoneType");
}
