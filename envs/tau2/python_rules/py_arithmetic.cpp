#include "envs/tau2/python_rules/py_arithmetic.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace brewery::tau2 {

namespace {

error fails(std::string text) {
  return {ec::invalid_argument, std::move(text)};
}

error too_large() {
  return fails("the number is too large to calculate with");
}

/// Position of the highest bit; the value is not 0.
int highest_bit(const big_int& magnitude) {
  return static_cast<int>(boost::multiprecision::msb(magnitude));
}

/// magnitude * 2^exponent, plus a small amount if `inexact`, rounded to the
/// nearest float, ties to even. Infinity if too large.
double rounded(const big_int& magnitude, int exponent, bool inexact) {
  if (magnitude == 0) return 0;
  const int top = highest_bit(magnitude) + exponent;
  if (top > 1023) return HUGE_VAL;
  // Below 2^-1022 the last place of a float stays at 2^-1074.
  const int last_place = std::max(top - 52, -1074);
  const int drop = last_place - exponent;
  // If the magnitude has fewer bits than needed, no bit is lost.
  if (drop <= 0) return std::ldexp(magnitude.convert_to<double>(), exponent);
  const big_int mantissa = magnitude >> drop;
  const big_int rest = magnitude - (mantissa << drop);
  const big_int half = big_int{1} << (drop - 1);
  const bool up =
      rest > half || (rest == half && (inexact || (mantissa & 1) != 0));
  return std::ldexp((mantissa + (up ? 1 : 0)).convert_to<double>(), last_place);
}

/// a / b of ints: rounds the exact quotient, not that of their floats.
result<py_value> true_quotient(const big_int& a, const big_int& b) {
  if (b == 0) return fails("division by zero");
  if (a == 0) return py_value{b < 0 ? -0.0 : 0.0};
  big_int above = abs(a), below = abs(b);
  // The quotient has at least 66 bits; further bits only break ties.
  const int shift = 66 - (highest_bit(above) - highest_bit(below));
  if (shift > 0)
    above <<= shift;
  else
    below <<= -shift;
  const big_int quotient = above / below;
  const double value = rounded(quotient, -shift, quotient * below != above);
  if (std::isinf(value))
    return fails("integer division result too large for a float");
  return py_value{(a < 0) != (b < 0) ? -value : value};
}

result<py_value> floor_quotient(const big_int& a, const big_int& b) {
  if (b == 0) return fails("integer division or modulo by zero");
  big_int quotient = a / b;
  if (quotient * b != a && (a < 0) != (b < 0)) --quotient;
  return py_value{std::move(quotient)};
}

result<py_value> floor_quotient(double a, double b) {
  if (b == 0) return fails("float floor division by zero");
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return py_value{std::copysign(0.0, a / b)};
  double whole = std::floor(quotient);
  if (quotient - whole > 0.5) whole += 1;
  return py_value{whole};
}

result<py_value> complex_power(py_complex base, py_complex exponent) {
  if (exponent == 0.0) return py_value{py_complex{1}};
  if (base == 0.0) {
    if (exponent.imag() != 0 || exponent.real() < 0)
      return fails("0.0 to a negative or complex power");
    return py_value{py_complex{}};
  }
  const py_complex value = std::pow(base, exponent);
  if (std::isinf(value.real()) || std::isinf(value.imag()))
    return fails("complex exponentiation");
  return py_value{value};
}

/// Finite cases are as in C; infinities and NaN agree with C99 too.
result<py_value> float_power(double base, double exponent) {
  if (base == 0 && exponent < 0)
    return fails("0.0 cannot be raised to a negative power");
  const bool finite = std::isfinite(base) && std::isfinite(exponent);
  if (finite && base < 0 && exponent != std::floor(exponent))
    return complex_power(base, exponent);
  const double value = std::pow(base, exponent);
  if (finite && std::isinf(value))
    return fails("(34, 'Numerical result out of range')");
  return py_value{value};
}

/// The exponent must not be negative.
result<py_value> int_power(const big_int& base, const big_int& exponent) {
  if (exponent == 0) return py_value{big_int{1}};
  const big_int magnitude = abs(base);
  if (magnitude <= 1) return py_value{(exponent & 1) == 0 ? magnitude : base};
  if (exponent > largest_int_bits
      || exponent * highest_bit(magnitude) > largest_int_bits)
    return too_large();
  return py_value{big_int{
      boost::multiprecision::pow(base, exponent.convert_to<unsigned>())}};
}

result<py_value> apply(py_operator op, double a, double b) {
  switch (op) {
  case py_operator::add:
    return py_value{a + b};
  case py_operator::subtract:
    return py_value{a - b};
  case py_operator::multiply:
    return py_value{a * b};
  case py_operator::divide:
    if (b == 0) return fails("float division by zero");
    return py_value{a / b};
  case py_operator::floor_divide:
    return floor_quotient(a, b);
  default:
    return float_power(a, b);
  }
}

result<py_value> apply(py_operator op, const big_int& a, const big_int& b) {
  switch (op) {
  case py_operator::add:
    return py_value{big_int{a + b}};
  case py_operator::subtract:
    return py_value{big_int{a - b}};
  case py_operator::multiply:
    return py_value{big_int{a * b}};
  case py_operator::divide:
    return true_quotient(a, b);
  case py_operator::floor_divide:
    return floor_quotient(a, b);
  default:
    return int_power(a, b);
  }
}

bool is_number(const py_value& value) {
  return !std::holds_alternative<empty_tuple>(value)
         && !std::holds_alternative<py_ellipsis>(value);
}

bool is_complex(const py_value& value) {
  return std::holds_alternative<py_complex>(value);
}

error unsupported(py_operator op, const py_value& a, const py_value& b) {
  constexpr std::array symbols{"+", "-", "*", "/", "//", "** or pow()"};
  return fails(fmt::format("unsupported operand type(s) for {}: '{}' and '{}'",
                           symbols[static_cast<std::size_t>(op)],
                           py_type_name(a), py_type_name(b)));
}

/// One of the values is no number. Only the empty tuple has operators: + with
/// another and * with an int.
result<py_value> apply_to_object(py_operator op, const py_value& a,
                                 const py_value& b) {
  const bool left = std::holds_alternative<empty_tuple>(a);
  const bool right = std::holds_alternative<empty_tuple>(b);
  if (op == py_operator::add && left) {
    if (right) return a;
    return fails(fmt::format("can only concatenate tuple (not \"{}\") to tuple",
                             py_type_name(b)));
  }
  if (op != py_operator::multiply || (!left && !right))
    return unsupported(op, a, b);
  const py_value& count = left ? b : a;
  const auto* whole = std::get_if<big_int>(&count);
  if (whole == nullptr)
    return fails(fmt::format("can't multiply sequence by non-int of type '{}'",
                             py_type_name(count)));
  if (*whole > INT64_MAX || *whole < INT64_MIN)
    return fails("cannot fit 'int' into an index-sized integer");
  return py_value{empty_tuple{}};
}

result<py_complex> to_complex(const py_value& value) {
  if (const auto* same = std::get_if<py_complex>(&value)) return *same;
  const auto real = py_to_float(value);
  if (!real) return real.error();
  return py_complex{*real};
}

result<py_value> apply_to_complex(py_operator op, const py_value& a,
                                  const py_value& b) {
  if (op == py_operator::floor_divide) return unsupported(op, a, b);
  const auto x = to_complex(a), y = to_complex(b);
  if (!x) return x.error();
  if (!y) return y.error();
  switch (op) {
  case py_operator::add:
    return py_value{*x + *y};
  case py_operator::subtract:
    return py_value{*x - *y};
  case py_operator::multiply:
    return py_value{*x * *y};
  case py_operator::divide:
    if (*y == 0.0) return fails("complex division by zero");
    return py_value{*x / *y};
  default:
    return complex_power(*x, *y);
  }
}

} // namespace

std::string_view py_type_name(const py_value& value) {
  constexpr std::array<std::string_view, std::variant_size_v<py_value>> names{
      "int", "float", "complex", "tuple", "ellipsis"};
  return names[value.index()];
}

result<py_value> py_apply(py_operator op, const py_value& a,
                          const py_value& b) {
  if (!is_number(a) || !is_number(b)) return apply_to_object(op, a, b);
  if (is_complex(a) || is_complex(b)) return apply_to_complex(op, a, b);
  const auto* whole_a = std::get_if<big_int>(&a);
  const auto* whole_b = std::get_if<big_int>(&b);
  const bool ints = whole_a != nullptr && whole_b != nullptr;
  if (ints && !(op == py_operator::power && *whole_b < 0)) {
    auto value = apply(op, *whole_a, *whole_b);
    if (!value) return value;
    if (const auto* whole = std::get_if<big_int>(&*value);
        whole != nullptr && *whole != 0
        && highest_bit(abs(*whole)) >= static_cast<int>(largest_int_bits))
      return too_large();
    return value;
  }
  const auto x = py_to_float(a), y = py_to_float(b);
  if (!x) return x.error();
  if (!y) return y.error();
  return apply(op, *x, *y);
}

result<py_value> py_signed(char sign, const py_value& value) {
  if (!is_number(value))
    return fails(fmt::format("bad operand type for unary {}: '{}'", sign,
                             py_type_name(value)));
  if (sign == '+') return value;
  if (const auto* whole = std::get_if<big_int>(&value))
    return py_value{big_int{-*whole}};
  if (const auto* real = std::get_if<double>(&value)) return py_value{-*real};
  return py_value{-std::get<py_complex>(value)};
}

result<double> py_to_float(const py_value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<big_int>(&value)) {
    const double magnitude = rounded(abs(*whole), 0, false);
    if (std::isinf(magnitude))
      return fails("int too large to convert to float");
    return *whole < 0 ? -magnitude : magnitude;
  }
  return fails(fmt::format("float() argument must be a string or a real "
                           "number, not '{}'",
                           py_type_name(value)));
}

} // namespace brewery::tau2
