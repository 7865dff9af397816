#include "learners/brew/settings.hpp"

namespace brewery {

rollout_job make_rollout_job(const brew_settings& settings, const task_id& task,
                             std::uint32_t trial,
                             const std::vector<doc_ref>& knowledge,
                             bool reflect) {
  rollout_job work{{},
                   task,
                   trial,
                   settings.seed,
                   knowledge,
                   reflect,
                   settings.fingerprint,
                   settings.method};
  work.id = identity(work);
  return work;
}

} // namespace brewery
