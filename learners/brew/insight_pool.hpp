#pragma once
/// The insights of one concept with their counts: I_k of BREW
/// (arXiv:2511.20297). Equal insights from different rollouts are one entry
/// with a count. The content does not depend on the order of arrival. Owned by
/// one `concept_search`. Pure.

#include "messages/kb_msgs.hpp"

#include <map>

namespace brewery {

class insight_pool {
public:
  /// Adds an insight from `rollout` of `task`. The same insight from the same
  /// rollout counts once.
  void add(const insight& item, const job_id& rollout, const task_id& task);
  void add(const insight_pool& other);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// Calls `f` with each insight, ordered by id.
  template <class F>
  void each(F f) const {
    for (const auto& [id, pooled] : entries_)
      f(pooled.item);
  }

  /// All insights, ordered by id.
  [[nodiscard]] std::vector<counted_insight> list() const;

private:
  struct entry {
    insight item;
    std::map<job_id, task_id> rollouts;
  };
  std::map<insight_id, entry> entries_;
};

} // namespace brewery
