#pragma once
/// The reflector without a language model. It compares what the reading tools
/// showed before and after changing calls, and what they showed at the end with
/// the grade. It makes two kinds of insight, each about one observation:
///   effect   after these calls, `observation` changed from these lines to
///   those, or
///            did not change
///   outcome  a rollout that ended with `observation` showing these lines met,
///   or did
///            not meet, this check of the grader; `before` is what the
///            observation showed before any change
/// Arguments that name the task's own records become placeholders, so that an
/// insight from one customer applies to others.

#include "roles/procedural/status_lines.hpp"
#include "roles/roles.hpp"

namespace brewery {

class procedural_reflector final : public reflector {
public:
  result<std::vector<insight>>
  reflect(const graded_attempt& attempt,
          const std::vector<rubric_rating>& ratings,
          job_context& context) const override;

private:
  observation_cache parsed_; ///< for all rollouts
};

/// Topic of an observation: `check_sim_status()` -> "sim status",
/// `get_details_by_id(id=<line_id>)` -> "details of line".
std::string topic_of(std::string_view call_text);

/// The name of the check that stands for the whole grade.
inline constexpr const char* whole_task_check = "the task";

} // namespace brewery
