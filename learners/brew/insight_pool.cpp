#include "learners/brew/insight_pool.hpp"

#include <algorithm>

namespace brewery {

void insight_pool::add(const insight& item, const insight_source& from) {
  const auto [it, added] = entries_.try_emplace(item.id);
  if (added) it->second.item = item;
  it->second.rollouts.emplace(from.rollout, from);
}

void insight_pool::add(const insight_pool& other) {
  for (const auto& [id, pooled] : other.entries_) {
    const auto [it, added] = entries_.try_emplace(id);
    if (added) it->second.item = pooled.item;
    it->second.rollouts.insert(pooled.rollouts.begin(), pooled.rollouts.end());
  }
}

insight_pool
insight_pool::merged(const std::map<insight_id, insight_id>& groups) const {
  insight_pool out;
  for (const auto& [id, pooled] : entries_) {
    const auto group = groups.find(id);
    const auto& shown =
        group == groups.end() ? pooled : entries_.at(group->second);
    auto& into = out.entries_[shown.item.id];
    into.item = shown.item;
    into.rollouts.insert(pooled.rollouts.begin(), pooled.rollouts.end());
  }
  return out;
}

counted_insight insight_pool::count(const entry& pooled,
                                    std::optional<std::uint32_t> parent) {
  counted_insight out;
  out.item = pooled.item;
  out.count = static_cast<std::uint32_t>(pooled.rollouts.size());
  out.fresh = parent.has_value();
  std::map<task_id, std::uint32_t> tasks;
  double reward = 0;
  for (const auto& [rollout, from] : pooled.rollouts) {
    ++tasks[from.task];
    out.rollouts.push_back(rollout);
    out.succeeded += from.reward >= 1;
    out.fresh = out.fresh && from.iteration > *parent;
    reward += from.reward;
  }
  if (out.count > 0) out.reward = reward / out.count;
  for (const auto& [task, count] : tasks)
    out.tasks.push_back({task, count});
  return out;
}

std::vector<counted_insight>
insight_pool::list(std::optional<std::uint32_t> parent) const {
  std::vector<counted_insight> out;
  out.reserve(entries_.size());
  for (const auto& [id, pooled] : entries_)
    out.push_back(count(pooled, parent));
  return out;
}

std::vector<counted_insight>
for_integration(std::vector<counted_insight> insights) {
  for (auto& counted : insights)
    if (is_sentence(counted)) {
      counted.tasks.clear();
      counted.rollouts.clear();
    }
  return insights;
}

} // namespace brewery
