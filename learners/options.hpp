#pragma once
/// What a learner may be told. Plain values with the defaults of the paper
/// (papers/000, section 4); config/schema.cpp describes and bounds each field,
/// config/rules.cpp checks them against each other.

#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace brewery {

/// `[search]`: the learner and its tree search.
struct learner_options {
  std::string learner = "brew";
  /// Each is searched from the same concepts; the first one's documents are
  /// published. Values: "mcts", "greedy", "iterative"; empty: only the final
  /// evaluation.
  std::vector<std::string> strategies{"mcts"};
  std::uint32_t iterations = 10;            ///< M
  std::uint32_t candidates = 3;             ///< h, per expansion
  std::uint32_t max_width = 3;              ///< children per node
  std::uint32_t max_depth = 3;              ///< edges from the root
  double exploration = std::numbers::sqrt2; ///< c of UCT
  double lambda_correctness = 0.5;          ///< of R = lc R_corr + lr R_ret
  double lambda_retrieval = 0.5;            ///< the two lambdas sum to 1
  std::uint32_t initial_trials = 1; ///< per train task, empty knowledge base
  std::uint32_t train_trials = 1;   ///< per train task and iteration
  double cluster_threshold = 0.75;  ///< cosine, average linkage
  double integrator_temperature = 0.7;
  bool accumulate_insights = true; ///< I_k grows with every iteration
  double gather_quorum = 1;        ///< share of trees that closes a barrier
  bool final_evaluation = true;    ///< open the sealed test split at the end

  bool operator==(const learner_options&) const = default;
};

/// `[eval]`: which tasks score a candidate, and how often.
struct eval_options {
  std::uint32_t min_per_concept = 8; ///< the nearest ones fill up to this many
  std::uint32_t max_per_concept = 16;
  std::uint32_t trials = 1;      ///< per eval task and candidate
  std::uint32_t test_trials = 4; ///< per test task and arm
  double similarity = 0.2; ///< least cosine of a task relevant to a concept
  /// Further arms of the final evaluation: "step-back", "in-context".
  std::vector<std::string> baselines;

  bool operator==(const eval_options&) const = default;
};

} // namespace brewery
