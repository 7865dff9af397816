#pragma once
/// Where the concepts of a search stand among topics, so that what later
/// rollouts are about is found again: by name, or, for a topic that nobody has
/// named before, by meaning. A new topic joins the concept that it would have
/// joined when concepts were formed: the one with the highest mean cosine
/// similarity to its topics, if that is at least the threshold (average
/// linkage). Shared by the trees of a search, which do not change it. Pure.

#include "learners/brew/concept_vectors.hpp"
#include "messages/search_msgs.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace brewery {

class concept_places {
public:
  /// `centre`: the mean of the unit vectors of its topics.
  void add(const concept_record& about, std::vector<double> centre);

  /// The concept that has the topic; none if no concept has.
  [[nodiscard]] std::optional<concept_id> named(const std::string& topic) const;

  /// None if the topic is near to no concept, or its vector has another length.
  /// Ties go to the lower id.
  [[nodiscard]] std::optional<concept_id>
  nearest(const std::vector<double>& topic, double threshold) const;

private:
  std::unordered_map<std::string, concept_id> names_;
  std::map<concept_id, std::vector<double>> centres_;
};

/// The mean of the unit vectors of these topics.
std::vector<double> centre_of(const vector_list& topics,
                              const std::vector<std::size_t>& members);

} // namespace brewery
