#pragma once
/// One run on a runtime: connects its ledger and its log. One thread requests
/// searches and evaluations, and each request blocks it. `stop` may be called
/// from any thread. The destructor shuts down in order: running jobs finish and
/// are journalled, then the actors end, then the log is closed.

#include "actors/job_log.hpp"
#include "actors/job_names.hpp"
#include "actors/job_share.hpp"
#include "actors/progress.hpp"
#include "actors/run_metrics.hpp"
#include "config/config.hpp"
#include "economy/rollout_reuse.hpp"
#include "learners/brew/settings.hpp"
#include "learners/learner_machine.hpp"
#include "run/cluster_runtime.hpp"
#include "run/results.hpp"
#include "run/resume/failed_jobs.hpp"
#include "run/resume/reuse_counts.hpp"
#include "run/searches/run_searches.hpp"
#include "store/event_log.hpp"
#include "store/run_status.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace brewery {

/// Where a search is held, to go on another time.
struct search_hold {
  std::string strategy;
  std::uint32_t after = 0; ///< the iteration whose barrier ends it
};

struct run_executor_inputs {
  run_id id;                      ///< of the run
  run_share share;                ///< relative to other runs of the runtime
  std::string benchmark;          ///< fingerprint of the benchmark
  std::string setup;              ///< for worker processes: TOML
  std::shared_ptr<event_log> log; ///< null: nothing is stored
  memo_content known;             ///< read from the log
  bool patient = false;           ///< wait for disk space instead of failing
  std::string goldens{};          ///< fingerprint of the goldens
  std::string benchmark_name{};
  std::vector<std::string> needs{}; ///< tags that its rollouts' workers have
  std::shared_ptr<run_status_file> status{}; ///< null: nothing is stored
  std::filesystem::path snapshots{}; ///< their folder; empty: none are kept
  std::unique_ptr<rollout_reuse> reuse{}; ///< null: every rollout is played
  job_share_actor jobs_of_others{};       ///< does jobs once for several runs
  std::optional<search_hold> hold{};
  /// What its models have cost, in USD; empty: it has none. Any thread.
  std::function<double()> cost_usd{};
  /// Null: `on` has a place for them.
  std::shared_ptr<document_store> documents{};
  std::string embedder{}; ///< its key (messages/embed_jobs.hpp)
};

/// One way to attempt the tasks of an evaluation.
struct evaluation_arm {
  std::string name;
  brew_settings settings;
  std::vector<doc_ref> knowledge;
  /// Not empty: only these tasks instead of all of the evaluation.
  std::vector<learner_task> only{};
  bool reflect = false; ///< rollouts are reviewed, as those of a search are
  /// Of a task that is in it, instead of `knowledge`.
  std::map<task_id, std::vector<doc_ref>> knowledge_of{};
  /// Whether an attempt is shown all of what `knowledge_of` has for its task.
  bool shows_whole = false;

  [[nodiscard]] rollout_job attempt(const task_id& task,
                                    std::uint32_t trial) const {
    const auto own = knowledge_of.find(task);
    if (own == knowledge_of.end())
      return make_rollout_job(settings, task, trial, knowledge, reflect);
    auto work = make_rollout_job(settings, task, trial, own->second, reflect);
    // Without documents it is the attempt of every other arm.
    return own->second.empty() || !shows_whole
               ? work
               : with_all_shown(std::move(work));
  }

  [[nodiscard]] const std::vector<learner_task>&
  tasks(const std::vector<learner_task>& all) const {
    return only.empty() ? all : only;
  }
};

class run_executor {
public:
  run_executor(cluster_runtime& on, run_executor_inputs inputs);
  ~run_executor();
  run_executor(const run_executor&) = delete;
  run_executor& operator=(const run_executor&) = delete;

  /// Plays the searches side by side; see run_searches. Error ec::cancelled:
  /// they were stopped, or one is held.
  result<std::vector<search_outcome>>
  search(const std::vector<planned_search>& planned);

  /// Plays the machines of a learner side by side; returns when all have
  /// ended. `name` is shown on the board. If one fails the others are stopped,
  /// and the error is its.
  result<void> play(const std::string& name,
                    const std::vector<std::shared_ptr<learner_machine>>& all);

  /// Runs every task `trials` times in each arm. All arms are submitted at
  /// once, so no worker waits for the last rollouts of an arm. `measured` gets
  /// each arm, in order; its error ends the evaluation.
  result<void>
  evaluate(const std::vector<evaluation_arm>& arms, const std::string& split,
           const std::vector<learner_task>& tasks, std::uint32_t trials,
           const std::function<result<void>(evaluation_record)>& measured);

  /// Journals a decision; see ledger_actor.
  result<void> record(const std::string& kind, const std::string& key,
                      const std::string& payload);

  /// Drops queued jobs. Running jobs finish and are journalled. Calls in
  /// progress return ec::cancelled.
  void stop();
  [[nodiscard]] bool stopped() const;
  /// Like `stop`, but also cancels running jobs.
  void abandon();

  /// The last knowledge base that a search gathered, also from before a resume.
  [[nodiscard]] std::optional<gather_record>
  last_gather(const std::string& strategy) const;

  [[nodiscard]] std::shared_ptr<document_store> documents() const;
  [[nodiscard]] progress_board& board();
  /// Of the jobs under way.
  [[nodiscard]] std::shared_ptr<const job_names> names() const;
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] const run_id& id() const;
  /// Of the pool that its jobs go to; null if it does not answer.
  [[nodiscard]] pool_status_ptr pool() const;
  /// Of this run alone.
  [[nodiscard]] run_metrics& metrics();

  /// A rollout of this run, also from before a resume. Grades are kept of those
  /// that gave an insight.
  [[nodiscard]] cited_rollout rollout(const job_id& id) const;
  /// The number of distinct rollouts of the run, including resumed parts.
  /// Stores it: see `run_status_file`.
  [[nodiscard]] std::uint64_t rollouts() const;
  /// The same without storing it. It never falls, not even after a restart,
  /// because it is the number that `note_progress` stored last.
  [[nodiscard]] std::uint64_t rollouts_shown() const;
  /// Stores the number of rollouts and what the run has cost.
  void note_progress(std::optional<double> cost_usd) const;
  /// Of these, what was not played, and what checks of that found.
  [[nodiscard]] reuse_counts reused() const;
  /// What workers played, also before a resume.
  [[nodiscard]] played_work played() const;
  /// What was wrong with replies of models, over all jobs with a result.
  [[nodiscard]] std::vector<note_total> notes() const;

  /// The jobs that were given up, and rollouts whose environment broke.
  [[nodiscard]] failed_jobs failed() const;

private:
  [[nodiscard]] std::uint64_t counted() const;
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace brewery
