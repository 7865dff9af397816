#pragma once
/// Leaves out rules and goals that say what another one says. Pure.

#include "roles/procedural/induction/rule_induction.hpp"

namespace brewery {

/// Of rules of one observation with the same calls and clauses that rest on the
/// same attempts, keeps one: the one whose line has no date or amount. Of goals
/// with the same line, drops those whose evidence another goal includes.
void merge_equal(induced& knowledge);

/// Of more than `most` rules, keeps those with the most graded attempts, in
/// their order. 0: keeps all.
void keep_best_supported(std::vector<induced_rule>& rules, std::size_t most);

} // namespace brewery
