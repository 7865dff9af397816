#pragma once
/// The reference's results format, from logged rollouts. What is not known is
/// null, or empty where the reference's reader insists on a text. Pure.

#include "envs/tau2/tau2_benchmark.hpp"

namespace brewery::tau2 {

struct results_facts {
  std::string version; ///< of Brewery
  std::string run;
  std::string arm;         ///< of its final evaluation
  std::string agent_model; ///< empty: no language model
  std::string user_model;
  std::uint64_t seed = 0;
  std::uint32_t trials = 1;
};

/// The messages of a logged rollout. The log keeps calls one by one, so calls
/// made in one message come out as one message each; ids only link a call to
/// its result.
json results_messages(const std::vector<trajectory_step>& steps,
                      play_mode mode);

/// "user_stop", ... of a logged rollout: as the report says, or as the last
/// words say. A broken environment is "infrastructure_error"; an agent that
/// gave up is "agent_error".
std::string results_ending(const rollout_result& rollout, play_mode mode);

/// The graders' findings that the report has; null where there are none.
json results_reward(const domain& of, const task& item, const json& raw_task,
                    const rollout_result& rollout);

/// The whole document. `raw_tasks`: the tasks as their file has them, in the
/// order of the evaluation. Rollouts of other tasks are left out.
json results_document(const tau2_benchmark& bench, const results_facts& facts,
                      const std::vector<json>& raw_tasks,
                      const std::vector<rollout_result>& rollouts);

} // namespace brewery::tau2
