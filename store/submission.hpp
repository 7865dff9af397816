#pragma once
/// `submission.json` in a run directory: what was ordered of a coordinator's
/// run. Only the coordinator writes it; a run of no coordinator has none.

#include "store/run_directory.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace brewery {

struct submission {
  double weight = 1;
  std::int32_t priority = 0;
  bool cancelled = false;
  std::string group{}; ///< runs of the same share jobs; empty: of none
  /// Its point's place in the sweep's file, from 0; empty: of no sweep, or
  /// ordered by an older release.
  std::optional<std::uint32_t> group_point{};
  /// Limits of the group (run/group_limit.hpp), alike in all its runs.
  double group_max_cost_usd = 0;
  double group_max_hours = 0;
  std::uint32_t group_at_once = 0; ///< runs side by side; 0: all
  /// Held once the barrier of this iteration is on record; empty: to its end.
  std::optional<std::uint32_t> hold_after{};
  /// What its asker called the order; the same one is no other run.
  std::string order{};
};

/// Error ec::not_found if the run was not submitted to a coordinator.
result<submission> read_submission(const run_directory& directory);
result<void> write_submission(const run_directory& directory,
                              const submission& about);

} // namespace brewery
