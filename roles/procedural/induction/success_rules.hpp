#pragma once
/// What successful rollouts of one observation have in common: calls that they
/// needed although nothing visible changed, and lines that they ended with.
/// rule_induction.hpp defines both. A part of `induce`. Pure.

#include "roles/procedural/induction/outcome_counts.hpp"
#include "roles/procedural/induction/rule_induction.hpp"

namespace brewery {

void add_success_rules(const evidence_table& table,
                       const observation_evidence& observation,
                       const outcome_counts& counts,
                       const induction_options& options, induced& out);

} // namespace brewery
