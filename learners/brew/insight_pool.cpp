#include "learners/brew/insight_pool.hpp"

namespace brewery {

void insight_pool::add(const insight& item, const job_id& rollout,
                       const task_id& task) {
  const auto [it, added] = entries_.try_emplace(item.id);
  if (added) it->second.item = item;
  it->second.rollouts.emplace(rollout, task);
}

void insight_pool::add(const insight_pool& other) {
  for (const auto& [id, pooled] : other.entries_) {
    const auto [it, added] = entries_.try_emplace(id);
    if (added) it->second.item = pooled.item;
    it->second.rollouts.insert(pooled.rollouts.begin(), pooled.rollouts.end());
  }
}

std::vector<counted_insight> insight_pool::list() const {
  std::vector<counted_insight> out;
  out.reserve(entries_.size());
  for (const auto& [id, pooled] : entries_) {
    counted_insight counted{pooled.item,
                            static_cast<std::uint32_t>(pooled.rollouts.size()),
                            {},
                            {}};
    std::map<task_id, std::uint32_t> tasks;
    for (const auto& [rollout, task] : pooled.rollouts) {
      ++tasks[task];
      counted.rollouts.push_back(rollout);
    }
    for (const auto& [task, count] : tasks)
      counted.tasks.push_back({task, count});
    out.push_back(std::move(counted));
  }
  return out;
}

} // namespace brewery
