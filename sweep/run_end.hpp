#pragma once
/// What `sweep.json` says of a run that has ended.

#include "config/config.hpp"
#include "run/results.hpp"
#include "sweep/sweep_state.hpp"

namespace brewery {

/// Before it is played or fetched: whether it was cut, and scores, which an
/// extension revokes.
void forget_end(sweep_run& run);

/// `directory` is the sweep's. A run that was stopped stays as it was.
void note_end(sweep_run& run, const result<run_summary>& summary,
              const config& options, const std::filesystem::path& directory);

/// Its rollouts and cost, however far it is.
void note_status(sweep_run& run, const std::filesystem::path& directory);

} // namespace brewery
