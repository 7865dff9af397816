#pragma once
/// Upper confidence bounds applied to trees (UCT).
///
///   UCT(i) = mean_i + c * sqrt(ln N / n_i)
///
/// mean_i is the mean reward of the subtree of child i, n_i its visits, N the
/// visits of the parent. c is `search_options::exploration`, times the range of
/// all rewards unless that is off. A child without visits has an infinite
/// bound, so every child is tried once. Ties go to the lower node id.
///
/// Differences from other variants. There is one player, so rewards do not
/// alternate in sign. There is no prior (PUCT) and no random play-out: a node's
/// reward is measured once, when the node is created, and averaged upwards. n_i
/// counts evaluated nodes in the subtree; a node that is scored again is still
/// one visit.
///
/// References:
///   - Auer, Cesa-Bianchi, Fischer: Finite-time analysis of the multiarmed
///     bandit problem, 2002 (UCB1).
///   - Kocsis, Szepesvari: Bandit based Monte-Carlo planning, ECML 2006 (UCT).
///   - BREW (arXiv:2511.20297), section 3.3 and algorithm 1 line 15.

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace brewery {

inline constexpr double uct_exploration = std::numbers::sqrt2;

/// `log_parent_visits` is ln N; the caller computes it once per parent. N >=
/// n_i holds in every tree, so ln N is not negative for visits > 0.
inline double uct(double mean, std::uint32_t visits, double log_parent_visits,
                  double exploration = uct_exploration) {
  if (visits == 0) return std::numeric_limits<double>::infinity();
  return mean
         + exploration
               * std::sqrt(log_parent_visits / static_cast<double>(visits));
}

} // namespace brewery
