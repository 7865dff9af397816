#pragma once
/// The insights of one concept with their counts: I_k of BREW
/// (arXiv:2511.20297). Equal insights from different rollouts are one entry
/// with a count. The content does not depend on the order of arrival. Owned by
/// one `concept_search`. Pure.

#include "messages/kb_msgs.hpp"

#include <map>
#include <optional>

namespace brewery {

/// The rollout that an insight was made from.
struct insight_source {
  job_id rollout;
  task_id task;
  double reward = 0;
  std::uint32_t iteration = 0; ///< that played it; 0: before the search
};

class insight_pool {
public:
  /// The same insight from the same rollout counts once.
  void add(const insight& item, const insight_source& from);
  void add(const insight_pool& other);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// A pool in which the rollouts of each insight of `groups` are those of the
  /// insight that stands for it. A rollout that made both counts once.
  [[nodiscard]] insight_pool
  merged(const std::map<insight_id, insight_id>& groups) const;

  /// Calls `f` with each insight, ordered by id.
  template <class F>
  void each(F f) const {
    for (const auto& [id, pooled] : entries_)
      f(pooled.item);
  }

  /// All insights, ordered by id. Those that no rollout had made until
  /// iteration `parent`, when the parent document was written, are fresh.
  [[nodiscard]] std::vector<counted_insight>
  list(std::optional<std::uint32_t> parent = {}) const;

private:
  struct entry {
    insight item;
    std::map<job_id, insight_source> rollouts;
  };
  static counted_insight count(const entry& pooled,
                               std::optional<std::uint32_t> parent);

  std::map<insight_id, entry> entries_;
};

/// Without a fact that a program can count: what a model wrote.
inline bool is_sentence(const insight& item) {
  return item.fact.kind.empty();
}
inline bool is_sentence(const counted_insight& counted) {
  return is_sentence(counted.item);
}

/// The insights as an integrator gets them. A sentence without a fact is only
/// read, so it goes without the names of its tasks and rollouts: an integration
/// may count thousands of rollouts.
std::vector<counted_insight>
for_integration(std::vector<counted_insight> insights);

} // namespace brewery
