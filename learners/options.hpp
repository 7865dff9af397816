#pragma once
/// The options of a learner, with the paper's defaults (BREW, arXiv:2511.20297,
/// section 4). config/schema.cpp describes each field and its range,
/// config/rules.cpp checks combinations.

#include "search/options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// `[search]`: the learner and its tree search.
struct learner_options {
  std::string learner = "brew";
  /// Each strategy searches from the same concepts. The documents of the first
  /// one are published. Values: "mcts", "greedy", "iterative". Empty: only the
  /// final evaluation.
  std::vector<std::string> strategies{"mcts"};
  std::uint32_t iterations = 10; ///< M
  search_options tree; ///< `tree.how` is set for each of the strategies in turn
  std::uint32_t initial_trials = 1; ///< per train task, empty knowledge base
  std::uint32_t train_trials = 1;   ///< per train task and iteration
  /// Training rollouts under the selected version instead of the best one.
  bool train_on_selected = false;
  double cluster_threshold = 0.75; ///< cosine, average linkage
  std::uint32_t max_concepts = 0;  ///< 0: no limit
  double merge_similarity = 0.88;  ///< least cosine of equal sentences
  double root_temperature = 0;     ///< of the first documents
  double integrator_temperature = 0.7;
  bool accumulate_insights = true; ///< I_k grows with every iteration
  double gather_quorum = 1; ///< share of trees whose reports close a barrier
  bool final_evaluation = true; ///< open the sealed test split at the end

  /// What a run learns, by name: BREW once by each strategy, another learner
  /// once.
  [[nodiscard]] std::vector<std::string> learned() const {
    return learner == "brew" ? strategies : std::vector{learner};
  }
  bool operator==(const learner_options&) const = default;
};

/// `[eval]`: which tasks score a candidate, and how many rollouts each gets.
struct eval_options {
  std::uint32_t min_per_concept = 8; ///< filled up with the most similar tasks
  std::uint32_t max_per_concept = 16;
  std::uint32_t trials = 1;      ///< per eval task and candidate
  std::uint32_t test_trials = 4; ///< per test task and arm
  double similarity = 0.2;       ///< least cosine of a task to its concept
  double min_graded = 0.75; ///< share of a version's rollouts, to be compared
  /// Additional arms of the final evaluation: "step-back", "in-context", and
  /// the names of `comparators`.
  std::vector<std::string> baselines;
  bool leave_one_out = false; ///< also without each published document

  bool operator==(const eval_options&) const = default;
};

} // namespace brewery
