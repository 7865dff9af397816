#pragma once
/// What `brewery sweep` says before and after: the estimate, the closing table.

#include "run/setup/estimate.hpp"
#include "sweep/sweep_runner.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

/// A row for each point: mean scores over its finished runs, rollouts, cost.
std::string sweep_table(const sweep_outcome& played);
nlohmann::ordered_json sweep_json(const sweep_outcome& played);

/// What one run of a point would play alone.
struct point_estimate {
  std::string name;
  range rollouts, documents;
  std::uint32_t iterations = 0;
  std::vector<range> to_rung{}; ///< rollouts up to each rung of halving
};

/// `halving` may be null.
std::string estimate_text(const std::vector<point_estimate>& points,
                          std::size_t seeds, const halving_plan* halving);
nlohmann::ordered_json estimate_json(const std::vector<point_estimate>& points,
                                     std::size_t seeds,
                                     const halving_plan* halving);

} // namespace brewery
