#pragma once
/// Brewery's metrics: one object per process, made by the application and
/// shared by its actors. Each method is one observation, safe from any thread,
/// and costs below 100 ns, because every series is looked up once, here.
///
/// Names: prefix `brewery_`, base units, `_total`, `_seconds`, `_ratio`; labels
/// only where their values are few (never a task, tree or worker).
/// Gauges keep their last value; what is observed never decides anything.

#include "cluster/job_table.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace brewery {

/// One phase of jobs that ended at a barrier. With W = workers:
///   efficiency  = max(work / W, longest) / elapsed   (1: no schedule is
///   better) utilisation = work / (W x elapsed)               (what the user
///   pays for)
/// Both are at most 1: with a quorum, work of a late tree counts whole in the
/// phase in which it ends.
struct barrier_sample {
  double elapsed_seconds = 0; ///< first job offered to last result
  double wait_seconds = 0;    ///< first tree done to last tree done
  double work_seconds = 0;    ///< sum over the jobs
  double longest_seconds = 0; ///< of one job
  std::size_t workers = 0;
};

double efficiency(const barrier_sample& sample);
double utilisation(const barrier_sample& sample);

class probes {
public:
  probes();
  ~probes();
  probes(const probes&) = delete;
  probes& operator=(const probes&) = delete;

  void rollout_finished(rollout_outcome outcome, double seconds);
  /// A job left the queue after waiting.
  void job_started(double waited_seconds);
  void set_cluster(const table_counts& counts);
  /// A connection or message that was not taken.
  void peer_refused();
  void set_journal_stuck(bool stuck);
  /// Age of the job that runs longest, 0 when none does.
  void set_oldest_inflight(double seconds);
  void barrier_closed(const barrier_sample& sample);
  /// Trees that were late at a barrier with a quorum.
  void reports_late(std::size_t trees);
  /// Share of the trees that the barriers of the search wait for.
  void set_gather_quorum(double ratio);
  void candidates_scored(std::size_t added, std::size_t dropped);
  void retrieved(double seconds);
  /// An attempt of a model call ended; `outcome` as llm/retry.hpp names it.
  void model_attempt(const std::string& server, std::string_view outcome,
                     double seconds);
  /// A model call waits to be tried again.
  void model_paused(const std::string& server, double seconds);
  /// What a run's models cost so far, in this process and before.
  void set_model_spending(double usd, std::uint64_t tokens,
                          std::uint64_t calls);
  void journal_committed(std::size_t events, double seconds);
  void set_iteration(std::size_t iteration);
  /// Mean over the trees of their best document's reward.
  void set_best_reward(double ratio);

  /// Everything, in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string exposition() const;
  static constexpr const char* exposition_type =
      "text/plain; version=0.0.4; charset=utf-8";

private:
  struct series;
  std::unique_ptr<series> series_;
};

} // namespace brewery
