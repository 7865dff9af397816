#pragma once
/// The sweep.json of a group that was fetched run by run: so `compare`,
/// `report` and the web page read the directory like one of `brewery sweep`.
/// The file of a sweep is not there, so points come from the runs' ids.

#include "store/run_status.hpp"
#include "sweep/sweep_state.hpp"

#include <string>
#include <vector>

namespace brewery {

/// A run of a group, as its fetched folder has it.
struct grouped_run {
  std::string id; ///< on the coordinator; its folder's name
  std::uint64_t seed = 0;
  run_state state = run_state::interrupted;
  std::string reason{}; ///< why it failed; may be empty
};

/// GROUP.POINT-sSEED is a run of POINT, if it has this seed; a run with another
/// id is a point by itself. Points by name, runs by seed. PURE.
sweep_state state_of_group(const std::string& group,
                           const std::vector<grouped_run>& runs);

/// Error ec::already_exists: the directory has a sweep with other runs.
result<void> can_hold_group(const std::filesystem::path& directory,
                            const std::vector<std::string>& ids);

/// Writes it, after the runs are there; `ids` are their folders' names.
result<void> note_group(const std::filesystem::path& directory,
                        const std::string& group,
                        const std::vector<std::string>& ids);

} // namespace brewery
