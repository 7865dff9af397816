#pragma once
/// Induces rules and goals from counted evidence. Nothing here knows a domain;
/// everything follows from what was seen:
///
///   A status line v of key K is *bad* for a check (in a context) when rollouts
///   that met the check never ended with v although chance would have it so:
///     met(v) = 0  and  (1 - P(v | not met)) ^ n_met <= max_chance,
///   over the tasks that missed the check at least once. A context is a clause
///   of the instruction or another line of the look, and must be surer.
///   A *remedy* for v is the call sequence that most reliably led from v
///   towards a value that rollouts which met the check did end with:
///     changed / attempted >= min_reliability,
///   through intermediate values if need be (shortest first).
///   A line that more than two tools change is a *symptom*: it gets no remedy.
///   A call without visible effect is *needed* under v when every rollout that
///   ended with v and met the check had made it, some without it missed, and
///   with it nearly all met. A line is a *goal* when rollouts ending with it
///   nearly always succeeded and nearly all successes ended with it.

#include "roles/evidence.hpp"
#include "roles/rule_text.hpp"

namespace brewery {

struct induction_options {
  double max_chance = 0.25;     ///< of a line being absent by luck, see above
  double min_reliability = 0.6; ///< of a remedy, [0, 1]
  std::uint32_t min_needed = 2; ///< rollouts that met a check with the call
  double goal_precision = 0.9;  ///< P(success | line)
  std::uint32_t min_goal = 3;   ///< successes that ended with the line
};

struct induced_rule {
  rule content;
  std::uint32_t support = 0; ///< observations behind it
  std::vector<insight_id> sources;
};

struct induced_goal {
  goal content;
  std::uint32_t support = 0;
  std::vector<insight_id> sources;
};

struct induced {
  std::vector<induced_rule> rules;
  std::vector<induced_goal> goals;
};

induced induce(const evidence_table& table, const induction_options& options);

} // namespace brewery
