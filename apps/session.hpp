#pragma once
/// One run from its directory and configuration to its results: searches with
/// every strategy, evaluates on the sealed split, writes documents and report.
/// A resumed run goes through the same steps; the log answers what was done.

#include "apps/engine.hpp"
#include "apps/problem.hpp"
#include "apps/progress_printer.hpp"
#include "apps/results.hpp"
#include "store/run_directory.hpp"

namespace brewery {

struct session_inputs {
  config options;
  run_directory directory;
  std::shared_ptr<event_log> log; ///< new, or opened for appending
  progress_style progress = progress_style::none;
};

/// Blocks until the run is over. ec::cancelled when it was interrupted: then
/// everything finished is in the log and the run can be resumed.
result<run_summary> run_session(session_inputs inputs);

/// The roles, runner and fingerprint that a configuration asks for.
struct workshop {
  std::shared_ptr<document_store> documents;
  std::shared_ptr<const job_runner> runner;
  std::shared_ptr<probes> metrics;
  std::string fingerprint;
};

workshop make_workshop(const config& options, const problem& what);

} // namespace brewery
