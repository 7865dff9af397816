#pragma once
/// The baseline of in-context learning (BREW, arXiv:2511.20297, A.3):
/// successful attempts at train tasks, one document each, which the agent is
/// shown as examples. As documents, they are sent and retrieved like a
/// knowledge base: by similarity to the task. Pure.

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

/// One document per task, ordered by task id. It shows the attempt with the
/// fewest steps; of equal ones, the earlier.
std::vector<std::string>
example_documents(const std::vector<example_attempt>& attempts);

/// The texts, in order, that fit together into `tokens` tokens, counted as four
/// bytes each. A text that does not fit is skipped, not cut: half an example
/// teaches the agent to stop half way.
std::vector<std::string> examples_within(std::vector<std::string> texts,
                                         std::uint32_t tokens);

} // namespace brewery
