#pragma once
/// Whether a rollout's result may be used for the same job on another day.

#include "messages/rollout_msgs.hpp"

#include <algorithm>
#include <set>

namespace brewery {

/// A grader's check that fails if the graded content depends on time or chance
/// (a workbook with TODAY or RAND). It does not count in the reward.
inline constexpr std::string_view repeatable_check =
    "repeatable: nothing depends on time or chance";

/// False: the grade counts for this rollout only.
inline bool reusable(const grade_report& grade) {
  return std::none_of(grade.parts.begin(), grade.parts.end(),
                      [](const grade_part& part) {
                        return part.name == repeatable_check && !part.met;
                      });
}

/// Whether the ranking of a result has concepts of this knowledge base only,
/// each once.
inline bool ranks_only(const rollout_result& made,
                       const std::vector<doc_ref>& knowledge) {
  std::set<concept_id> left;
  for (const auto& ref : knowledge)
    left.insert(ref.concept_ref);
  return std::ranges::all_of(
      made.ranking, [&](concept_id ranked) { return left.erase(ranked) > 0; });
}

} // namespace brewery
