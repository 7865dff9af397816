#pragma once
/// What graded attempts say about a rule: how many succeeded with its step and
/// how many without. Attempts without the step are those that ended in the
/// rule's case. Pure.

#include "roles/procedural/induction/evidence.hpp"

namespace brewery {

struct graded_count {
  std::uint32_t met = 0, of = 0;
  bool operator==(const graded_count&) const = default;
};

/// Numbers of rollouts that were made twice, or whose grade is not known, do
/// not count.
graded_count count_met(const evidence_table& table,
                       std::vector<rollout_number> rollouts,
                       std::string_view check);

/// The rollouts of `some` that are not in `others`, sorted, each once.
std::vector<rollout_number> except(std::vector<rollout_number> some,
                                   std::vector<rollout_number> others);

struct rule_proof {
  /// The check of the grader that the rule is for; may be the whole task.
  std::string check;
  graded_count with, without;           ///< attempts that met this check
  graded_count task_with, task_without; ///< attempts that met the whole task
  /// The attempts behind the counts, sorted: with the step, and without it.
  std::vector<rollout_number> steps, others;
};

rule_proof prove(const evidence_table& table, std::string_view check,
                 std::vector<rollout_number> with,
                 const std::vector<rollout_number>& left);

} // namespace brewery
