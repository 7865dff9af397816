#pragma once
/// The procedural counterpart of step-back prompting: before it acts, the agent
/// works out which tools such a task is about, from its text and the tools'
/// descriptions alone, back from the objective: tools that share words with the
/// task, then those that share words with these. Words that many tools share
/// say little. It is a bias of where to explore, not a plan. Pure; made for one
/// attempt.

#include "base/rng.hpp"
#include "envs/environment.hpp"

#include <string_view>
#include <vector>

namespace brewery {

class step_back_principle {
public:
  /// Refers to `tools`.
  step_back_principle(std::string_view task,
                      const std::vector<tool_spec>& tools);

  /// The tools that may change something, in a random order in which those that
  /// the task leads back to tend to come first.
  std::vector<const tool_spec*> order(rng& draw) const;

  /// How much a tool has to do with the task, from 0 to 1. It is 0 for looks.
  [[nodiscard]] double weight(std::string_view tool) const;

private:
  struct weighed_tool {
    const tool_spec* tool;
    double weight;
  };
  std::vector<weighed_tool> tools_;
};

} // namespace brewery
