#pragma once
/// Graders of words and calls; they do not look at the environment.

#include "envs/tau2/data/task.hpp"

namespace brewery::tau2 {

/// One call by any side, successful or not.
struct recorded_call {
  std::string requestor, name;
  json arguments = json::object();
};

/// A list of checks with its reward: 1 if all are met, else 0.
struct check_list {
  std::vector<bool> met;
  [[nodiscard]] double reward() const;
};

/// Whether a call is the gold action: the same name, and equal values (as in
/// Python) of `compare_args`, or of all given arguments if that list is absent.
bool matches(const gold_action& gold, const recorded_call& call);

/// ACTION: each gold action was called, by either side and in any order.
check_list grade_actions(const task_criteria& criteria,
                         const std::vector<recorded_call>& calls);

/// COMMUNICATE: each text occurs in some message of the assistant, ignoring
/// case and, in the message, commas.
check_list grade_communication(const task_criteria& criteria,
                               const std::vector<std::string>& messages);

} // namespace brewery::tau2
