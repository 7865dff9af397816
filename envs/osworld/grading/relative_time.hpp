#pragma once
/// rule_relativeTime: rules with dates that depend on the day of the grade, as
/// "next Monday". Pure. Of its phrases those that tasks with a native grade use
/// are known here.

#include "base/json.hpp"
#include "base/result.hpp"

#include <chrono>

namespace brewery::osworld {

/// Whether both phrases of the rules are known.
bool knows_relative_time(const json& rules);

/// The rules with dates in place of {Year} and the like. Error ec::malformed:
/// where the official getter raises.
result<json> rules_at(json rules, std::chrono::sys_days today);

} // namespace brewery::osworld
