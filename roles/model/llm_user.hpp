#pragma once
/// The simulated user on a language model. It sees what the user said, did and
/// heard, never the agent's calls.

#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_user final : public user_player {
public:
  /// `context` belongs to the rollout and must outlive the user.
  llm_user(model_asker ask, job_context& context)
      : ask_(std::move(ask)), context_(context) {}

  result<turn> answer(const user_briefing& briefing,
                      const std::vector<user_event>& seen) override;

private:
  model_asker ask_;
  job_context& context_;
};

} // namespace brewery
