#pragma once
/// Regrades the stored answers of a finished run with today's graders and
/// goldens. No rollout is made and no model is asked.

#include "report/arm_rollouts.hpp"

#include <functional>
#include <optional>

namespace brewery {

/// An attempt whose grade has changed.
struct changed_grade {
  std::string arm;
  task_id task;
  std::uint32_t trial = 0;
  double before = 0, now = 0;
  std::string why; ///< the first check that fails now
};

struct regraded_arm {
  std::string name;
  std::size_t attempts = 0; ///< number of regraded attempts
  /// Attempts without a score, or from an older Brewery.
  std::size_t without_answers = 0;
  double before = 0, now = 0; ///< mean rewards of the attempts
  std::vector<check_share> checks;
};

struct regraded_run {
  std::vector<regraded_arm> arms;
  std::vector<changed_grade> changed;
  /// Attempts whose answers contain functions of time or chance: a new rollout
  /// may give other values (messages/reusable.hpp).
  std::size_t unrepeatable = 0;
  std::vector<std::string> hints; ///< about the overrides
};

struct regrade_request {
  std::filesystem::path run;
  std::string arm; ///< empty: all
  /// Options of environment.*, in the syntax of --set.
  std::vector<std::string> overrides;
  /// The directory to write the answers to, as ARM/TASK/TRIAL-CASE.xlsx; empty:
  /// they are not written.
  std::filesystem::path answers;
  /// `on_begin` is called with the number of attempts, `on_step` after each
  /// one.
  std::function<void(std::size_t total)> on_begin;
  std::function<void()> on_step;
};

/// Errors: attempts of this benchmark leave no answers; an override is not of
/// the environment; the metric needs more answers than are stored; a grader
/// fails.
result<regraded_run> regrade(const regrade_request& what);

} // namespace brewery
