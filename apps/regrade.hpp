#pragma once
/// The answers that a finished run kept, graded again by the graders and
/// goldens of today: nothing is played, no model is asked.

#include "apps/arm_rollouts.hpp"

#include <functional>
#include <optional>

namespace brewery {

/// An attempt that has another grade now.
struct changed_grade {
  std::string arm;
  task_id task;
  std::uint32_t trial = 0;
  double before = 0, now = 0;
  std::string why; ///< the first check that is not met now
};

struct regraded_arm {
  std::string name;
  std::size_t attempts = 0;        ///< graded again
  std::size_t without_answers = 0; ///< no score, or of an older Brewery
  double before = 0, now = 0;      ///< mean rewards of the attempts
  std::vector<check_share> checks;
};

struct regraded_run {
  std::vector<regraded_arm> arms;
  std::vector<changed_grade> changed;
  /// Attempts whose answers hold functions of time or chance: played again they
  /// may end otherwise (messages/reusable.hpp).
  std::size_t unrepeatable = 0;
};

struct regrade_request {
  std::filesystem::path run;
  std::string arm;                    ///< empty: all
  std::vector<std::string> overrides; ///< of environment.*, as of --set
  /// Where the answers are written to, ARM/TASK/TRIAL-CASE.xlsx; empty:
  /// nowhere.
  std::filesystem::path answers;
  /// Told of how many attempts there are, then after each.
  std::function<void(std::size_t total)> on_begin;
  std::function<void()> on_step;
};

/// Errors: a benchmark whose attempts leave nothing to grade; an override that
/// is none of the environment, or a metric that needs more answers than were
/// kept; a grader that fails.
result<regraded_run> regrade(const regrade_request& what);

} // namespace brewery
