#pragma once
/// Python's arithmetic on the values that its expressions of digits, operators,
/// points and parentheses can have: result types, rounding and errors. Ints
/// have any size.

#include "base/result.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <complex>
#include <cstdint>
#include <string_view>
#include <variant>

namespace brewery::tau2 {

/// Python's ints are limited only by memory. This limit keeps a product below a
/// fraction of a millisecond. It is sixteen times the size of the largest
/// float.
inline constexpr unsigned largest_int_bits = 16384;

using big_int =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                  boost::multiprecision::et_off>;
using py_complex = std::complex<double>;
struct empty_tuple {};
struct py_ellipsis {};

using py_value =
    std::variant<big_int, double, py_complex, empty_tuple, py_ellipsis>;

enum class py_operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,       ///< /: always a float
  floor_divide, ///< //: rounds down
  power,        ///< **: a float if the exponent of an int is negative
};

/// type(value).__name__
std::string_view py_type_name(const py_value& value);

/// Error ec::invalid_argument for a division by zero, a value too large for its
/// type, and types that do not go together. Floats overflow to infinity where
/// Python allows it. The parts of complex results may differ in the last place.
result<py_value> py_apply(py_operator op, const py_value& a, const py_value& b);

/// +value or -value; an error unless it is a number.
result<py_value> py_signed(char sign, const py_value& value);

/// float(value): correctly rounded; an error if it is too large or no real
/// number.
result<double> py_to_float(const py_value& value);

} // namespace brewery::tau2
