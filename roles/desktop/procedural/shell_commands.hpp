#pragma once
/// Moves in a terminal of the agent without a language model:
///   `command(words="mv", first=<text 1>, second=<text 2>)`
/// types a command of every Unix with texts of the task, and Enter. The agent
/// knows that these commands exist and how many names each takes, not what they
/// are for: that is what it learns. Pure.

#include "base/rng.hpp"
#include "roles/desktop/procedural/task_terms.hpp"
#include "roles/procedural/call_text.hpp"

#include <optional>
#include <string>

namespace brewery::desktop {

inline constexpr const char* command_tool = "command";

/// One that takes texts which the task quotes, mostly all of them, in any
/// order. Empty: the task quotes none.
std::optional<call_text> random_command(const task_terms& task, rng& draw);

/// What is typed, without Enter; its texts are quoted for the shell. Empty: a
/// text is missing, or it would be more than one line.
std::string command_line(const call_text& move, const task_terms& task);

} // namespace brewery::desktop
