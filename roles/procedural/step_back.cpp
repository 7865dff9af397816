#include "roles/procedural/step_back.hpp"

#include "roles/procedural/words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace brewery {

namespace {

/// How much likelier a tool comes first that has most to do with the task than
/// one that has nothing.
constexpr double most_preferred = 4;

/// What is one step further from the objective counts this much.
constexpr double step_factor = 0.5;

using word_set = std::set<std::string>;

class word_weights {
public:
  explicit word_weights(const std::vector<word_set>& texts)
      : all_(static_cast<double>(texts.size())) {
    for (const auto& words : texts)
      for (const auto& word : words)
        ++texts_with_[word];
  }

  /// What two sets of words share, from 0 to 1.
  [[nodiscard]] double shared(const word_set& a, const word_set& b) const {
    double both = 0;
    for (const auto& word : a)
      if (b.contains(word)) both += square_of(word);
    const double most = std::sqrt(sum_of(a) * sum_of(b));
    return most > 0 ? both / most : 0;
  }

private:
  [[nodiscard]] double square_of(const std::string& word) const {
    const auto it = texts_with_.find(word);
    const double with = it == texts_with_.end() ? 1 : it->second;
    const double rare = std::log(all_ / with);
    return rare * rare;
  }
  [[nodiscard]] double sum_of(const word_set& words) const {
    double sum = 0;
    for (const auto& word : words)
      sum += square_of(word);
    return sum;
  }

  double all_;
  std::map<std::string, int> texts_with_;
};

} // namespace

step_back_principle::step_back_principle(std::string_view task,
                                         const std::vector<tool_spec>& tools) {
  std::vector<word_set> of_tool;
  for (const auto& tool : tools)
    of_tool.push_back(name_words(tool.name + " " + tool.description));
  const word_set objective = name_words(task);
  const word_weights weights{of_tool};
  std::vector<double> direct;
  for (const auto& words : of_tool)
    direct.push_back(weights.shared(objective, words));
  double most = 0;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (tools[i].kind == tool_kind::read || tools[i].kind == tool_kind::finish)
      continue;
    double weight = direct[i];
    for (std::size_t j = 0; j < tools.size(); ++j)
      if (j != i)
        weight = std::max(weight, step_factor * direct[j]
                                      * weights.shared(of_tool[i], of_tool[j]));
    most = std::max(most, weight);
    tools_.push_back({&tools[i], weight});
  }
  if (most <= 0) return;
  for (auto& one : tools_)
    one.weight /= most;
}

std::vector<const tool_spec*> step_back_principle::order(rng& draw) const {
  // Drawn one after the other without returning, each by its weight.
  std::vector<std::pair<double, const tool_spec*>> keys;
  for (const auto& [tool, weight] : tools_)
    keys.emplace_back(std::log(1 - draw.uniform())
                          / (1 + (most_preferred - 1) * weight),
                      tool);
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    return a.first > b.first;
  });
  std::vector<const tool_spec*> out;
  for (const auto& [key, tool] : keys)
    out.push_back(tool);
  return out;
}

double step_back_principle::weight(std::string_view tool) const {
  for (const auto& one : tools_)
    if (one.tool->name == tool) return one.weight;
  return 0;
}

} // namespace brewery
