#include "learners/muse/scores.hpp"

#include <algorithm>

namespace brewery::muse {

double partial_score(const task_points& task) {
  const double full = task.full ? 1 : 0;
  if (task.total == 0) return full;
  const auto met = std::min(task.met, task.total);
  return 0.5 * met / task.total + 0.5 * full;
}

checkpoint_scores score(const std::vector<task_points>& tasks) {
  checkpoint_scores out;
  if (tasks.empty()) return out;
  double partial = 0;
  for (const auto& task : tasks) {
    out.met += std::min(task.met, task.total);
    out.total += task.total;
    out.completed += task.full ? 1 : 0;
    partial += partial_score(task);
  }
  const auto count = static_cast<double>(tasks.size());
  if (out.total > 0)
    out.checkpoints =
        static_cast<double>(out.met) / static_cast<double>(out.total);
  out.partial = partial / count;
  out.completion = static_cast<double>(out.completed) / count;
  return out;
}

} // namespace brewery::muse
