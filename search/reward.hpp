#pragma once
/// The reward of a document version (BREW, arXiv:2511.20297, equations 6 to 8):
///
///   R      = lambda_corr * R_corr + lambda_ret * R_ret
///   R_corr = mean grade over the concept's evaluation queries
///   R_ret  = mean reciprocal rank of the document for the same queries
///
/// All three are in [0, 1], because grades and reciprocal ranks are, and the
/// weights add up to 1. The caller computes the ranks: this folder handles no
/// text.

#include "base/result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>

namespace brewery {

struct reward_weights {
  double correctness = 0.5; ///< lambda_corr, in [0, 1]
  double retrieval = 0.5;   ///< lambda_ret = 1 - lambda_corr

  bool operator==(const reward_weights&) const = default;
};

/// Error ec::invalid_argument: a weight is outside [0, 1], or the sum differs
/// from 1 by more than 1e-9 (0.7 and 0.3 pass).
inline result<void> validate(const reward_weights& weights) {
  const auto inside = [](double x) { return x >= 0 && x <= 1; }; // NaN: false
  const double sum = weights.correctness + weights.retrieval;
  if (inside(weights.correctness) && inside(weights.retrieval)
      && std::abs(sum - 1) <= 1e-9)
    return {};
  return error{ec::invalid_argument,
               fmt::format("reward weights correctness = {}, retrieval = {} "
                           "must each be in [0, 1] and add up to 1",
                           weights.correctness, weights.retrieval)};
}

inline double combine(const reward_weights& weights, double correctness,
                      double retrieval) {
  return weights.correctness * correctness + weights.retrieval * retrieval;
}

/// 1/rank of a 1-based rank; 0 for rank 0, which means "not retrieved".
inline double reciprocal_rank(std::size_t rank) {
  return rank == 0 ? 0.0 : 1.0 / static_cast<double>(rank);
}

/// Mean, summed in the given order so that equal inputs give equal bits; 0 for
/// an empty span.
inline double mean_grade(std::span<const double> grades) {
  double sum = 0;
  for (const double grade : grades)
    sum += grade;
  return grades.empty() ? 0.0 : sum / static_cast<double>(grades.size());
}

} // namespace brewery
