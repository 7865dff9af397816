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
  std::vector<double> counts;          ///< by topic: its insights
  std::vector<std::uint32_t> topic_of; ///< by insight: the place of its topic
  std::vector<std::string> sentences;  ///< of insights without a fact
};

/// The insights of rollouts, of which results share equal ones, each once: what
/// follows from its content is looked up once, not in every rollout that made
/// it. The rollouts outlive it.
class distinct_insights {
public:
  explicit distinct_insights(const std::vector<rollout_result>& rollouts);

  /// In the order of arrival.
  [[nodiscard]] const std::vector<const insight*>& items() const {
    return items_;
  }
  /// By item: how many rollouts made it.
  [[nodiscard]] const std::vector<std::uint32_t>& counts() const {
    return counts_;
  }
  /// Of all insights, one rollout after the other: places in `items`.
  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const {
    return numbers_;
  }

private:
  std::vector<const insight*> items_;
  std::vector<std::uint32_t> counts_, numbers_;
};

insight_texts texts_of(const distinct_insights& insights);

/// What rollouts say: gathered once, for the texts to embed and for what is
/// formed of their vectors. The rollouts outlive it.
struct said_insights {
  explicit said_insights(const std::vector<rollout_result>& rollouts)
      : distinct(rollouts), texts(texts_of(distinct)) {}

  distinct_insights distinct;
  insight_texts texts;
};

class concept_vectors {
public:
  /// `texts` are those of the insights, `names` has the vector of each topic,
  /// `sentences` that of each sentence.
  concept_vectors(const distinct_insights& insights, const insight_texts& texts,
                  vector_list names, const vector_list& sentences);

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
