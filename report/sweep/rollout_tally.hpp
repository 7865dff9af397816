#pragma once
/// What a log says of a run beside its decisions: how many rollouts there were
/// at each barrier, and what was read in the attempts at sealed tasks.

#include "messages/search_msgs.hpp"
#include "report/arm_rollouts.hpp"
#include "report/sweep/sweep_figures.hpp"

#include <map>
#include <set>
#include <vector>

namespace brewery {

/// An attempt at a sealed task that was shown documents.
struct reading_attempt {
  task_id task;
  double grade = 0;
  std::set<doc_hash> documents;
};

struct rollout_tally {
  std::uint64_t rollouts = 0; ///< results in the log
  std::uint64_t reused = 0;   ///< of these, not played
  std::vector<barrier_figures> curve;
  std::vector<reading_attempt> attempts; ///< graded ones
};

/// Decodes every result of the log. `strategy`: whose barriers make the curve.
/// `sealed`: the tasks of the final evaluation.
result<rollout_tally> tally_of(const event_log& log,
                               const std::string& strategy,
                               const std::set<task_id>& sealed);

} // namespace brewery
