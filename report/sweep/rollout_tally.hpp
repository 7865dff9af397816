#pragma once
/// What a log says of a run beside its decisions: how many rollouts there were
/// at each barrier, and what was read in the attempts at sealed tasks. Of what
/// is in the log, only what holds counts: what a retry or an extension revoked
/// does not.

#include "actors/job_log.hpp"
#include "messages/search_msgs.hpp"
#include "report/arm_rollouts.hpp"
#include "report/sweep/sweep_figures.hpp"

#include <map>
#include <set>
#include <vector>

namespace brewery {

/// A graded attempt that was shown documents.
struct reading_attempt {
  task_id task;
  double grade = 0;
  std::set<doc_hash> documents;
};

struct rollout_tally {
  /// Jobs with a result, also if given up, without those of a final evaluation
  /// that another has replaced.
  std::uint64_t rollouts = 0;
  std::uint64_t reused = 0; ///< of these, not played
  played_work work;         ///< of all that were played, also of those left out
  /// Of tools, in all that were played; looks of a verifier are some.
  std::uint64_t calls = 0;
  std::vector<barrier_figures> curve;
  std::vector<reading_attempt> attempts; ///< by job
};

/// What of a log is asked for.
struct tally_request {
  std::string strategy;     ///< whose barriers make the curve
  std::set<task_id> sealed; ///< the tasks of the final evaluation
  /// The attempts of the final evaluation that holds. Empty: all at its tasks.
  std::set<job_id> evaluated;
  /// The attempts whose reading is wanted, at sealed tasks.
  std::set<job_id> attempts;
};

/// Decodes every result of the log. `memo` was read from it.
result<rollout_tally> tally_of(const event_log& log, const memo_loader& memo,
                               const tally_request& wanted);

} // namespace brewery
