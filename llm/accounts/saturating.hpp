#pragma once
/// Integer sums that stop at the largest value instead of overflowing, for
/// numbers that come from outside. Pure.

#include <limits>

namespace brewery {

/// For numbers of at least 0.
template <class T>
constexpr T saturating_sum(T a, T b) {
  T out{};
  return __builtin_add_overflow(a, b, &out) ? std::numeric_limits<T>::max()
                                            : out;
}

/// In the type of the first; for numbers of at least 0.
template <class T, class U>
constexpr T saturating_product(T a, U b) {
  T out{};
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<T>::max()
                                            : out;
}

} // namespace brewery
