#pragma once
/// What decides about the reuse of a rollout, of its job and its result. PURE.

#include "base/result.hpp"
#include "messages/rollout_msgs.hpp"

namespace brewery {

/// All that a rollout depends on but its knowledge base; `all_trials`: and but
/// its trial.
std::string sample_of(const rollout_job& work, bool all_trials);

/// What two rollouts that read the same have alike, beside their grade: calls,
/// answers, ratings and insights.
std::string hash_of_trajectory(const rollout_result& rollout);

/// What a result has that stands on this one: no trajectory, and no insights,
/// which are large.
rollout_result brief_of(const rollout_result& whole);

/// The insights of a rollout, to be kept: some 10 kB.
std::string kept_insights(const rollout_result& whole);
/// Error ec::malformed: they are more than may be sent in this form. A worker
/// may have given them in another.
result<rollout_insights> insights_in(const std::string& kept);

} // namespace brewery
