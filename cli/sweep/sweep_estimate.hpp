#pragma once
/// How much a sweep would play, before anything runs: `brewery sweep
/// --estimate`, and the first lines of a sweep.

#include "run/setup/estimate.hpp"
#include "sweep/sweep_runner.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

/// What one run of a point would play alone.
struct point_estimate {
  std::string name;
  range rollouts, documents;
  std::uint32_t iterations = 0;
  std::vector<range> to_rung{}; ///< rollouts up to each rung of halving
};

/// Reads the data of each point. Error: it cannot be read, with the point.
result<std::vector<point_estimate>> estimates(const sweep_plan& plan);

/// A row for each point, and the totals. `halving` may be null.
std::string estimate_text(const std::vector<point_estimate>& points,
                          std::size_t seeds, const halving_plan* halving);
/// The totals alone, before a sweep begins.
std::string estimate_totals(const std::vector<point_estimate>& points,
                            std::size_t seeds, const halving_plan* halving);
nlohmann::ordered_json estimate_json(const std::vector<point_estimate>& points,
                                     std::size_t seeds,
                                     const halving_plan* halving);

} // namespace brewery
