#pragma once
/// Reads a reply of OSWorld's prompt agent (its mm_agents/agent.py): code
/// between ``` fences, with WAIT, DONE or FAIL alone in a fence, or alone in
/// the reply. Every fence is an action, and so is each special word that ends
/// one. Pure.
///
/// As in the reference, a semicolon ends a line, so that "click(); DONE" is two
/// actions. Other than there, one inside of a Python string is part of it.

#include "base/result.hpp"
#include "roles/desktop/formats/desktop_action.hpp"

#include <string_view>
#include <vector>

namespace brewery::desktop {

/// Error ec::malformed: there is no action; says what is expected.
result<std::vector<action>> read_prompt_reply(std::string_view reply);

/// The text with each semicolon outside of Python strings as a line feed.
std::string split_statements(std::string_view code);

} // namespace brewery::desktop
