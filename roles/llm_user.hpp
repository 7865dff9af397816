#pragma once
/// The user that an agent talks to, played by a language model: sees what it
/// said, did and heard, never the agent's own calls.

#include "roles/model_asker.hpp"

namespace brewery {

class llm_user final : public user_player {
public:
  /// `context` is the rollout's and has to outlive it.
  llm_user(model_asker ask, job_context& context)
      : ask_(std::move(ask)), context_(context) {}

  result<turn> answer(const user_briefing& briefing,
                      const std::vector<user_event>& seen) override;

private:
  model_asker ask_;
  job_context& context_;
};

} // namespace brewery
