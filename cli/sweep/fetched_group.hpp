#pragma once
/// The sweep.json of a group that was fetched run by run: so `compare`,
/// `report` and the web page read the directory like one of `brewery sweep`.
/// Points are those of report/sweep/run_group.hpp.

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

/// Error ec::already_exists: the directory has a sweep with other runs.
result<void> can_hold_group(const std::filesystem::path& directory,
                            const std::vector<std::string>& ids);

/// Writes it, after the runs are there; `ids` are their folders' names.
result<void> note_group(const std::filesystem::path& directory,
                        const std::string& group,
                        const std::vector<std::string>& ids);

} // namespace brewery
