#pragma once
/// One rollout's session in a child.

#include "envs/external/child_pool.hpp"

namespace brewery::external {

/// Resets a task in the place. The place is given back when the environment is
/// destroyed, or at once if the reset fails (ec::environment).
result<std::unique_ptr<environment>>
start_session(std::shared_ptr<child_pool> pool, child_pool::place place,
              std::shared_ptr<const hello_reply> about, const task_id& task);

} // namespace brewery::external
