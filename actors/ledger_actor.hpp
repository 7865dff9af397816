#pragma once
/// The actor around the ledger's core (cluster/ledger/ledger_core.hpp);
/// actors/interfaces.hpp shows its place. It monitors the journal and the pool.
/// If one of them dies, all waiting jobs fail with the reason, which ends the
/// run.
///
/// After a transaction the log rests for a moment: a thousand results a second
/// come one by one, and a sync for each would cost a fifth of the coordinator's
/// processor time. What comes meanwhile is held back, unless no other job is
/// open whose result could come along.

#include "actors/interfaces.hpp"
#include "actors/job_names.hpp"
#include "actors/job_share.hpp"
#include "actors/progress.hpp"
#include "cluster/ledger/ledger_core.hpp"
#include "economy/rollout_reuse.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>

namespace brewery {

/// How long. Little beside what a rollout of a model takes, and with a
/// thousand results a second enough for twenty in a transaction.
inline constexpr std::chrono::milliseconds log_rest{20};

struct ledger_state {
  static inline const char* name = "ledger";
  run_id run;
  std::unique_ptr<ledger_core> core;
  pool_actor pool;
  journal_actor journal;
  job_share_actor share; ///< may be empty
  std::shared_ptr<progress_board> board;
  std::shared_ptr<job_names> names; ///< may be null
  /// For metrics; may be empty.
  std::function<void(const job_result&)> on_result;
  std::function<void(const job_result&)> on_recalled; ///< may be empty
  std::unique_ptr<rollout_reuse> reuse; ///< null: every rollout is played
  std::string embedder;                 ///< its key (messages/embed_jobs.hpp)
  std::function<void(const reuse_check&)> on_reuse_checked; ///< may be empty
  std::map<asker_id, rollout_job> recalling;     ///< what `reuse` learns from
  std::map<job_id, result<job_result>> to_reuse; ///< on the way to the journal
  std::map<asker_id, std::string> embedding;     ///< texts that `reuse` wants
  std::set<job_id> to_share; ///< played, on the way to the journal
  /// Events that wait for the journal to write those before them, or while it
  /// rests: so it is woken once for many.
  std::vector<log_append> unwritten;
  bool writing = false; ///< the journal has a batch
  bool resting = false; ///< what was held back is written soon
  std::chrono::milliseconds rest{0};
  std::size_t playing = 0;       ///< jobs that pool or share have not answered
  std::vector<asker_id> drained; ///< who is told once all is written
  watch_list watched;
  std::uint64_t next_asker = 0;
  std::unordered_map<asker_id, caf::typed_response_promise<job_result>> jobs;
  std::unordered_map<asker_id, caf::typed_response_promise<bool>> others;
};

struct ledger_inputs {
  run_id run; ///< the id under which its jobs go to the pool
  memo_content known;
  pool_actor pool;
  journal_actor journal;
  std::shared_ptr<progress_board> board;
  std::shared_ptr<job_names> names{}; ///< of jobs at the pool; may be null
  /// Called with results without their trajectories.
  std::function<void(const job_result&)> on_result;
  /// For results from the log.
  std::function<void(const job_result&)> on_recalled;
  /// Decides which rollouts are played; null: all.
  std::unique_ptr<rollout_reuse> reuse{};
  /// Called for each rollout that could be reused and was played.
  std::function<void(const reuse_check&)> on_reuse_checked{};
  /// How long events are held back after a transaction; 0: not at all.
  std::chrono::milliseconds rest{0};
  /// Does jobs once for all runs that ask it; empty: the pool does them.
  job_share_actor share{};
  /// The key of the embedder that `reuse` asks (messages/embed_jobs.hpp).
  std::string embedder{};
};

ledger_actor::behavior_type
ledger(ledger_actor::stateful_pointer<ledger_state> self,
       std::shared_ptr<ledger_inputs> inputs);

} // namespace brewery
