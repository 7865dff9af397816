#pragma once
/// Shows the evidence of a document's lines: the insights, how often each was
/// made, the rollouts that it comes from, and how these were graded.

#include "kb/manifest.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace brewery {

using rollout_grades = std::map<job_id, grade_report>;

/// The body. Below each line that has evidence follows one line per insight,
/// and below it one line per grade with the rollouts that got it:
///     <- 3x Turn the radio on.
///        2x reward 1: met "plays": task-a 1f0c52aa, task-b 9d21e7c0
///        1x reward 0: missed "plays": task-c 77aa01c2
/// An insight that an earlier line showed is named, not shown again.
std::string annotated(std::string_view body, const manifest_document& about,
                      const rollout_grades& grades, bool colour);

/// Each line of the body as an object: `line`, `text`, and `insights` if it has
/// any, with the grade of each rollout if it is known. `about` may be null.
nlohmann::ordered_json lines_json(std::string_view body,
                                  const manifest_document* about,
                                  const rollout_grades& grades);

} // namespace brewery
