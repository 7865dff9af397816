#pragma once
/// The decisions of a job share: which run of a sweep does a job that several
/// runs ask for. The first one does; the others wait, and get the same result,
/// which each writes to its own log. A job that was done before is read from
/// the log that has it. Owned by the job share's actor. PURE.
///
/// Equal ids mean equal work, so nobody's result depends on who did a job.

#include "cluster/packed_result.hpp"
#include "cluster/worker_orders.hpp"
#include "messages/insight_store.hpp"

#include <deque>
#include <map>

namespace brewery {

/// Where a log has a job's result.
struct shared_place {
  run_id run;
  std::uint64_t event = 0;
};

struct share_step {
  struct to_play {
    run_id run; ///< by its workers, at its cost
    job work;
  };
  struct to_read {
    job_id job;
    shared_place place;
  };
  struct answer {
    asker_id asker;
    result<packed_result> outcome;
  };
  std::vector<to_play> play; ///< its answer goes to `played`
  std::vector<to_read> read; ///< its answer goes to `was_read`
  std::vector<answer> answers;
  std::size_t shared = 0; ///< the last of these: of jobs that others did
};

class share_core {
public:
  /// `asker` gets exactly one answer.
  share_step ask(const run_id& run, job work, asker_id asker);
  /// An error is that of the run that played: the next one that waits plays. So
  /// is a verdict that the job was given up, which another try may spare.
  /// A verdict that it was given up, or an answer without a result, is for the
  /// run that played alone.
  share_step played(const job_id& job, result<packed_result> outcome);
  /// Error: the job is played after all.
  share_step was_read(const job_id& job, result<packed_result> outcome);
  /// The run waits for no other's work any more; what it plays itself ends in
  /// the pool. Its askers get ec::cancelled.
  share_step stopped(const run_id& run);
  /// A run's log has the result. Later askers get it from there.
  void journalled(const job_id& job, shared_place place);

private:
  struct waiting_run {
    run_id run;
    asker_id asker;
  };
  struct open_job {
    job work;
    std::deque<waiting_run> waiting; ///< the first one plays, or is read for
  };

  /// With the insights that other results have, for all runs.
  packed_result kept_once(packed_result outcome);
  share_step play_next(const job_id& job);
  share_step answer_all(const job_id& job, packed_result outcome, bool played);

  insight_store insights_; ///< of the results that were handed out
  std::map<job_id, open_job> open_;
  /// Done, and in no log yet: those that ask now need it from memory.
  std::map<job_id, packed_result> on_the_way_;
  std::map<job_id, shared_place> logged_;
};

} // namespace brewery
