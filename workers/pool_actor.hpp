#pragma once
/// The actor around the task queue: gives jobs to workers as they fall idle.

#include "actors/interfaces.hpp"
#include "workers/task_queue.hpp"

#include <chrono>
#include <functional>
#include <map>

namespace brewery {

/// What a pool tells its metrics; members may be empty.
struct pool_observer {
  std::function<void(std::size_t queued, std::size_t running)> on_load;
  std::function<void(double seconds)> on_start; ///< after waiting so long
  /// Age of the job that runs longest; 0 when none does.
  std::function<void(double seconds)> on_oldest;
};

struct pool_state {
  static inline const char* name = "pool";
  using clock = std::chrono::steady_clock;
  struct waiter {
    caf::typed_response_promise<job_result> promise;
    clock::time_point since;
  };
  std::vector<worker_actor> workers;
  task_queue<waiter> queue{0};
  std::map<std::size_t, clock::time_point> started; ///< by busy worker
  pool_observer observer;
};

pool_actor::behavior_type pool(pool_actor::stateful_pointer<pool_state> self,
                               std::vector<worker_actor> workers,
                               pool_observer observer = {});

} // namespace brewery
