/// What came to a pool of insights, for snapshots.

#include "learners/brew/insight_pool.hpp"
#include "messages/packed_insights.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// So that a part fits into a message, of at most four million values.
constexpr std::size_t insights_in_part = 20'000;
constexpr std::size_t pairs_in_part = 100'000;

} // namespace

void insight_pool::take_growth(
    const std::function<void(const pool_growth&)>& take) {
  pool_growth part;
  bool first = true;
  const auto begin_next = [&] {
    take(part);
    part = {};
    first = false;
  };
  part.rollouts.assign(sources_.begin()
                           + static_cast<std::ptrdiff_t>(sources_given_),
                       sources_.end());
  for (auto at = entries_given_; at < entries_.size(); at += insights_in_part) {
    if (at > entries_given_) begin_next();
    const auto end = std::min(entries_.size(), at + insights_in_part);
    std::vector<const insight*> items;
    items.reserve(end - at);
    for (auto i = at; i < end; ++i)
      items.push_back(&*entries_[i].item);
    part.insights = pack_items(items);
  }
  for (std::size_t at = 0; at < made_.size(); at += 2 * pairs_in_part) {
    if (at > 0 || !first) begin_next();
    const auto end = std::min(made_.size(), at + 2 * pairs_in_part);
    part.made.assign(made_.begin() + static_cast<std::ptrdiff_t>(at),
                     made_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  take(part);
  sources_given_ = sources_.size();
  entries_given_ = entries_.size();
  made_ = {};
}

result<void> insight_pool::absorb(const pool_growth& growth) {
  const auto damaged =
      error{ec::corrupt, "a pool of insights contradicts itself"};
  for (const auto& from : growth.rollouts)
    if (const auto next = sources_.size(); place_of(from) != next)
      return damaged;
  const auto insights = unpack(growth.insights, max_unpacked_bytes);
  if (!insights) return damaged;
  for (const auto& item : *insights) {
    const auto next = entries_.size();
    if (place_of(item) != next) return damaged;
  }
  if (growth.made.size() % 2 != 0) return damaged;
  for (std::size_t i = 0; i < growth.made.size(); i += 2) {
    const auto insight = growth.made[i], rollout = growth.made[i + 1];
    if (insight >= entries_.size() || rollout >= sources_.size())
      return damaged;
    insert(entries_[insight].rollouts, rollout);
  }
  sources_given_ = sources_.size();
  entries_given_ = entries_.size();
  return {};
}

} // namespace brewery
