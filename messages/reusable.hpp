#pragma once
/// Whether a rollout may stand for another one of the same job on another day.

#include "messages/rollout_msgs.hpp"

#include <algorithm>

namespace brewery {

/// A grader's check that fails when what was graded changes by time or chance
/// (a workbook with TODAY or RAND). It does not count in the reward.
inline constexpr std::string_view repeatable_check =
    "repeatable: nothing depends on time or chance";

/// False: the grade counts for this rollout, but must not be taken for another.
inline bool reusable(const grade_report& grade) {
  return std::none_of(grade.parts.begin(), grade.parts.end(),
                      [](const grade_part& part) {
                        return part.name == repeatable_check && !part.met;
                      });
}

} // namespace brewery
