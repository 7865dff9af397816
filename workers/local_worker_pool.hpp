#pragma once
/// The threads of this process as one worker of the pool, with one slot each.

#include "actors/interfaces.hpp"

#include <deque>
#include <vector>

namespace brewery {

struct local_worker_pool_state {
  static inline const char* name = "local_crew";
  worker_id number; // first member: else CAF 0.17 makes a handle from `self`
  pool_actor pool;
  std::vector<worker_actor> threads;
  std::vector<std::size_t> idle;
  /// Leases without a thread: one is still at a job that was revoked.
  std::deque<lease_order> waiting;
};

/// Joins the pool on its own.
worker_handle::behavior_type
local_worker_pool(worker_handle::stateful_pointer<local_worker_pool_state> self,
                  pool_actor pool, std::vector<worker_actor> threads);

} // namespace brewery
