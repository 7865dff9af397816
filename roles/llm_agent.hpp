#pragma once
/// The agent on a language model. Its system prompt has the benchmark's
/// briefing and the documents of the newest retrieval; it calls the
/// environment's tools and, where there is somebody, talks.
///
/// Retrieval: with the task's instruction, or the first words of the other
/// side, before the first call; then, in a conversation, with these and the
/// newest words after each of the other side's turns (papers/000, A.5);
/// elsewhere, if asked, with the instruction and the newest observation.
///
/// What can go wrong:
/// - arguments that are no JSON object: the call is not made, the model is told
///   why, a failed step is recorded and counted, and the attempt goes on;
/// - an empty reply: asked again once, then the rollout has no score;
/// - the conversation outgrows the context: the attempt ends there and is
///   graded as it stands, as in tau2's reference, with the reason in
///   trajectory::cut_short. If not even the first call fits, it is an error:
///   the set-up is wrong, not the agent;
/// - max_calls: ends the attempt likewise;
/// - anything else of the model or the environment: no score.

#include "roles/conversation.hpp"

namespace brewery {

class llm_agent final : public agent {
public:
  llm_agent(model_asker ask, const agent_options& options,
            const retrieval_options& retrieval);

  std::string fingerprint() const override;

  result<trajectory> attempt(const task_info& task, environment& env,
                             librarian& library, std::uint64_t draw_key,
                             job_context& context) const override;

private:
  model_asker ask_;
  conversation_options options_;
  std::uint32_t top_k_;
};

} // namespace brewery
