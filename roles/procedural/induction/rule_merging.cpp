#include "roles/procedural/induction/rule_merging.hpp"

#include <algorithm>
#include <set>

namespace brewery {

namespace {

bool has_digit(const std::string& line) {
  return std::any_of(line.begin(), line.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool say_the_same(const induced_rule& a, const induced_rule& b) {
  if (!a.proof || !b.proof) return a.content == b.content;
  return a.content.when.front().observation
             == b.content.when.front().observation
         && a.content.calls == b.content.calls
         && a.content.clauses == b.content.clauses
         && a.proof->steps == b.proof->steps
         && a.proof->others == b.proof->others;
}

bool includes_evidence(const induced_goal& whole, const induced_goal& part) {
  const std::set<insight_id> known{whole.sources.begin(), whole.sources.end()};
  return whole.sources.size() > part.sources.size()
         && std::all_of(part.sources.begin(), part.sources.end(),
                        [&](const auto& id) { return known.contains(id); });
}

} // namespace

void merge_equal(induced& knowledge) {
  std::vector<induced_rule> rules;
  for (auto& item : knowledge.rules) {
    const auto same =
        std::find_if(rules.begin(), rules.end(), [&](const auto& kept) {
          return say_the_same(kept, item);
        });
    if (same == rules.end())
      rules.push_back(std::move(item));
    else if (has_digit(same->content.when.front().line)
             && !has_digit(item.content.when.front().line))
      *same = std::move(item);
  }
  knowledge.rules = std::move(rules);
  std::vector<induced_goal> goals;
  for (const auto& item : knowledge.goals) {
    const bool included = std::any_of(
        knowledge.goals.begin(), knowledge.goals.end(), [&](const auto& other) {
          return other.content.shows == item.content.shows
                 && includes_evidence(other, item);
        });
    if (!included) goals.push_back(item);
  }
  knowledge.goals = std::move(goals);
}

void keep_best_supported(std::vector<induced_rule>& rules, std::size_t most) {
  if (most == 0 || rules.size() <= most) return;
  const auto support = [](const induced_rule& item) {
    return item.proof ? item.proof->with.of : 0;
  };
  std::vector<std::size_t> order(rules.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return support(rules[a]) > support(rules[b]);
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<induced_rule> kept;
  for (const auto i : order)
    kept.push_back(std::move(rules[i]));
  rules = std::move(kept);
}

} // namespace brewery
