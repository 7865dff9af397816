/// What a version that lost a race leaves (search/racing.hpp).

#include "learners/brew/version_scoring.hpp"

#include <algorithm>

namespace brewery {

std::optional<double> version_scoring::known_rank(std::size_t query) const {
  const auto it = answers_.find(query);
  if (it != answers_.end() && it->second.rank) return it->second.rank;
  return ranks_[query / trials_.count];
}

std::vector<std::optional<double>>
version_scoring::rewards(const std::vector<std::size_t>& tasks) const {
  const auto& weights = settings_->learner.tree.weights;
  std::vector<std::optional<double>> out;
  for (const auto task : tasks) {
    std::vector<double> met;
    for (std::size_t i = 0; i < trials_.count; ++i) {
      const auto query = task * trials_.count + i;
      const auto it = answers_.find(query);
      if (it == answers_.end()) return out;
      if (it->second.grade)
        met.push_back(
            combine(weights, *it->second.grade, known_rank(query).value_or(0)));
    }
    out.push_back(met.empty() ? std::nullopt : std::optional{mean_grade(met)});
  }
  return out;
}

evaluation version_scoring::raced(const version_scoring* winner,
                                  double error) const {
  std::vector<double> grades, behind, ranks;
  for (std::size_t query = 0; query < jobs_.size(); ++query) {
    if (const auto rank = known_rank(query)) ranks.push_back(*rank);
    const auto it = answers_.find(query);
    if (it == answers_.end() || !it->second.grade) continue;
    grades.push_back(*it->second.grade);
    if (winner == nullptr) continue;
    if (const auto& its = winner->answers_.at(query).grade)
      behind.push_back(*its - grades.back());
  }
  evaluation out = bounded();
  out.least.reset();
  out.raced = error;
  out.correctness = mean_grade(grades);
  if (!behind.empty())
    out.correctness = std::clamp(
        winner->finish()->correctness - mean_grade(behind), 0.0, 1.0);
  out.retrieval = mean_grade(ranks);
  out.reward =
      combine(settings_->learner.tree.weights, out.correctness, out.retrieval);
  return out;
}

} // namespace brewery
