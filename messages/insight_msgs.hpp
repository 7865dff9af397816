#pragma once
/// Insights with how often they were made: what an integrator learns from.

#include "messages/insight.hpp"

#include <vector>

namespace brewery {

/// How many rollouts of one task made an insight.
struct task_count {
  shared_value<task_id> task;
  std::uint32_t count = 0;
  BREWERY_FIELDS(task_count, task, count)
};

/// An insight, with how often it was made, for which tasks, and how these
/// rollouts ended.
struct counted_insight {
  shared_value<insight> item;
  std::uint32_t count = 0; ///< number of rollouts that made it
  /// The count by task, in task order. In the job of an integrator this list
  /// and the next are empty where the insight is a sentence without a fact.
  std::vector<task_count> tasks;
  std::vector<shared_value<job_id>> rollouts; ///< that made it, in id order
  std::uint32_t succeeded = 0;                ///< how many of them had reward 1
  double reward = 0;                          ///< their mean
  bool fresh = false; ///< not known yet when the parent document was written
  static constexpr bool optional_field(std::string_view field) {
    return field == "succeeded" || field == "reward" || field == "fresh";
  }
  BREWERY_FIELDS(counted_insight, item, count, tasks, rollouts, succeeded,
                 reward, fresh)
};

} // namespace brewery
