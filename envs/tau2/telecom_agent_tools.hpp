#pragma once
/// The operator's desk: its 13 tools. Descriptions are our own words; the
/// reference's prompts differ.

#include "envs/tau2/telecom_state.hpp"

namespace brewery::tau2 {

std::vector<telecom_function> agent_tools();

/// Functions only task files may name: set-up and assertions.
std::vector<telecom_function> agent_task_functions();

} // namespace brewery::tau2
