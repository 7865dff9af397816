#pragma once
/// Successive halving: at each rung, which is the barrier of an iteration, the
/// points of a sweep are ranked by what their documents come to on eval tasks,
/// and only the best go on. A rung is decided once all runs of all points that
/// are still in it have got there, so the order in which they play decides
/// nothing. The sealed tasks take no part. PURE.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

struct halving_plan {
  std::vector<std::uint32_t> after; ///< iterations, ascending; the rungs
  double keep = 0.5;                ///< share of the points, 0 < keep < 1
  std::string where;                ///< "sweep.toml:9", for messages
};

/// How many of so many points go on from a rung: rounded down, and at least
/// one.
std::size_t kept_of(std::size_t points, double keep);

/// How many points play each stretch: to the first rung, between rungs, from
/// the last one to the end.
std::vector<std::size_t> points_by_stretch(std::size_t points,
                                           const halving_plan& halving);

/// A point that has come to a rung.
struct point_at_rung {
  std::size_t point = 0; ///< its place in the sweep's file
  /// Of each seed: the mean reward of the best documents at the barrier.
  std::vector<double> rewards;
};

struct scored_point {
  std::size_t point = 0;
  double score = 0; ///< mean over the seeds
};

struct rung_decision {
  std::vector<std::size_t> kept; ///< in the order of the file
  std::vector<scored_point> cut; ///< the same
};

/// Of equal scores the point that comes first in the file is the better one; a
/// score that is no number is the worst.
rung_decision decide_rung(const std::vector<point_at_rung>& points,
                          double keep);

} // namespace brewery
