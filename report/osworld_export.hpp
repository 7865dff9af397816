#pragma once
/// Exports a run's final evaluation from its log, as directories and files in
/// the layout of OSWorld's runners:
///
///   ACTIONS/OBSERVATION/MODEL/DOMAIN/ID/{traj.jsonl, result.txt, step_N.png}
///   summary/results.json
///
/// The log has no time of an action, so its fields are empty. A rollout whose
/// environment broke has no result.txt, as there.

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace brewery {

/// The hash in "screenshot HASH WxH", a line of what an agent saw; empty: none.
std::string screenshot_in(const std::string& observation);

struct osworld_export {
  std::string arm; ///< the exported arm
  std::size_t rollouts = 0;
  std::size_t graded = 0;      ///< with a result.txt
  std::size_t missing = 0;     ///< planned, but not in the log
  std::size_t screenshots = 0; ///< found and copied
};

/// `arm` is a name in the report; empty: the published arm. With several trials
/// the first level is trial_N. `screenshots` is where the workers kept them;
/// empty: as the run's configuration says. Errors: the run is not of OSWorld,
/// there is no evaluation yet, no such arm, or a file cannot be written.
result<osworld_export> export_osworld(const std::filesystem::path& run,
                                      const std::string& arm,
                                      const std::filesystem::path& screenshots,
                                      const std::filesystem::path& out);

} // namespace brewery
