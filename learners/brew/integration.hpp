#pragma once
/// What an integrator is told beside insights: which checks training rollouts
/// missed; what other documents are about. Pure.

#include "learners/brew/concepts.hpp"

namespace brewery {

/// The checks that not all of these graded rollouts met, the most often missed
/// first, at most 12. Only training rollouts may be given: what held-out tasks
/// check must not reach a document.
std::vector<check_share>
missed_checks(const std::vector<const rollout_result*>& training);

/// Names to each concept the titles of the others, the most similar first, at
/// most 24. `abouts` has a vector for each.
void name_neighbours(std::vector<formed_concept>& concepts,
                     const std::vector<std::vector<double>>& abouts);

} // namespace brewery
