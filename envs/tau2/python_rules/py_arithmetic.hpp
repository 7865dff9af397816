#pragma once
/// Python's arithmetic on ints of any size and floats: the result types,
/// rounding and errors of the operations.

#include "base/result.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <variant>

namespace brewery::tau2 {

/// Python's ints are limited only by memory. This limit keeps a product below a
/// fraction of a millisecond. It is sixteen times the size of the largest
/// float.
inline constexpr unsigned largest_int_bits = 16384;

using big_int =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                  boost::multiprecision::et_off>;
using py_value = std::variant<big_int, double>;

enum class py_operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,       ///< /: always a float
  floor_divide, ///< //: rounds down
  power,        ///< **: a float if the exponent of an int is negative
};

/// Error ec::invalid_argument for a division by zero, a value too large for its
/// type, and complex results. Floats overflow to infinity where Python allows
/// it.
result<py_value> py_apply(py_operator op, const py_value& a, const py_value& b);

py_value py_negated(const py_value& value);

/// float(value): correctly rounded; an error if it is too large.
result<double> py_to_float(const py_value& value);

} // namespace brewery::tau2
