#pragma once
/// Upper confidence bounds applied to trees (UCT).
///
///   UCT(i) = mean_i + c * sqrt(ln N / n_i)
///
/// mean_i is the mean reward of the subtree of child i, n_i its visits, N the
/// visits of the parent, c = sqrt(2) unless configured: UCB1's constant, for
/// rewards in [0, 1]. A child without visits has an infinite bound, so every
/// child is tried once; ties go to the lower node id.
///
/// What this is not: rewards are the search's own (one player, no alternation),
/// there is no prior (PUCT) and no random play-out: a node's reward is measured
/// once, when it is made, and averaged upwards. n_i counts evaluated nodes in
/// the subtree; a node that is scored again is still one visit.
///
/// References:
///   - Auer, Cesa-Bianchi, Fischer: Finite-time analysis of the multiarmed
///     bandit problem, 2002 (UCB1).
///   - Kocsis, Szepesvari: Bandit based Monte-Carlo planning, ECML 2006 (UCT).
///   - papers/000, section 3.3 and algorithm 1 line 15.

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace brewery {

inline constexpr double uct_exploration = std::numbers::sqrt2;

/// `log_parent_visits` is ln N, taken once per parent by the caller. N >= n_i
/// always holds in our trees, so for visits > 0 the logarithm is not negative.
inline double uct(double mean, std::uint32_t visits, double log_parent_visits,
                  double exploration = uct_exploration) {
  if (visits == 0) return std::numeric_limits<double>::infinity();
  return mean
         + exploration
               * std::sqrt(log_parent_visits / static_cast<double>(visits));
}

} // namespace brewery
