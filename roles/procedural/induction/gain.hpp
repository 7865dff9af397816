#pragma once
/// What the evidence says about making a call where a look shows a line: how
/// much likelier a met check is with the lines that the call left than with
/// those before it. Unlike rule_induction.hpp it asks for no certainty, so it
/// also serves with a few attempts and with wrong grades. Knows no domain.
/// Pure.

#include "roles/procedural/induction/evidence.hpp"

#include <optional>

namespace brewery {

struct gain_case {
  line_number shown = 0;
  /// A second line of the same look that must be shown too.
  std::optional<line_number> beside;
  auto operator<=>(const gain_case&) const = default;
};

/// One call sequence in a case.
struct gain_option {
  std::vector<line_number> calls;
  std::uint32_t tried = 0; ///< times
  double gain = 0;         ///< mean change of the chance to meet the check
  std::optional<line_number> leaves; ///< what it most often led to instead
  std::vector<rollout_number> rollouts;
  std::vector<insight_id> sources;
};

struct gain_table {
  std::string_view check; ///< of the grader, the one most attempts had
  std::map<gain_case, std::vector<gain_option>> cases;
};

/// The options of all cases of an observation. A call that changed nothing
/// counts as tried.
gain_table gains_of(const observation_evidence& observation);

} // namespace brewery
