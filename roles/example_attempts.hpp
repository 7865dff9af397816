#pragma once
/// The examples of the baseline in-context learning (BREW, arXiv:2511.20297,
/// A.3): successful attempts at train tasks. How an agent is shown one is its
/// own: model/examples.hpp, procedural/recorded_case.hpp. Pure.

#include "messages/rollout_msgs.hpp"

#include <string>
#include <vector>

namespace brewery {

/// A successful attempt and its instruction.
struct example_attempt {
  task_id task;
  std::string instruction; ///< or the task's subject
  std::vector<trajectory_step> steps;
};

/// One of each task, ordered by task id: that with the fewest steps; of equal
/// ones, the earlier. Without those in which nothing was done.
std::vector<example_attempt>
shortest_of_each_task(std::vector<example_attempt> attempts);

} // namespace brewery
