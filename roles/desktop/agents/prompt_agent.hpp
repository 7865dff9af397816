#pragma once
/// OSWorld's prompt agent (arXiv:2404.07972, section 3): a model sees the
/// screen, its last three steps with their screenshots, and writes Python.
///
///   - Documents for the task stand at the end of the system message.
///   - Each fence of a reply is a step. What follows WAIT, DONE or FAIL in a
///     reply is done all the same, but for what follows the end.
///   - A reply without an action is asked for once more. After a second one the
///     attempt ends and is graded as it is, like one that outgrows the model's
///     context or takes max_calls steps.

#include "roles/model/model_asker.hpp"

namespace brewery::desktop {

/// What the agents on a desktop have in common.
struct desktop_options {
  std::uint32_t max_steps = 15;
  std::uint32_t knowledge_tokens = 1'500;
};

class prompt_agent final : public agent {
public:
  prompt_agent(model_asker ask, const agent_options& options);

  std::string fingerprint() const override;
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  model_asker ask_;
  desktop_options options_;
  bool sees_pixels_, sees_tree_;
};

} // namespace brewery::desktop
