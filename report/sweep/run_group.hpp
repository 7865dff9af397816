#pragma once
/// Runs of one group in a directory of runs, as on a coordinator, as the points
/// of a sweep. The sweep's file is not there, so points come from runs' ids.

#include "base/result.hpp"
#include "store/run_status.hpp"
#include "sweep/sweep_state.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

struct grouped_run {
  std::string id; ///< its folder's name
  std::uint64_t seed = 0;
  run_state state = run_state::interrupted;
  std::string reason{};  ///< why it failed; may be empty
  bool has_begun = true; ///< it has a log
};

/// GROUP.POINT-sSEED is a run of POINT, if it has this seed; a run with another
/// id is a point by itself. Points in the order of their first runs, runs by
/// seed. PURE.
sweep_state state_of_group(const std::string& group,
                           const std::vector<grouped_run>& runs);

/// Groups of two runs or more, by name.
std::vector<std::string> groups_in(const std::filesystem::path& runs_dir);

/// As far as its runs are, without scores. Error ec::not_found: nobody is in
/// it.
result<sweep_state> group_on_record(const std::filesystem::path& runs_dir,
                                    const std::string& group);

} // namespace brewery
