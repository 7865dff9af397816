#pragma once
/// The agent without a language model. It looks around with the reading tools,
/// follows the rules in the retrieved documents, and otherwise explores with
/// random changing calls. It knows no task, fault or remedy: with an empty
/// knowledge base it can only observation and guess.
///
/// One attempt:
///   1. Retrieve documents with the task's instruction.
///   2. Look around: call every reading tool whose arguments can be filled, and
///      retrieve again with each observation (`per_observation`).
///      With `when_stuck` instead: where no rule is left, with all of them.
///   3. Follow rules: verify the condition with a fresh observation, call,
///   repeat.
///   4. Stop if a document describes the finished task and the observations
///   match.
///   5. Otherwise explore: make a random changing call, look again, go to 3.
///   6. Take a last observation, so that the reflector sees the final state.
///
/// The baselines of `methods` have counterparts of the same kind, which are no
/// prompting. In-context: the documents are records of solved tasks, and what
/// one of them did is done where the same is seen (recorded_case.hpp).
/// Step-back: exploring prefers tools that the task leads back to
/// (step_back.hpp).

#include "roles/options.hpp"
#include "roles/procedural/rule_reading.hpp"
#include "roles/procedural/status_lines.hpp"
#include "roles/roles.hpp"

namespace brewery {

class procedural_agent final : public agent {
public:
  procedural_agent(agent_options options, retrieval_options retrieval);

  std::string fingerprint() const override;

  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  agent_options options_;
  retrieval_options retrieval_;
  guidance_cache rules_; ///< for all rollouts
  guidance_cache cases_; ///< likewise, of records
  observation_cache parsed_;
};

} // namespace brewery
