#pragma once
/// Induces rules and goals from counted evidence. Knows no domain; everything
/// follows from observations:
///
///   A status line v of key K is *bad* for a check (in a setting) if rollouts
///   that met the check never ended with v, and this is unlikely to be chance:
///     met(v) = 0  and  (1 - P(v | not met)) ^ n_met <= max_chance,
///   over the tasks that missed the check at least once. A setting may require
///   a clause of the instruction or another line of the observation; such a
///   setting has a lower max_chance. A *remedy* for v is the call sequence that
///   most reliably led from v towards a value with which rollouts that met the
///   check ended:
///     changed / attempted >= min_reliability,
///   through intermediate values if necessary (shortest first).
///   A line that more than two tools change is a *symptom*: it has no remedy.
///   A call without visible effect is *needed* under v if every rollout that
///   ended with v and met the task had made it, some rollouts without it missed
///   the task, and nearly all with it met it.
///   A line is a *goal* if rollouts that end with it nearly always succeed and
///   nearly all successful rollouts end with it.

#include "roles/procedural/induction/counted_evidence.hpp"
#include "roles/procedural/induction/graded_proof.hpp"
#include "roles/procedural/rule_text.hpp"

namespace brewery {

struct induction_options {
  double max_chance = 0.25;     ///< that a line is absent by chance, see above
  double min_reliability = 0.6; ///< of a remedy, [0, 1]
  std::uint32_t min_needed = 2; ///< rollouts with the call that met the task
  double goal_precision = 0.9;  ///< P(success | line)
  std::uint32_t min_goal = 3; ///< successful rollouts that ended with the line
};

struct induced_rule {
  rule content;
  /// Absent for a rule that only the parent document vouches for.
  std::optional<rule_proof> proof;
  std::vector<insight_id> sources;
};

struct induced_goal {
  goal content;
  graded_count with, without; ///< attempts that ended with the line, or not
  std::vector<insight_id> sources;
};

struct induced {
  std::vector<induced_rule> rules;
  std::vector<induced_goal> goals;
};

induced induce(const counted_evidence& evidence,
               const induction_options& options);

} // namespace brewery
