#pragma once
/// The metrics of a process. The application makes one object; the process's
/// actors share it. Each method records one observation. It is safe from any
/// thread and costs less than 100 ns, because every series is looked up once,
/// at construction.
///
/// Names have the prefix `brewery_`, base units, and the suffixes `_total`,
/// `_seconds` and `_ratio`. Labels have few values (never a task, tree or
/// worker); of runs, those that are open: see actors/run_metrics.hpp. Gauges
/// keep their last value. No decision depends on a metric.

#include "actors/barrier_sample.hpp"
#include "cluster/table/job_table.hpp"
#include "messages/rollout_msgs.hpp"
#include "messages/search_msgs.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
class Registry;
}

namespace brewery {

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
  /// Without a run: the process waits for disk space before it goes on.
  void set_journal_stuck(const run_id& run, bool stuck);
  /// The states of a coordinator's runs; others are not counted.
  static constexpr std::array run_states{
      "running", "queued",      "held",      "finished",
      "failed",  "interrupted", "cancelled", "unreadable"};
  void set_runs(const std::map<std::string, std::size_t>& by_state);
  /// Runs of a coordinator that it could not resume.
  void set_runs_unreadable(std::size_t count);
  /// What the runs of a coordinator's group cost; `limit_usd` 0: there is none.
  void set_group_cost(const std::string& group, double usd, double limit_usd);
  /// Its series end.
  void end_group(const std::string& group);
  /// Age of the job that has run longest; 0 if none runs.
  void set_oldest_inflight(double seconds);
  void barrier_closed(const barrier_sample& sample);
  /// Number of trees that were late at a barrier with a quorum.
  void reports_late(std::size_t trees);
  void candidates_scored(std::size_t added, std::size_t dropped);

  /// Rollouts that scored versions, by what was asked of them or saved.
  void scoring_counted(const std::vector<economy_count>& counts);
  /// A role or kind that this build does not know counts as "other".
  void reply_noted(const reply_note& note);
  void retrieved(double seconds);
  /// An attempt of a model call ended. llm/client/retry.hpp names the values of
  /// `outcome`.
  void model_attempt(const std::string& server, std::string_view outcome,
                     double seconds);
  /// A model call waits for its next attempt.
  void model_paused(const std::string& server, double seconds);
  void journal_committed(std::size_t events, double seconds);

  /// All metrics in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string exposition() const;
  static constexpr const char* exposition_type =
      "text/plain; version=0.0.4; charset=utf-8";

  /// For `run_metrics`: where its series are. False: `labelled_runs_max` runs
  /// have series already.
  [[nodiscard]] prometheus::Registry& registry();
  [[nodiscard]] bool take_run_label();
  void give_back_run_label();

private:
  struct series;
  std::unique_ptr<series> series_;
};

} // namespace brewery
