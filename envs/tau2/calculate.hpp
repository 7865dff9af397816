#pragma once
/// The calculator that the tool kits of retail and airline share: Python's
/// arithmetic on digits, + - * / ( ) . and spaces, which allows ** and // too.
///
/// Deviations from the reference, which hands the text to Python: at most
/// `longest_expression` characters, no int beyond `largest_int_bits`
/// (py_arithmetic.hpp), and failures agree in being failures, not in their
/// words.

#include "envs/environment.hpp"

namespace brewery::tau2 {

inline constexpr std::size_t longest_expression = 4096;

/// The value as a float, rounded to two places, as str() writes it: "2.67",
/// "-0.0", "1e+17", "inf". Not a text, other characters, not an expression, a
/// division by zero or a value that is no float: ec::invalid_argument.
result<std::string> calculate(const json& expression);

} // namespace brewery::tau2
