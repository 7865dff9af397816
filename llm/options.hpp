#pragma once
/// The options of the model catalog and the budget. Plain values;
/// config/schema_models.cpp describes and bounds each field.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

/// `[models]`: the catalog of servers and models. It is a separate file,
/// because it belongs to a machine or a team and not to one search.
struct models_options {
  std::filesystem::path catalog;

  bool operator==(const models_options&) const = default;
};

/// `[budget]`: the limits of one run; 0 means unlimited. What the run spent
/// before an interruption counts.
struct budget_options {
  double max_cost_usd = 0;
  std::uint64_t max_tokens = 0; ///< prompt and completion tokens
  std::uint64_t max_calls = 0;
  double max_hours = 0; ///< wall time of the process
  /// Limits of single roles: "integrator cost_usd=5 tokens=100000 calls=200".
  std::vector<std::string> roles;

  bool operator==(const budget_options&) const = default;
};

} // namespace brewery
