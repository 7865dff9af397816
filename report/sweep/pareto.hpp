#pragma once
/// Which points nobody beats at once in cost and score. PURE.

#include <span>
#include <vector>

namespace brewery::sweep_view {

/// What a point costs (less is better) and scores (more is better); finite.
struct cost_and_score {
  double cost = 0;
  double score = 0;
};

/// For each point whether it is on the Pareto front: no other costs at most as
/// much and scores at least as high, and is better in one of both. Equal points
/// are on it together.
std::vector<bool> pareto_front(std::span<const cost_and_score> points);

} // namespace brewery::sweep_view
