#pragma once
/// UI-TARS 1.5 (arXiv:2501.12326) on any OpenAI-compatible server: a model that
/// is trained to answer screenshots with a thought and an action.
///
///   - The first message has the actions, the notes and the task; then a
///     screenshot and a reply for every step, the last five with their images.
///   - Coordinates are in the smart_resize grid of the screenshot.
///   - `call_user` waits, the fourth time it gives up (FAIL). A reply that
///     cannot be read is asked for once more, then the attempt ends (DONE). The
///     last step that is left gives up. All as in the reference.
///
/// Not sent: top_p and frequency_penalty, which the reference sets.

#include "roles/desktop/agents/prompt_agent.hpp"

namespace brewery::desktop {

class uitars_agent final : public agent {
public:
  uitars_agent(model_asker ask, const agent_options& options);

  std::string fingerprint() const override;
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  model_asker ask_;
  desktop_options options_;
};

} // namespace brewery::desktop
