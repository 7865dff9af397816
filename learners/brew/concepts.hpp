#pragma once
/// Concept formation (papers/000, algorithm 3): topics of the initial insights
/// are clustered by embedding; each cluster is a concept k with its insights
/// I_k, its training tasks Q_train_k (whose rollouts gave one of them) and its
/// held-out tasks Q_eval_k (most similar to k, see `eval_options`). Frozen
/// afterwards. PURE.

#include "base/result.hpp"
#include "learners/brew/insight_pool.hpp"
#include "learners/options.hpp"
#include "messages/search_msgs.hpp"

#include <map>

namespace brewery {

/// A task as the learner knows it: never its grader.
struct learner_task {
  task_id id;
  std::string instruction; ///< or what the task is about: task_info::about()
};

struct formed_concept {
  concept_record record;
  insight_pool insights;
};

struct concept_inputs {
  const std::vector<rollout_result>& rollouts; ///< initial, in a fixed order
  const std::vector<learner_task>& train;
  const std::vector<learner_task>& eval;
  double cluster_threshold = 0.75;
  eval_options eval_choice;
  std::uint64_t seed = 0;
};

/// The texts to embed, in the order `form_concepts` expects their vectors:
/// topics (sorted), then train instructions, then eval instructions.
std::vector<std::string> texts_to_embed(const concept_inputs& in);

/// Error ec::malformed when the vectors do not fit the texts. No topics gives
/// no concepts: the caller decides what that means.
result<std::vector<formed_concept>>
form_concepts(const concept_inputs& in,
              const std::vector<std::vector<double>>& vectors);

/// Topic -> concept, to map later insights.
std::map<std::string, concept_id>
topic_map(const std::vector<concept_record>& concepts);

} // namespace brewery
