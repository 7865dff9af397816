#pragma once
/// What `brewery sweep` says at its end.

#include "sweep/sweep_runner.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

/// A row for each point: mean scores over its finished runs, rollouts, cost.
std::string sweep_table(const sweep_outcome& played);
nlohmann::ordered_json sweep_json(const sweep_outcome& played);

} // namespace brewery
