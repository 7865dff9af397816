#pragma once
/// How people call the learners that keep a memory instead of trees. PURE.

#include <string>
#include <string_view>

namespace brewery {

/// "Agent KB" for "agent_kb". Empty: it searches trees. It is also the strategy
/// that the manifest of its documents names.
std::string memory_learner(std::string_view learner);

} // namespace brewery
