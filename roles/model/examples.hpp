#pragma once
/// The baseline of in-context learning (BREW, arXiv:2511.20297, A.3):
/// successful attempts at train tasks, one document each, which the agent is
/// shown as examples. As documents, they are sent and retrieved like a
/// knowledge base: by similarity to the task. Pure.

#include "roles/example_attempts.hpp"

#include <string>
#include <vector>

namespace brewery {

/// One document for each attempt.
std::vector<std::string>
example_documents(const std::vector<example_attempt>& attempts);

/// The texts, in order, that fit together into `tokens` tokens, counted as four
/// bytes each. A text that does not fit is skipped, not cut: half an example
/// teaches the agent to stop half way.
std::vector<std::string> examples_within(std::vector<std::string> texts,
                                         std::uint32_t tokens);

} // namespace brewery
