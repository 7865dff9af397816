#pragma once
/// What decides about the reuse of a rollout, of its job and its result. PURE.

#include "messages/rollout_msgs.hpp"

namespace brewery {

/// All that a rollout depends on but its knowledge base.
std::string sample_of(const rollout_job& work);

/// A reflector reads the titles of all documents, and an agent with a method of
/// its own may read more than it retrieves.
bool may_be_reused(const rollout_job& work);

/// What two rollouts that read the same have alike, beside their grade.
std::string hash_of_trajectory(const rollout_result& rollout);

/// What a result has that stands on this one: no trajectory.
rollout_result brief_of(const rollout_result& whole);

} // namespace brewery
