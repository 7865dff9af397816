#pragma once
/// Concept formation (BREW, arXiv:2511.20297, algorithm 3). The topics of the
/// initial insights are clustered by embedding, together with the sentences
/// that were written about them. Each cluster is a concept k
/// with its insights I_k, its training tasks Q_train_k (tasks whose rollouts
/// gave an insight of k) and its held-out tasks Q_eval_k (those most similar to
/// k, see `eval_options`). Concepts do not change afterwards. Pure.

#include "base/result.hpp"
#include "learners/brew/concept_places.hpp"
#include "learners/brew/concept_vectors.hpp"
#include "learners/brew/told_pool.hpp"
#include "learners/options.hpp"
#include "messages/search_msgs.hpp"

#include <map>
#include <memory>

namespace brewery {

/// What a learner sees of a task: never its grader.
struct learner_task {
  task_id id;
  std::string instruction;       ///< or the task's subject: task_info::about()
  std::uint32_t checkpoints = 0; ///< how many it has; see envs/environment.hpp
};

struct formed_concept {
  concept_record record;
  told_pool insights;
  insight_vectors vectors;             ///< of those without a fact
  std::vector<std::string> neighbours; ///< titles of others, nearest first
  std::vector<double> centre;          ///< of its topics; see concept_places
  /// Of all concepts of the search. Without, only its own topics are its own.
  std::shared_ptr<const concept_places> places;
};

struct concept_inputs {
  const std::vector<rollout_result>& rollouts; ///< initial, in a fixed order
  const std::vector<learner_task>& train;
  const std::vector<learner_task>& eval;
  double cluster_threshold = 0.75;
  std::uint32_t max_concepts = 0; ///< 0: no limit
  eval_options eval_choice;
  std::uint64_t seed = 0;
};

/// The texts to embed, in the order `form_concepts` expects their vectors:
/// topics (sorted), train instructions, eval instructions, then the sentences
/// of insights without a fact (sorted). `said` is what the rollouts say.
std::vector<std::string> texts_to_embed(const concept_inputs& in,
                                        const said_insights& said);

/// No topics give no concepts. Error ec::malformed: the vectors do not fit the
/// texts.
result<std::vector<formed_concept>>
form_concepts(const concept_inputs& in, const said_insights& said,
              const std::vector<std::vector<double>>& vectors);

/// Maps each topic to its concept, to assign later insights.
std::map<std::string, concept_id>
topic_map(const std::vector<concept_record>& concepts);

} // namespace brewery
