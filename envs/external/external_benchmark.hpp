#pragma once
/// A benchmark in child processes, written in any language, behind the
/// environment port; docs/environments.md is the contract. Children are started
/// when rollouts need them. A rollout whose child breaks has no score
/// (ec::environment); the next rollout gets another child.
///
/// The child also plays the user of a conversation, so participants are not
/// used.

#include "envs/external/external_child.hpp"

namespace brewery::external {

/// Starts the first child and reads its tasks and tools. Errors name the
/// command, the reason and the last lines of its standard error.
result<std::shared_ptr<const benchmark>>
load_external(const external_options& options);

} // namespace brewery::external
