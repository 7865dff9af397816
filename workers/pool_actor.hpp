#pragma once
/// The actor around the task queue: gives jobs to workers as they fall idle.

#include "actors/interfaces.hpp"
#include "workers/task_queue.hpp"

#include <functional>

namespace brewery {

struct pool_state {
  static inline const char* name = "pool";
  using promise = caf::typed_response_promise<job_result>;
  std::vector<worker_actor> workers;
  task_queue<promise> queue{0};
  /// Queued and running jobs, for metrics; may be empty.
  std::function<void(std::size_t queued, std::size_t running)> on_change;
};

pool_actor::behavior_type
pool(pool_actor::stateful_pointer<pool_state> self,
     std::vector<worker_actor> workers,
     std::function<void(std::size_t, std::size_t)> on_change);

} // namespace brewery
