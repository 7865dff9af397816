#pragma once
/// OSWorld's DesktopEnv.evaluate(), without its known bugs: under "or" a
/// missing file scores 0 instead of the result before it, a metric without
/// `expected` in a list of others that have one is called without, and an
/// exception of a metric scores 0 instead of ending the run. The steps of
/// "postconfig" come first and are not run here.

#include "envs/osworld/grading/getters.hpp"
#include "envs/osworld/tasks/task.hpp"
#include "messages/rollout_msgs.hpp"

namespace brewery::osworld {

/// The last thing that the agent did.
enum class last_action : std::uint8_t { none, other, done, fail };

/// If the last action decides the score: an infeasible task is solved by FAIL
/// alone, and no other task is.
std::optional<grade_report> decided_by_last_action(const evaluator& graded,
                                                   last_action last);

/// Error ec::environment: the desktop broke, and there is no grade. Every
/// metric must be native (native_names.hpp).
result<grade_report> evaluate_native(const evaluator& graded,
                                     const grading_scene& scene);

/// The score of a list of metrics, as far as it is known: `and` gives the mean
/// unless one is 0, `or` the best.
double combined_score(const std::vector<double>& scores, bool any);

} // namespace brewery::osworld
