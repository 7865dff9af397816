#pragma once
/// An attempt as text, for prompts and for readers: numbered steps with words,
/// calls and observations.

#include "messages/rollout_msgs.hpp"

#include <string>
#include <vector>

namespace brewery {

struct step_text_limits {
  std::size_t observation_bytes = 3000; ///< per observation; the rest is cut
  std::size_t argument_bytes = 2000;
};

/// "[3] assistant called refuel(id="L1")\n    answer: ..." for every step.
std::string steps_text(const std::vector<trajectory_step>& steps,
                       step_text_limits limits = {});

/// The reward and each check of the grader.
std::string grade_text(const grade_report& grade);

std::string ratings_text(const std::vector<rubric_rating>& ratings);

/// "1. first\n2. second"
std::string numbered(const std::vector<std::string>& items);

} // namespace brewery
