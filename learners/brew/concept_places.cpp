#include "learners/brew/concept_places.hpp"

#include "base/error.hpp"
#include "learners/clustering.hpp"

namespace brewery {

void concept_places::add(const concept_record& about,
                         std::vector<double> centre) {
  for (const auto& topic : about.topics)
    names_.emplace(topic, about.id);
  centres_.insert_or_assign(about.id, std::move(centre));
}

std::optional<concept_id>
concept_places::named(const std::string& topic) const {
  const auto it = names_.find(topic);
  if (it == names_.end()) return std::nullopt;
  return it->second;
}

std::optional<concept_id>
concept_places::nearest(const std::vector<double>& topic,
                        double threshold) const {
  const auto unit = scaled_to_one(topic);
  std::optional<concept_id> best;
  double most = threshold - threshold_slack;
  for (const auto& [id, centre] : centres_) {
    if (centre.size() != unit.size()) continue;
    double similarity = 0;
    for (std::size_t d = 0; d < unit.size(); ++d)
      similarity += unit[d] * centre[d];
    const bool nearer = best ? similarity > most : similarity >= most;
    if (!nearer) continue; // also what is no number
    best = id;
    most = similarity;
  }
  return best;
}

std::vector<double> centre_of(const vector_list& topics,
                              const std::vector<std::size_t>& members) {
  BREWERY_ASSERT(!members.empty());
  std::vector<double> sum(topics[members.front()].size(), 0.0);
  for (const auto member : members)
    add_to(sum, scaled_to_one(topics[member]));
  for (double& x : sum)
    x /= static_cast<double>(members.size());
  return sum;
}

} // namespace brewery
