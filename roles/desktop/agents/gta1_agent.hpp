#pragma once
/// GTA1 (arXiv:2507.05791): a planner draws several plans for the next step, a
/// judge chooses one, and a grounding model finds what it describes on the
/// screen.
///
///   - Planner and judge are one model; both are given the documents. The
///     grounding model is not: it is only told what to find.
///   - The planner is shown all earlier plans, and the screenshots of the last
///     five.
///   - A plan that cannot be read is no candidate. Without any, one is asked
///   for
///     again, told why; then the attempt ends and is graded as it is.
///   - A place that the grounding model cannot tell is no step of the desktop:
///     the agent waits, and the planner sees that nothing changed.
///   - The last step that is left gives up (FAIL), as in the reference.
///
/// Of the reference's methods, set_cell_values and highlight_text_span are not
/// offered: they need programs in the guest. The screenshot is sent as it is:
/// servers resize it to the same grid as the reference does.

#include "roles/desktop/agents/prompt_agent.hpp"

namespace brewery::desktop {

class gta1_agent final : public agent {
public:
  gta1_agent(model_asker planner, model_asker grounder,
             const agent_options& options);

  std::string fingerprint() const override;
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  model_asker planner_, grounder_;
  desktop_options options_;
  std::uint32_t plans_;
};

} // namespace brewery::desktop
