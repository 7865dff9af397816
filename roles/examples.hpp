#pragma once
/// In-context learning as a baseline (papers/000, A.3): successful attempts at
/// train tasks as documents, one each, which an agent is shown as examples. As
/// documents they travel and are found like a knowledge base: by similarity to
/// the task. Pure.

#include "messages/rollout_msgs.hpp"

#include <string>
#include <vector>

namespace brewery {

/// An attempt that succeeded, with what the agent was asked.
struct example_attempt {
  task_id task;
  std::string instruction; ///< or what the task is about
  std::vector<trajectory_step> steps;
};

/// One document for each task: of its attempts the one with the fewest steps,
/// the earlier one of two alike. In the order of tasks' ids.
std::vector<std::string>
example_documents(const std::vector<example_attempt>& attempts);

/// Those of the texts, in their order, that fit together into so many tokens,
/// counted as four bytes each. One that does not fit is left out, not cut: half
/// an example teaches to stop half way.
std::vector<std::string> examples_within(std::vector<std::string> texts,
                                         std::uint32_t tokens);

} // namespace brewery
