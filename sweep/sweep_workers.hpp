#pragma once
/// What plays the jobs of a sweep's runs, for all of them together: threads of
/// this process, or child processes (`run.workers`), and the runtime that they
/// belong to. Start it on a thread that outlives it: children end with the
/// thread that started them.

#include "run/cluster_runtime.hpp"
#include "run/worker_children.hpp"
#include "sweep/sweep_file.hpp"

#include <memory>

namespace brewery {

/// The options with which worker processes are started: a set-up says what a
/// run's jobs are, and neither which programs are started nor which data is
/// read. Error ec::invalid_config: the points do not agree in that.
result<config> options_of_workers(const sweep_plan& plan);

class sweep_workers {
public:
  /// `runners` has what runs a run's jobs on threads.
  static result<std::unique_ptr<sweep_workers>> start(const sweep_plan& plan,
                                                      runner_lookup runners);

  [[nodiscard]] cluster_runtime& runtime() { return *runtime_; }
  /// Replaces worker processes that died. Call it regularly, on one thread.
  void restart_ended();

private:
  sweep_workers() = default;
  std::unique_ptr<worker_children> children_; ///< null: threads
  std::unique_ptr<cluster_runtime> runtime_;
};

} // namespace brewery
