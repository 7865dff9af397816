#pragma once
/// What attempts came to, counted for the scores and the report. PURE.

#include "base/statistics.hpp"
#include "learners/brew/concepts.hpp"
#include "learners/muse/scores.hpp"
#include "messages/rollout_msgs.hpp"

#include <string>

namespace brewery::muse {

/// The attempts at the same tasks under one memory.
struct attempt_count {
  std::string name;                         ///< "iteration 1", "learned, muse"
  std::vector<task_points> points;          ///< of each graded attempt
  std::vector<std::vector<double>> partial; ///< S_partial, by task and trial
  std::uint64_t attempts = 0;               ///< also without a grade
  std::uint64_t calls = 0, probes = 0;
  std::uint64_t sub_tasks = 0, sub_tasks_met = 0;

  /// One attempt at the task of this index. Without a grade it has no score.
  void add(std::size_t task, const learner_task& what,
           const rollout_result* made);
};

/// A Markdown table: checkpoints, S_partial with its interval, completed, calls
/// for each completed attempt; the difference of S_partial to the first, paired
/// by task, if the same tasks are graded. Empty without attempts.
std::string scores_text(const std::vector<attempt_count>& all);

} // namespace brewery::muse
