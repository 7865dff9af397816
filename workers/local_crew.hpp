#pragma once
/// The threads of this process as one worker of the pool, with a slot for each.

#include "actors/interfaces.hpp"

#include <vector>

namespace brewery {

struct local_crew_state {
  static inline const char* name = "local_crew";
  worker_id number; // first: CAF 0.17 would make a handle from `self`
  pool_actor pool;
  std::vector<worker_actor> threads;
  std::vector<std::size_t> idle;
};

/// Joins the pool by itself.
crew_member::behavior_type
local_crew(crew_member::stateful_pointer<local_crew_state> self,
           pool_actor pool, std::vector<worker_actor> threads);

} // namespace brewery
