#pragma once
/// The agent on a language model. Its system prompt contains the benchmark's
/// briefing and the documents of the first retrieval. It calls the
/// environment's tools and talks to the user, if there is one.
///
/// Retrieval. Before the first call, the query is the task's instruction or the
/// user's first words. In a conversation, each turn of the user adds a query:
/// the first words and the newest ones (BREW, arXiv:2511.20297, A.5). Without a
/// user, and only with per_observation, each observation adds a query: the
/// instruction and the newest observation. Documents of later queries are added
/// to the words or the observation that found them. Each is shown once and
/// stays, so every request begins with the whole request before it and a server
/// reads only the rest (bench/prompt_cache_bench).
///
/// Failures:
///   - Arguments that are not a JSON object: the call is not made. The model
///     gets the reason, a failed step is recorded and counted, and the attempt
///     continues.
///   - An empty reply: the model is asked once more. After a second one it
///     broke off (trajectory::broke_off), at its first turn as at any other,
///     and so it has if it refuses.
///   - Words, where a tool ends the attempt and so only calls count: the model
///     is asked once more in that turn. After a second reply of words the
///     attempt ends and is graded as it is.
///   - A reply that was cut off: it is asked for once more, with a larger
///   limit.
///     If that is cut off too, what there is of it counts.
///   - The conversation exceeds the model's context: the attempt ends and is
///     graded as it is, as in tau2's reference. trajectory::cut_short has the
///     reason. If not even the first call fits, there is no step.
///   - max_calls is reached: the attempt ends in the same way.
///   - Any other error of the model or the environment: the rollout has no
///     score.

#include "roles/model/conversation.hpp"

namespace brewery {

class llm_agent final : public agent {
public:
  llm_agent(model_asker ask, const agent_options& options,
            const retrieval_options& retrieval);

  std::string fingerprint() const override;

  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  model_asker ask_;
  conversation_options options_;
  std::uint32_t top_k_;
};

} // namespace brewery
