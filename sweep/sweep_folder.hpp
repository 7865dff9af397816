#pragma once
/// The folder of one run of a sweep: made, continued after a kill, or extended.

#include "run/results.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"
#include "sweep/sweep_file.hpp"

#include <memory>
#include <optional>

namespace brewery {

/// Error ec::invalid_argument: the run in the folder began with other options,
/// or with more iterations. No folder, or one without a log: there is nothing
/// to contradict. `place`: the option that gives the sweep another place.
result<void> can_go_on_in(const std::filesystem::path& sweep,
                          const std::string& run, const config& options,
                          std::string_view place = "--group");

struct open_folder {
  run_directory directory;
  /// Of a finished run, which then has no log here.
  std::optional<run_summary> summary;
  std::shared_ptr<event_log> log;
};

/// Call it after `can_go_on_in`. More iterations than before extend the run.
result<open_folder> open_run(const std::filesystem::path& sweep,
                             const std::string& run, const config& options);

} // namespace brewery
