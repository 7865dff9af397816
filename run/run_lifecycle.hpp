#pragma once
/// One run, from its directory and configuration to its results. It searches
/// with every strategy, evaluates on the sealed test split, and writes
/// documents and the report. A resumed run executes the same steps; the log
/// answers what is done.

#include "actors/progress.hpp"
#include "run/results.hpp"
#include "run/run_executor.hpp"
#include "run/setup/problem.hpp"
#include "run/setup/run_models.hpp"
#include "store/run_directory.hpp"

#include <optional>

namespace brewery {

struct run_inputs {
  config options;
  run_directory directory;
  std::shared_ptr<event_log> log; ///< new, or opened for appending
  run_share share;                ///< relative to other runs of a coordinator
  bool patient = false;           ///< waits for disk space instead of failing
  run_models models;              ///< empty: no role uses one
  /// The run whose recording is replayed; empty: none.
  std::filesystem::path replay;
  /// Whether somebody gave the order to cancel it; called from any thread.
  std::function<bool()> cancelled{};
  /// Whether nobody waits for it any more; ends the wait for disk space.
  std::function<bool()> abandoned{};
  /// Why it must not go on, given what it has cost by now; asked every two
  /// seconds, may be empty.
  std::function<std::optional<error>(double cost_usd)> why_stop{};
  /// Does jobs once for the runs of a sweep; empty: the run does its own.
  job_share_actor jobs_of_others{};
  /// Folders of the other runs of its sweep, for economy.reuse = "sweep".
  std::vector<std::filesystem::path> siblings{};
  /// Gets what runs its jobs, on threads of the process that choose by run, and
  /// null at the end; may be empty.
  std::function<void(std::shared_ptr<const job_runner>)> on_runner{};
  /// The search for the published documents is held once the barrier of this
  /// iteration is on record, and the run with it: it ends with ec::cancelled,
  /// without a final evaluation, and goes on like one that was stopped.
  std::optional<std::uint32_t> hold_after{};
};

/// Callbacks for those who start a run. All are called on one thread, between
/// signals.
struct run_observer {
  std::function<void()> on_interrupt; ///< at the first Ctrl-C or SIGTERM
  std::function<void(const progress_view&)> on_progress;
};

/// Executes a run in its own process and blocks until it ends. Threads or
/// worker processes run the jobs, depending on the options. Error ec::cancelled
/// if it was interrupted: then every finished result is in the log and the run
/// can be resumed.
result<run_summary> run_to_end(run_inputs inputs, const problem& what,
                               const run_observer& observer);

/// Executes a run on a shared runtime. `on_executor` is called with the run
/// executor when it exists and with null at the end, so that others can watch
/// and stop it.
result<run_summary>
run_on_cluster(cluster_runtime& on, run_inputs inputs, const problem& what,
               const std::function<void(run_executor*)>& on_executor);

} // namespace brewery
