#pragma once
/// The metrics of one run, among those of its process: gauges with the run's id
/// as a label, and those of a search with its strategy too. The run's executor
/// owns it; its series end with it, so a finished run shows nothing old. Safe
/// from any thread. No decision depends on a metric.

#include "actors/barrier_sample.hpp"
#include "base/ids.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace brewery {

class process_metrics;

class run_metrics {
public:
  /// `of` must outlive it. Beyond `process_metrics::labelled_runs_max` open
  /// runs it records nothing, so that series stay few.
  run_metrics(process_metrics& of, const run_id& run);
  ~run_metrics();
  run_metrics(const run_metrics&) = delete;
  run_metrics& operator=(const run_metrics&) = delete;

  /// The share of trees that each barrier of the search waits for.
  void set_gather_quorum(const std::string& strategy, double ratio);
  /// `best_reward`: mean over all trees of the reward of the best document.
  void barrier_closed(const std::string& strategy, std::size_t iteration,
                      std::optional<double> best_reward,
                      const barrier_sample& sample);
  /// The cost of the run's models so far, in this process and earlier ones.
  /// `limit_usd` 0: there is none.
  void set_model_spending(double usd, double limit_usd, std::uint64_t tokens,
                          std::uint64_t calls);

private:
  struct series;
  std::unique_ptr<series> series_; ///< null: it records nothing
};

} // namespace brewery
