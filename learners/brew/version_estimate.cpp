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
  std::vector<double> grades, ranks;               // of its own
  std::vector<double> grades_behind, ranks_behind; // what its winner has more
  for (std::size_t query = 0; query < jobs_.size(); ++query) {
    if (const auto rank = known_rank(query)) {
      ranks.push_back(*rank);
      if (const auto its = winner ? winner->known_rank(query) : std::nullopt)
        ranks_behind.push_back(*its - *rank);
    }
    const auto it = answers_.find(query);
    if (it == answers_.end() || !it->second.grade) continue;
    grades.push_back(*it->second.grade);
    if (const auto its =
            winner ? winner->answers_.at(query).grade : std::nullopt)
      grades_behind.push_back(*its - grades.back());
  }
  evaluation out = bounded();
  out.least.reset();
  out.raced = error;
  out.correctness = mean_grade(grades);
  out.retrieval = mean_grade(ranks);
  if (const auto won = winner ? winner->finish() : std::nullopt) {
    out.correctness =
        std::clamp(won->correctness - mean_grade(grades_behind), 0.0, 1.0);
    out.retrieval =
        std::clamp(won->retrieval - mean_grade(ranks_behind), 0.0, 1.0);
  }
  out.reward =
      combine(settings_->learner.tree.weights, out.correctness, out.retrieval);
  return out;
}

} // namespace brewery
