#pragma once
/// What the jobs under way are about, in words, for messages about a job of
/// which only the id is known. Thread-safe.

#include "messages/job_msgs.hpp"

#include <mutex>
#include <string>
#include <unordered_map>

namespace brewery {

/// "rollout of task t3, trial 2", "integration of concept Fan".
std::string name_of(const job& work);

class job_names {
public:
  void begin(const job& work);
  void end(const job_id& id);
  /// Empty if it is not under way.
  [[nodiscard]] std::string of(const job_id& id) const;

private:
  mutable std::mutex mutex_;
  std::unordered_map<job_id, std::string> names_; ///< guarded by mutex_
};

} // namespace brewery
