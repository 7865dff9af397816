#pragma once
/// The metrics of a process. The application makes one object; the process's
/// actors share it. Each method records one observation. It is safe from any
/// thread and costs less than 100 ns, because every series is looked up once,
/// at construction.
///
/// Names have the prefix `brewery_`, base units, and the suffixes `_total`,
/// `_seconds` and `_ratio`. Labels have few values (never a task, tree or
/// worker); of runs, those that are open. Gauges keep their last value. No
/// decision depends on a metric.

#include "cluster/job_table.hpp"
#include "messages/rollout_msgs.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// One phase of jobs that ended at a barrier. With W = workers:
///   efficiency  = max(work / W, longest) / elapsed
///   utilisation = work / (W x elapsed)
/// Efficiency 1 means that no schedule is better; utilisation is what the user
/// pays for. Both are at most 1: with a quorum, the whole work of a late tree
/// counts in the phase in which it ends.
struct barrier_sample {
  double elapsed_seconds = 0; ///< from the first job offered to the last result
  double wait_seconds = 0; ///< from the first tree done to the last tree done
  double work_seconds = 0; ///< sum over all jobs
  double longest_seconds = 0; ///< of the longest job
  std::size_t workers = 0;
};

double efficiency(const barrier_sample& sample);
double utilisation(const barrier_sample& sample);

class process_metrics {
public:
  process_metrics();
  ~process_metrics();
  process_metrics(const process_metrics&) = delete;
  process_metrics& operator=(const process_metrics&) = delete;

  void rollout_finished(rollout_outcome outcome, double seconds);
  void rollout_reused();
  void reuse_checked(bool is_equal);
  /// A job left the queue after this time.
  void job_started(double waited_seconds);
  void set_cluster(const table_counts& counts);
  /// The series of a run end with it. Beyond `labelled_runs_max` open runs, the
  /// rest count together as run "other".
  void set_loads(const std::vector<run_load>& loads);
  static constexpr std::size_t labelled_runs_max = 100;
  /// A connection or message was refused.
  void peer_refused();
  void set_journal_stuck(bool stuck);
  /// Runs of a coordinator that it could not resume.
  void set_runs_unreadable(std::size_t count);
  /// Age of the job that has run longest; 0 if none runs.
  void set_oldest_inflight(double seconds);
  void barrier_closed(const barrier_sample& sample);
  /// Number of trees that were late at a barrier with a quorum.
  void reports_late(std::size_t trees);
  /// The share of trees that each barrier of the search waits for.
  void set_gather_quorum(double ratio);
  void candidates_scored(std::size_t added, std::size_t dropped);
  /// A role or kind that this build does not know counts as "other".
  void reply_noted(const reply_note& note);
  void retrieved(double seconds);
  /// An attempt of a model call ended. llm/client/retry.hpp names the values of
  /// `outcome`.
  void model_attempt(const std::string& server, std::string_view outcome,
                     double seconds);
  /// A model call waits for its next attempt.
  void model_paused(const std::string& server, double seconds);
  /// The cost of a run's models so far, in this process and earlier ones.
  void set_model_spending(double usd, std::uint64_t tokens,
                          std::uint64_t calls);
  void journal_committed(std::size_t events, double seconds);
  void set_iteration(std::size_t iteration);
  /// Mean over all trees of the reward of the best document.
  void set_best_reward(double ratio);

  /// All metrics in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string exposition() const;
  static constexpr const char* exposition_type =
      "text/plain; version=0.0.4; charset=utf-8";

private:
  struct series;
  std::unique_ptr<series> series_;
};

} // namespace brewery
