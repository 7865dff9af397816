#include "learners/brew/integration.hpp"

#include "learners/clustering.hpp"

#include <algorithm>

namespace brewery {

namespace {

constexpr std::size_t max_missed = 12;
constexpr std::size_t max_neighbours = 24;

} // namespace

std::vector<check_share>
missed_checks(const std::vector<const rollout_result*>& training) {
  std::map<std::string, check_share> checks;
  for (const auto* rollout : training)
    for (const auto& part : rollout->grade.parts) {
      auto& check = checks[part.name];
      check.name = part.name;
      check.met += part.met;
      ++check.of;
    }
  std::vector<check_share> out;
  for (auto& [name, check] : checks)
    if (check.met < check.of) out.push_back(std::move(check));
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.of - a.met > b.of - b.met;
  });
  if (out.size() > max_missed) out.resize(max_missed);
  return out;
}

void name_neighbours(std::vector<formed_concept>& concepts,
                     const std::vector<std::vector<double>>& abouts) {
  for (std::size_t k = 0; k < concepts.size(); ++k) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t other = 0; other < concepts.size(); ++other)
      if (other != k)
        order.emplace_back(cosine(abouts[k], abouts[other]), other);
    std::stable_sort(
        order.begin(), order.end(),
        [](const auto& a, const auto& b) { return a.first > b.first; });
    if (order.size() > max_neighbours) order.resize(max_neighbours);
    for (const auto& [similarity, other] : order)
      concepts[k].neighbours.push_back(concepts[other].record.title);
  }
}

} // namespace brewery
