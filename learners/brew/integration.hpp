#pragma once
/// What an integrator is told: insights, equal ones as one; which checks
/// training rollouts missed; what other documents are about. Pure.

#include "learners/brew/concepts.hpp"

namespace brewery {

/// Equal insights as one, for an integrator.
struct merged_insights {
  std::vector<counted_insight> list; ///< for_integration
  insight_groups groups;
};
merged_insights merge_equal(const insight_pool& insights,
                            const insight_vectors& vectors,
                            double merge_similarity,
                            std::optional<std::uint32_t> parent = {});

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
