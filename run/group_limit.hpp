#pragma once
/// The one budget of runs that belong together: of a sweep, or of a
/// coordinator's group. Whoever plays them sums up what they cost.

#include "base/result.hpp"

#include <chrono>
#include <optional>

namespace brewery {

struct group_limit {
  double max_cost_usd = 0; ///< of all sessions; 0: no limit
  double max_hours = 0;    ///< of one session; 0: no limit
};

/// Why no run may go on; empty: they may. Error ec::over_budget.
std::optional<error> why_over(const group_limit& limit, double cost_usd,
                              std::chrono::duration<double> session);

} // namespace brewery
