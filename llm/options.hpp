#pragma once
/// Which models there are and what may be spent on them. Plain values;
/// config/schema_models.cpp describes and bounds each field.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

/// `[models]`: the catalog of servers and models, a file of its own, since it
/// belongs to a machine or a team and not to a search.
struct models_options {
  std::filesystem::path catalog;

  bool operator==(const models_options&) const = default;
};

/// `[budget]`: of one search; 0 is no limit. What a run spent before it was
/// interrupted counts.
struct budget_options {
  double max_cost_usd = 0;
  std::uint64_t max_tokens = 0; ///< prompt and completion
  std::uint64_t max_calls = 0;
  double max_hours = 0; ///< of wall time, of the process
  /// "integrator cost_usd=5 tokens=100000 calls=200": limits of single roles.
  std::vector<std::string> roles;

  bool operator==(const budget_options&) const = default;
};

} // namespace brewery
