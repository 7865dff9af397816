#pragma once
/// How much a sweep would play, what that costs and how long it takes, before
/// anything runs: `brewery sweep --estimate`, and the first lines of a sweep.

#include "run/setup/estimate.hpp"
#include "sweep/sweep_runner.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

struct work_estimate {
  range rollouts, documents;
  range cost_usd, seconds; ///< of models; seconds if calls are sequential
  work_estimate& operator+=(const work_estimate& other);
};

/// What one run of a point would play alone.
struct point_estimate {
  std::string name;
  work_estimate work;
  std::uint32_t iterations = 0;
  std::vector<range> to_rung{}; ///< rollouts up to each rung of halving
};

struct sweep_estimate {
  std::vector<point_estimate> points;
  /// Of all points with one seed, what they begin with alike played once.
  work_estimate shared;
  std::size_t seeds = 1, at_once = 1;
  bool uses_models = false;
  std::vector<std::string> unpriced; ///< models whose cost counts as 0
  std::optional<halving_plan> halving;
};

/// Reads the data of each point. Error: it cannot be read, or the catalog of
/// its models, with the point.
result<sweep_estimate> estimate_sweep(const sweep_plan& plan);

/// A row for each point, and the totals.
std::string estimate_text(const sweep_estimate& made);
/// The totals alone, before a sweep begins.
std::string estimate_totals(const sweep_estimate& made);
nlohmann::ordered_json estimate_json(const sweep_estimate& made);

} // namespace brewery
