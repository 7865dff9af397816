#pragma once
/// The vectors behind concept formation. A topic stands where its name and its
/// insights stand together: names alone hardly cluster, because two rollouts
/// seldom give a thing the same name. Facts have no vectors: the program that
/// found them also named them. Pure.

#include "base/result.hpp"
#include "learners/brew/equal_insights.hpp"
#include "messages/rollout_msgs.hpp"

#include <set>

namespace brewery {

using vector_list = std::vector<std::vector<double>>;

/// With length 1; a zero vector stays.
std::vector<double> scaled_to_one(std::vector<double> vector);

/// Adds a vector of the same length.
void add_to(std::vector<double>& sum, const std::vector<double>& vector);

/// What is said in insights, each text once and ordered.
struct insight_texts {
  std::vector<std::string> topics;
  std::vector<double> counts;         ///< by topic: its insights
  std::vector<std::string> sentences; ///< of insights without a fact
};

insight_texts texts_of(const std::vector<rollout_result>& rollouts);

class concept_vectors {
public:
  /// `texts` are those of the rollouts, `names` has the vector of each topic,
  /// `sentences` that of each sentence.
  concept_vectors(const std::vector<rollout_result>& rollouts,
                  const insight_texts& texts, vector_list names,
                  const vector_list& sentences);

  /// One for each topic: its name, and as much again the mean of its insights.
  [[nodiscard]] const vector_list& topics() const { return topics_; }

  /// Which of these topics names them all best: the one whose name is nearest
  /// to the mean of their insights. `otherwise`, if they have no sentences.
  [[nodiscard]] std::size_t title_of(const std::vector<std::size_t>& topics,
                                     std::size_t otherwise) const;

  /// The vectors of all insights without a fact.
  [[nodiscard]] const insight_vectors& insights() const { return insights_; }

private:
  [[nodiscard]] std::vector<double>
  mean_of(const std::set<insight_id>& insights) const;

  vector_list names_, topics_;
  insight_vectors insights_;
  std::vector<std::set<insight_id>> insights_of_; ///< by topic
};

} // namespace brewery
