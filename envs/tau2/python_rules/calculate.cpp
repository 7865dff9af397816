#include "envs/tau2/python_rules/calculate.hpp"

#include "envs/tau2/python_rules/py_arithmetic.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace brewery::tau2 {

namespace {

error fails(std::string text) {
  return {ec::invalid_argument, std::move(text)};
}

/// Python's grammar, restricted to numbers, operators and parentheses. Other
/// valid expressions, such as (), ... and 2(3), give no number, so they are
/// errors too.
class parser {
public:
  explicit parser(std::string_view text) : rest_(text) {}

  result<py_value> whole() {
    auto value = sum();
    if (value && !peek().empty()) return invalid();
    return value;
  }

private:
  /// The limit of Python's tokenizer.
  static constexpr int deepest = 200;

  static error invalid() { return fails("invalid syntax"); }

  /// The remaining text, without leading spaces.
  std::string_view peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    return rest_;
  }

  bool take(std::string_view token) {
    if (!peek().starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<py_operator> take_sum() {
    if (take("+")) return py_operator::add;
    if (take("-")) return py_operator::subtract;
    return {};
  }

  std::optional<py_operator> take_product() {
    // power() has already taken **; here it would follow a sign.
    if (take("//")) return py_operator::floor_divide;
    if (take("/")) return py_operator::divide;
    if (take("*")) return py_operator::multiply;
    return {};
  }

  result<py_value> sum() {
    auto value = product();
    while (value) {
      const auto op = take_sum();
      if (!op) break;
      const auto right = product();
      if (!right) return right;
      value = py_apply(*op, *value, *right);
    }
    return value;
  }

  result<py_value> product() {
    auto value = factor();
    while (value) {
      const auto op = take_product();
      if (!op) break;
      const auto right = factor();
      if (!right) return right;
      value = py_apply(*op, *value, *right);
    }
    return value;
  }

  /// Signs bind weaker than a power to their right: -2**2 is -4.
  result<py_value> factor() {
    bool negative = false;
    for (;;) {
      if (take("-"))
        negative = !negative;
      else if (!take("+"))
        break;
    }
    auto value = power();
    if (value && negative) return py_negated(*value);
    return value;
  }

  result<py_value> power() {
    auto base = atom();
    if (!base || !take("**")) return base;
    const auto exponent = factor();
    if (!exponent) return exponent;
    return py_apply(py_operator::power, *base, *exponent);
  }

  result<py_value> atom() {
    if (!take("(")) return number();
    if (++depth_ > deepest) return fails("too many nested parentheses");
    auto value = sum();
    --depth_;
    if (value && !take(")")) return invalid();
    return value;
  }

  result<py_value> number() {
    const auto digits = [](std::string_view text) {
      return std::min(text.find_first_not_of("0123456789"), text.size());
    };
    const std::string_view text = peek();
    const std::size_t whole = digits(text);
    std::size_t size = whole;
    if (size < text.size() && text[size] == '.')
      size += 1 + digits(text.substr(size + 1));
    if (size == 0 || (whole == 0 && size == 1)) return invalid();
    const std::string token{text.substr(0, size)};
    rest_.remove_prefix(size);
    if (size > whole) return py_value{std::strtod(token.c_str(), nullptr)};
    const auto first = token.find_first_not_of('0');
    if (first == std::string::npos) return py_value{big_int{0}};
    // Python refuses leading zeros.
    if (first != 0)
      return fails("leading zeros in decimal integer literals "
                   "are not permitted");
    return py_value{big_int{token}};
  }

  std::string_view rest_;
  int depth_ = 0;
};

} // namespace

result<std::string> calculate(const json& expression) {
  if (!expression.is_string())
    return fails(fmt::format("expression must be a text, not '{}'",
                             py_type_name(expression)));
  const auto& text = expression.get_ref<const std::string&>();
  if (text.find_first_not_of("0123456789+-*/(). ") != std::string::npos)
    return fails("Invalid characters in expression");
  if (text.size() > longest_expression)
    return fails(fmt::format("the expression has {} characters, at most {} are "
                             "calculated",
                             text.size(), longest_expression));
  const auto value = parser{text}.whole();
  if (!value) return value.error();
  const auto number = py_to_float(*value);
  if (!number) return number.error();
  return py_float(py_round2(*number));
}

} // namespace brewery::tau2
