#pragma once
/// Says how the agent of a configuration reads, for those who replay rollouts
/// without playing them.

#include "base/result.hpp"
#include "economy/reading.hpp"
#include "roles/options.hpp"

namespace brewery {

/// Error ec::invalid_config: the agent, or who it talks to, does not repeat
/// itself, so no rollout may stand for another. The message names the option.
result<std::shared_ptr<const reader>> make_reader(const role_options& options);

/// Whether judge and reflector look at nothing but an attempt and its grade,
/// and draw nothing.
bool review_the_attempt_only(const role_options& options);

} // namespace brewery
