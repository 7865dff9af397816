#pragma once
/// Scores by checkpoints: points of partial progress that a benchmark defines
/// for a task (MUSE, arXiv:2510.08002, section 4.1). PURE.
///
///   S_ckpt    = points met / points there are, over all tasks
///   S_partial = 0.5 met/total + 0.5 (1 if all are met and the task counts as
///               done, else 0), of one task; then the mean over tasks
///   PCR       = share of tasks that are fully completed
///
/// Of graded attempts: a broken environment is no score of 0.

#include <cstdint>
#include <vector>

namespace brewery::muse {

struct task_points {
  std::uint32_t met = 0;
  std::uint32_t total = 0; ///< 0: the task has no checkpoints
  bool full = false;       ///< fully completed
};

/// [0, 1]. A task without checkpoints counts as one point, the whole task.
double partial_score(const task_points& task);

struct checkpoint_scores {
  std::uint64_t met = 0, total = 0; ///< points over all tasks
  double checkpoints = 0;           ///< S_ckpt, [0, 1]; 0 without points
  double partial = 0;               ///< mean S_partial, [0, 1]
  std::uint64_t completed = 0;      ///< tasks
  double completion = 0;            ///< PCR, [0, 1]
};

/// All zero without tasks.
checkpoint_scores score(const std::vector<task_points>& tasks);

} // namespace brewery::muse
