#pragma once
/// The agent of the learner MUSE around an agent of any other kind: attempts
/// with the method "muse" or "muse-frozen" are planned, done and checked here;
/// all others are the inner agent's.

#include "learners/muse/options.hpp"
#include "roles/model/model_asker.hpp"
#include "roles/options.hpp"
#include "roles/procedural/rule_reading.hpp"
#include "roles/procedural/status_lines.hpp"
#include "roles/roles.hpp"

namespace brewery {

class muse_agent final : public agent {
public:
  /// `ask`: the model that plans, acts and checks; empty: no language model
  /// does.
  muse_agent(std::shared_ptr<const agent> inner, agent_options options,
             muse_options how, std::optional<model_asker> ask = {});

  std::string fingerprint() const override;
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  std::shared_ptr<const agent> inner_;
  agent_options options_;
  muse_options how_;
  guidance_cache rules_;
  observation_cache parsed_;
  std::optional<model_asker> ask_;
};

} // namespace brewery
