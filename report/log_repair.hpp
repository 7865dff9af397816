#pragma once
/// What the damage of a run's log costs, and its repair.

#include "store/log_salvage.hpp"
#include "store/run_directory.hpp"

namespace brewery {

/// What is lost with a row, for people.
std::string loss_of(const damaged_row& row);

struct salvaged_log {
  log_check found;
  /// That are made again: those lost, as far as that can be told, and all that
  /// were made after one.
  std::size_t decisions = 0;
  std::filesystem::path kept; ///< the damaged log; empty: nothing was damaged
};

/// Cuts damaged rows out of a run's log, so that the run can go on. Results of
/// jobs are functions of their jobs: one that is lost is computed again, and
/// all others stay. Decisions that were made after a lost one are made again.
result<salvaged_log> salvage_run(const run_directory& run);

} // namespace brewery
