#pragma once
/// One attempt as a person reads it: what the agent looked up, called and saw,
/// step by step, and the grade with its checks. PURE.

#include "report/rollout_view.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace brewery {

std::string rollout_text(const found_rollout& found, bool colour);

nlohmann::ordered_json rollout_json(const found_rollout& found);

} // namespace brewery
