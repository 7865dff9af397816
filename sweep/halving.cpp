#include "sweep/halving.hpp"

#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brewery {

namespace {

/// Makes 0.29 * 100, which is slightly less than 29, keep 29.
constexpr double rounding = 1e-9;

double score_of(const point_at_rung& at) {
  const auto score = mean(at.rewards);
  return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
}

} // namespace

std::size_t kept_of(std::size_t points, double keep) {
  if (points < 2) return points;
  const auto exact = keep * static_cast<double>(points) + rounding;
  return std::clamp<std::size_t>(static_cast<std::size_t>(exact), 1,
                                 points - 1);
}

std::vector<std::size_t> points_by_stretch(std::size_t points,
                                           const halving_plan& halving) {
  std::vector<std::size_t> out{points};
  for (std::size_t i = 0; i < halving.after.size(); ++i)
    out.push_back(kept_of(out.back(), halving.keep));
  return out;
}

rung_decision decide_rung(const std::vector<point_at_rung>& points,
                          double keep) {
  std::vector<scored_point> ranked;
  for (const auto& at : points)
    ranked.push_back({at.point, score_of(at)});
  std::ranges::sort(ranked, [](const scored_point& a, const scored_point& b) {
    return a.score != b.score ? a.score > b.score : a.point < b.point;
  });
  const auto last = ranked.begin()
                    + static_cast<std::ptrdiff_t>(kept_of(ranked.size(), keep));
  rung_decision out;
  for (auto at = ranked.begin(); at != last; ++at)
    out.kept.push_back(at->point);
  out.cut.assign(last, ranked.end());
  std::ranges::sort(out.kept);
  std::ranges::sort(out.cut, {}, &scored_point::point);
  return out;
}

} // namespace brewery
