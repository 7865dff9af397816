#pragma once
/// The learner MUSE (arXiv:2510.08002): the train tasks are attempted in their
/// order, for some iterations, and the memory is carried from each to the next.
/// An attempt is one rollout job, which names the memory's documents. What it
/// brings is merged at a barrier, in task order; without a language model the
/// insights of all attempts so far are distilled again by the integrator.
///
/// An evaluation plays the tasks with the memory as it stands and, beside that,
/// without any. PURE.

#include "learners/learner_machine.hpp"
#include "learners/muse/attempts.hpp"
#include "learners/muse/settings.hpp"

namespace brewery::muse {

class muse_learner final : public learner {
public:
  explicit muse_learner(muse_settings settings);

  [[nodiscard]] std::string name() const override { return "muse"; }
  std::shared_ptr<learner_machine> learning() override;
  [[nodiscard]] search_outcome outcome() const override;
  std::vector<std::shared_ptr<serving_machine>>
  serving(const evaluated_tasks& what) override;
  [[nodiscard]] std::string report() const override;

  /// As learning left it.
  [[nodiscard]] const memory& learned() const { return state_.memory_now; }

  /// What learning and serving leave behind. The machines refer to it.
  struct state {
    memory memory_now;
    std::vector<attempt_count> iterations;
    double first_success = 0;         ///< mean reward of the first iteration
    std::vector<std::string> refused; ///< what merges refused, the first few
    std::size_t refusals = 0;
    std::vector<attempt_count> served; ///< arms, the one without memory first
  };

private:
  std::shared_ptr<const muse_settings> settings_;
  state state_;
};

} // namespace brewery::muse
