#pragma once
/// A benchmark that runs in child processes, in any language, behind the same
/// port as the built-in ones; docs/environments.md is the contract. Children
/// are started when rollouts need them; a rollout in a child that breaks has
/// no score (ec::environment), and the next one gets another child.
///
/// Whoever plays the other side of a conversation is in the child: `company` is
/// not used.

#include "envs/external/external_child.hpp"

namespace brewery::external {

/// Starts a first child and asks what there is. Errors name the command, the
/// reason and the last lines of its standard error.
result<std::shared_ptr<const benchmark>>
load_external(const external_options& options);

} // namespace brewery::external
