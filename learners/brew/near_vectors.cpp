#include "learners/brew/near_vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace brewery {

namespace {

constexpr std::size_t block = 64;
/// Above what sums of doubles are off by.
constexpr double rounding = 1e-9;

/// Of `count` values; four sums, because one would wait for itself.
double dot(const double* a, const double* b, std::size_t count) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size())
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] += a[i + j] * b[i + j];
  for (; i < count; ++i)
    sums[0] += a[i] * b[i];
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

} // namespace

compared_vector::compared_vector(const std::vector<double>& values)
    : values_(&values), behind_((values.size() + block - 1) / block) {
  double square = 0;
  for (auto at = behind_.size(); at-- > 0;) {
    behind_[at] = std::sqrt(square);
    const auto* begin = values.data() + at * block;
    square += dot(begin, begin, std::min(block, values.size() - at * block));
  }
}

double compared_vector::dot_from(double least,
                                 const compared_vector& other) const {
  const auto& a = *values_;
  const auto& b = *other.values_;
  double sum = 0;
  for (std::size_t at = 0; at < behind_.size(); ++at) {
    const auto begin = at * block;
    sum += dot(a.data() + begin, b.data() + begin,
               std::min(block, a.size() - begin));
    if (const auto most = sum + behind_[at] * other.behind_[at];
        most + rounding < least)
      return most;
  }
  return sum;
}

} // namespace brewery
