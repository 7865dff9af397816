#pragma once
/// One run on a runtime: its ledger and its log, wired together. Searches and
/// evaluations are requested from one thread and block it; `stop` may come from
/// any thread. Ends in order on destruction: running jobs finish and are
/// journalled, then the actors, then the log.

#include "actors/job_log.hpp"
#include "actors/progress.hpp"
#include "apps/runtime.hpp"
#include "config/config.hpp"
#include "learners/brew/settings.hpp"
#include "store/event_log.hpp"

#include <memory>
#include <optional>

namespace brewery {

struct engine_inputs {
  search_id id;                   ///< of the run
  search_share share;             ///< beside other runs of the runtime
  std::string benchmark;          ///< fingerprint of the data it plays
  std::string setup;              ///< what a worker process is told: TOML
  std::shared_ptr<event_log> log; ///< null: keep nothing
  memo_content known;             ///< of the log
  bool patient = false;           ///< wait for disk space instead of failing
  std::string goldens{}; ///< fingerprint of what answers are compared with
};

class engine {
public:
  engine(runtime& on, engine_inputs inputs);
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
  /// The same at once: what runs is cancelled.
  void abandon();

  /// The latest knowledge base that a search has gathered, also before a
  /// resume.
  [[nodiscard]] std::optional<gather_record>
  last_gather(const std::string& strategy) const;

  [[nodiscard]] progress_board& board();
  [[nodiscard]] std::size_t workers() const;

  /// The task of a rollout this run has done, also before a resume.
  [[nodiscard]] task_id task_of(const job_id& rollout) const;
  /// Distinct rollouts of the whole run, resumed parts included.
  [[nodiscard]] std::uint64_t rollouts() const;
  /// Jobs that were given up, with the reason.
  [[nodiscard]] std::map<job_id, std::string> quarantined() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace brewery
