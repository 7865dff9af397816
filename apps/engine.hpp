#pragma once
/// The process of a run: worker threads, the actors and the log, wired
/// together. Searches and evaluations are requested from the main thread and
/// block it; `stop` may come from any thread. Ends in order on destruction:
/// running jobs finish and are journalled, then the actors, then the log.

#include "actors/job_memo.hpp"
#include "actors/probes.hpp"
#include "actors/progress.hpp"
#include "config/config.hpp"
#include "learners/brew/settings.hpp"
#include "store/event_log.hpp"
#include "workers/job_runner.hpp"

#include <memory>

namespace brewery {

struct engine_inputs {
  std::shared_ptr<const job_runner> runner;
  std::shared_ptr<document_store> documents;
  std::shared_ptr<probes> metrics;
  std::shared_ptr<event_log> log; ///< null: keep nothing
  memo_content known;             ///< of the log
  std::uint32_t threads = 0;      ///< workers; 0: one per core
};

class engine {
public:
  explicit engine(engine_inputs inputs);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  result<search_outcome> search(const std::string& strategy,
                                std::shared_ptr<const brew_settings> settings);

  /// Every task `trials` times under a knowledge base.
  result<evaluation_record> evaluate(const std::string& name,
                                     const std::string& split,
                                     const brew_settings& settings,
                                     const std::vector<learner_task>& tasks,
                                     std::uint32_t trials,
                                     const std::vector<doc_ref>& knowledge);

  /// A decision for the log; see ledger_actor.
  result<void> record(const std::string& kind, const std::string& key,
                      const std::string& payload);

  /// Work that is queued is dropped, work that runs is finished and kept; calls
  /// in progress return ec::cancelled.
  void stop();

  [[nodiscard]] progress_board& board();
  [[nodiscard]] const probes& metrics() const;
  [[nodiscard]] std::size_t workers() const;

  /// The task of a rollout this run has done, also before a resume.
  [[nodiscard]] task_id task_of(const job_id& rollout) const;
  /// Distinct rollouts of the whole run, resumed parts included.
  [[nodiscard]] std::uint64_t rollouts() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Reads the memo back from a log.
result<memo_content> load_memo(const event_log& log);

} // namespace brewery
