#pragma once
/// Where the trajectory is of a rollout that was not played
/// (`rollout_result::reused_from`): with a rollout of the same log, named by
/// its id; or, as "RUN/ID", with the rollout itself, which then has a copy of
/// what the run RUN played as ID. So every log is whole. PURE.

#include "base/ids.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// As it stands in the result of a copy.
inline std::string of_other_run(const std::string& run, const job_id& id) {
  return run + '/' + id.value;
}

/// Whether it was played in another run: its own result has the trajectory.
inline bool is_of_other_run(std::string_view reused_from) {
  return reused_from.find('/') != std::string_view::npos;
}

/// The rollout of this log that has the trajectory of rollout `id`.
inline job_id with_trajectory(const job_id& id,
                              const std::string& reused_from) {
  return reused_from.empty() || is_of_other_run(reused_from)
             ? id
             : job_id{reused_from};
}

} // namespace brewery
