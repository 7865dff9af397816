#pragma once
/// The calculator tool of retail and airline: Python's arithmetic on digits, +
/// - * / ( ) . and spaces, which also allows ** and //.
///
/// It deviates from the reference, which evaluates the text with Python: it
/// takes at most `longest_expression` characters, no int beyond
/// `largest_int_bits` (py_arithmetic.hpp), and more signs in a row than the
/// about 3,000 that Python can compile. The digits of a complex number that is
/// called with * or **, which that error shows, may differ.

#include "envs/environment.hpp"

namespace brewery::tau2 {

inline constexpr std::size_t longest_expression = 4096;

/// The value as a float, rounded to two places, as str() writes it: "2.67",
/// "-0.0", "1e+17", "inf". Error ec::invalid_argument in Python's words for
/// anything but a text, other characters, an invalid expression, a division by
/// zero, or a value that is no float.
result<std::string> calculate(const json& expression);

} // namespace brewery::tau2
