#pragma once
/// An attempt as text, for prompts and for readers: numbered steps with words,
/// calls and observations.

#include "roles/prompts/prompt.hpp"
#include "roles/roles.hpp"

#include <string>
#include <vector>

namespace brewery {

struct step_text_limits {
  /// Per observation, whose middle is cut. What a spreadsheet's kernel
  /// shows by default (8,192 bytes, and what it says of a cut) is whole.
  std::size_t observation_bytes = 8192 + 128;
  std::size_t argument_bytes = 2000;
  bool both_ends = true; ///< else the beginning alone
};

/// "[3] assistant called refuel(id="L1")\n    answer: ..." for every step. The
/// end of an attempt is told in words: of a conversation, where tau2-bench's
/// users say ###STOP###, and of the agent's work, if it called a tool of
/// `tools` that ends it.
std::string steps_text(const std::vector<trajectory_step>& steps,
                       step_text_limits limits = {},
                       const std::vector<tool_spec>* tools = nullptr);

/// The slots that prompts about an attempt share: briefing, tools, documents,
/// steps, and either the task, as the agent was told it, or, where it was told
/// none, the wish of its user.
slot_texts attempt_texts(const graded_attempt& attempt);

/// "- concept", one line for each that is known.
std::string concepts_text(const graded_attempt& attempt);

/// The reward and each check of the grader.
std::string grade_text(const grade_report& grade);

std::string ratings_text(const std::vector<rubric_rating>& ratings);

/// "1. first\n2. second"
std::string numbered(const std::vector<std::string>& items);

} // namespace brewery
