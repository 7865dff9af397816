#include "envs/tau2/python_rules/calculate.hpp"

#include "envs/tau2/functions.hpp"
#include "envs/tau2/python_rules/py_arithmetic.hpp"
#include "envs/tau2/python_rules/py_syntax.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace brewery::tau2 {

namespace {

/// The text of a value, as it begins some errors of calls.
std::string value_text(const py_value& value) {
  if (const auto* whole = std::get_if<big_int>(&value)) return whole->str();
  if (const auto* real = std::get_if<double>(&value)) return py_float(*real);
  if (const auto* pair = std::get_if<py_complex>(&value))
    return fmt::format("({}+{}j)", pair->real(), pair->imag());
  return std::holds_alternative<empty_tuple>(value) ? "()" : "Ellipsis";
}

/// Evaluates a valid expression from left to right. The first error ends it.
class evaluator {
public:
  explicit evaluator(const std::vector<py_token>& tokens) : next_(&tokens[0]) {}

  result<py_value> sum() {
    auto value = product();
    while (value) {
      const auto* sign = take(kind::sign);
      if (sign == nullptr) break;
      const auto right = product();
      if (!right) return right;
      value =
          py_apply(sign->text == "+" ? py_operator::add : py_operator::subtract,
                   *value, *right);
    }
    return value;
  }

private:
  using kind = py_token_kind;

  const py_token* take(kind wanted) {
    return next_->kind == wanted ? next_++ : nullptr;
  }

  std::optional<py_operator> take_product() {
    if (take(kind::star) != nullptr) return py_operator::multiply;
    const auto* slash = take(kind::slash);
    if (slash == nullptr) return {};
    return slash->text == "/" ? py_operator::divide : py_operator::floor_divide;
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
    const auto* first = next_;
    while (take(kind::sign) != nullptr)
      ;
    const auto* sign = next_;
    auto value = power();
    while (value && sign != first)
      value = py_signed((--sign)->text.front(), *value);
    return value;
  }

  result<py_value> power() {
    auto base = called();
    if (!base || take(kind::power) == nullptr) return base;
    const auto exponent = factor();
    if (!exponent) return exponent;
    return py_apply(py_operator::power, *base, *exponent);
  }

  /// A value before an opening parenthesis is called, and no value can be. The
  /// argument is evaluated first.
  result<py_value> called() {
    auto value = atom();
    if (!value || take(kind::open) == nullptr) return value;
    const auto stars = next_->kind;
    if (stars == kind::star || stars == kind::power) ++next_;
    if (take(kind::close) == nullptr) {
      const auto argument = sum();
      if (!argument) return argument;
      if (const auto refusal = unpacked(*value, stars, *argument))
        return *refusal;
    }
    return refused(
        fmt::format("'{}' object is not callable", py_type_name(*value)));
  }

  /// Why the argument cannot be unpacked, if it should be.
  static std::optional<error> unpacked(const py_value& callee, kind stars,
                                       const py_value& argument) {
    const bool tuple = std::holds_alternative<empty_tuple>(argument);
    if (stars == kind::power || (stars == kind::star && !tuple))
      return refused(fmt::format("{} argument after {}, not {}",
                                 value_text(callee),
                                 stars == kind::star ? "* must be an iterable"
                                                     : "** must be a mapping",
                                 py_type_name(argument)));
    return {};
  }

  result<py_value> atom() {
    if (take(kind::ellipsis) != nullptr) return py_value{py_ellipsis{}};
    if (take(kind::open) == nullptr) return number();
    if (take(kind::close) != nullptr) return py_value{empty_tuple{}};
    auto value = sum();
    (void)take(kind::close);
    return value;
  }

  result<py_value> number() {
    const std::string digits{take(kind::number)->text};
    if (digits.find('.') != std::string::npos)
      return py_value{std::strtod(digits.c_str(), nullptr)};
    const auto first = digits.find_first_not_of('0');
    return py_value{first == std::string::npos ? big_int{0} : big_int{digits}};
  }

  const py_token* next_;
};

/// The check of the reference: each element of what is given, a text or not,
/// must be in the text of allowed characters.
result<void> check_characters(const json& expression) {
  constexpr std::string_view allowed = "0123456789+-*/(). ";
  const error others = refused("Invalid characters in expression");
  if (expression.is_string()) {
    const auto& text = expression.get_ref<const std::string&>();
    if (text.find_first_not_of(allowed) != std::string::npos) return others;
    return {};
  }
  const auto elements = py_elements(expression);
  if (!elements) return elements.error();
  for (const json& element : *elements) {
    if (!element.is_string())
      return refused(
          fmt::format("'in <string>' requires string as left operand, "
                      "not {}",
                      py_type_name(element)));
    if (allowed.find(element.get_ref<const std::string&>())
        == std::string_view::npos)
      return others;
  }
  return refused("eval() arg 1 must be a string, bytes or code object");
}

} // namespace

result<std::string> calculate(const json& expression) {
  if (auto ok = check_characters(expression); !ok) return ok.error();
  const auto& text = expression.get_ref<const std::string&>();
  if (text.size() > longest_expression)
    return refused(
        fmt::format("the expression has {} characters, at most {} are "
                    "calculated",
                    text.size(), longest_expression));
  const auto tokens = py_expression(text);
  if (!tokens) return tokens.error();
  const auto value = evaluator{*tokens}.sum();
  if (!value) return value.error();
  const auto number = py_to_float(*value);
  if (!number) return number.error();
  return py_float(py_round2(*number));
}

} // namespace brewery::tau2
