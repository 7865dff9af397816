#pragma once
/// One run from its directory and configuration to its results: searches with
/// every strategy, evaluates on the sealed split, writes documents and report.
/// A resumed run goes through the same steps; the log answers what was done.

#include "apps/engine.hpp"
#include "apps/problem.hpp"
#include "apps/progress_printer.hpp"
#include "apps/results.hpp"
#include "apps/run_models.hpp"
#include "store/run_directory.hpp"

namespace brewery {

struct session_inputs {
  config options;
  run_directory directory;
  std::shared_ptr<event_log> log; ///< new, or opened for appending
  search_share share;             ///< beside other runs of a coordinator
  bool patient = false;           ///< wait for disk space, do not fail
  run_models models;              ///< empty: no role uses one
  std::filesystem::path replay;   ///< run whose recording answers; empty: none
};

/// Blocks until the run is over, in a process of its own: threads or worker
/// processes do the work, as the options say. ec::cancelled when it was
/// interrupted: then everything finished is in the log and the run can be
/// resumed.
result<run_summary> run_session(session_inputs inputs, const problem& what,
                                progress_style progress);

/// The same on a runtime that others use too; `on_engine` is told of the engine
/// while there is one (null at the end), so that it can be watched and stopped.
result<run_summary>
run_session_on(runtime& on, session_inputs inputs, const problem& what,
               const std::function<void(engine*)>& on_engine);

} // namespace brewery
