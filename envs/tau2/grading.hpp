#pragma once
/// Graders that look at what was said and called, not at the environment.

#include "envs/tau2/task.hpp"

namespace brewery::tau2 {

/// One call somebody made, successful or not.
struct recorded_call {
  std::string requestor, name;
  json arguments = json::object();
};

/// A check list and its reward: 1 if everything is met, else 0.
struct check_list {
  std::vector<bool> met;
  [[nodiscard]] double reward() const;
};

/// Whether a call is the gold action: the same name and Python-equal values of
/// `compare_args`, or of the arguments the call gave if there is no such list.
bool matches(const gold_action& gold, const recorded_call& call);

/// ACTION: each gold action was called by anyone, in any order.
check_list grade_actions(const task_criteria& criteria,
                         const std::vector<recorded_call>& calls);

/// COMMUNICATE: each text occurs in some message of the assistant, ignoring
/// case and, in the message, commas.
check_list grade_communication(const task_criteria& criteria,
                               const std::vector<std::string>& messages);

} // namespace brewery::tau2
