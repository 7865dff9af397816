#pragma once
/// The summary of a finished run, from what it stored: its arms and barriers
/// are in its log, its times in `status.json`. Plays and writes nothing, so it
/// needs neither the benchmark nor a right to write.

#include "config/config.hpp"
#include "run/results.hpp"
#include "store/run_directory.hpp"

#include <optional>

namespace brewery {

/// Empty if the run has to be executed for its results: it is not finished,
/// its files are missing, or it was not recorded with these options. Errors:
/// those of a log that cannot be read.
result<std::optional<run_summary>> stored_summary(const run_directory& run,
                                                  const config& options);

} // namespace brewery
