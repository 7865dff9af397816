#pragma once
/// Writes logged rollouts in the reference's results format. Unknown values are
/// null, or empty if the reference's reader requires a text. Pure.

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

/// The messages of a logged rollout. The log stores single calls, so each call
/// of a message becomes a message of its own. Ids only link a call to its
/// result.
json results_messages(const std::vector<trajectory_step>& steps,
                      play_mode mode);

/// How a logged rollout ended, e.g. "user_stop", according to its report or the
/// last words. A broken environment is "infrastructure_error"; an agent that
/// gave up is "agent_error".
std::string results_ending(const rollout_result& rollout, play_mode mode);

/// The graders' findings in the report; null if there are none.
json results_reward(const domain& of, const task& item, const json& raw_task,
                    const rollout_result& rollout);

/// The whole document. `raw_tasks` are the tasks as in their file, in the order
/// of the evaluation. Omits rollouts of other tasks.
json results_document(const tau2_benchmark& bench, const results_facts& facts,
                      const std::vector<json>& raw_tasks,
                      const std::vector<rollout_result>& rollouts);

} // namespace brewery::tau2
