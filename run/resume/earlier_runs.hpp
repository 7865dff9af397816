#pragma once
/// Rollouts of earlier runs that may stand in another run: read from their
/// logs when the run begins (economy/rollout_reuse.hpp). Of each run those that
/// scored versions, and the evaluation of the searches' documents; other
/// rollouts may have read more than they were shown.

#include "config/config.hpp"
#include "economy/rollout_reuse.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace brewery {

/// The run that is to reuse them.
struct reusing_run {
  std::filesystem::path folder;
  const config& options; ///< outlives this
  std::string playing;   ///< fingerprint of its rollouts
};

/// Tells `reuse` what the run in the folder has played; returns how many
/// rollouts are known now. Error ec::not_found: there is no run's log.
/// ec::invalid_argument: it has other tasks, another agent, retrieval or seed,
/// or learned otherwise.
result<std::size_t> know_rollouts_of(const std::filesystem::path& folder,
                                     const reusing_run& run,
                                     rollout_reuse& reuse);

/// Whether all runs in economy.reuse_from fit, for use before the run has a
/// folder: only where it would lie counts. Errors as of `know_rollouts_of`.
result<void> check_earlier_runs(const reusing_run& run);

/// What decides which rollouts of the run are played; null: all are. It knows
/// all runs in economy.reuse_from, and with economy.reuse = "sweep" those of
/// `siblings`. A sibling that does not fit is passed over; another run that
/// does not is an error that names it, or, for a run that goes on, a warning.
result<std::unique_ptr<rollout_reuse>>
make_reuse(const reusing_run& run,
           const std::vector<std::filesystem::path>& siblings, bool goes_on,
           std::shared_ptr<const document_store> documents);

} // namespace brewery
