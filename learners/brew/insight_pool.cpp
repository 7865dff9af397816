#include "learners/brew/insight_pool.hpp"

namespace brewery {

namespace {

/// Enough to look at; the event log has the rest.
constexpr std::size_t max_named_rollouts = 5;

} // namespace

void insight_pool::add(const insight& item, const job_id& rollout) {
  const auto [it, added] = entries_.try_emplace(item.id);
  if (added) it->second.item = item;
  it->second.rollouts.insert(rollout);
}

std::vector<counted_insight> insight_pool::list() const {
  std::vector<counted_insight> out;
  out.reserve(entries_.size());
  for (const auto& [id, held] : entries_) {
    counted_insight counted{
        held.item, static_cast<std::uint32_t>(held.rollouts.size()), {}};
    for (const auto& rollout : held.rollouts) {
      if (counted.rollouts.size() == max_named_rollouts) break;
      counted.rollouts.push_back(rollout);
    }
    out.push_back(std::move(counted));
  }
  return out;
}

} // namespace brewery
