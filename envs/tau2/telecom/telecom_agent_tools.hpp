#pragma once
/// The operator's 13 tools. The descriptions are our own; the reference's
/// prompts differ.

#include "envs/tau2/telecom/telecom_state.hpp"

namespace brewery::tau2 {

std::vector<telecom_function> agent_tools();

/// The functions that only task files may name: set-up and assertions.
std::vector<telecom_function> agent_task_functions();

} // namespace brewery::tau2
