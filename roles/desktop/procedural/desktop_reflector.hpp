#pragma once
/// Learns from a graded attempt on a desktop without a language model: which
/// moves it made, in which application, for a task of which words, and whether
/// the task was met. Moves on what the task itself names are generalised, so
/// that they say something about other tasks. No move is left out of a success
/// but those after which nothing on the screen was different.

#include "roles/roles.hpp"

namespace brewery::desktop {

class procedural_desktop_reflector final : public reflector {
public:
  result<std::vector<insight>>
  reflect(const graded_attempt& attempt,
          const std::vector<rubric_rating>& ratings,
          job_context& context) const override;
};

/// The kind of its facts. `before`: the application; `actions`: the moves;
/// `context`: the words of the task; `met`: the grade.
inline constexpr const char* moves_fact = "moves";

} // namespace brewery::desktop
