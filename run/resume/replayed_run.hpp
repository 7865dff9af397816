#pragma once
/// The file `replays` in the directory of a run that repeats another: one line,
/// the path of that run's directory, relative to its own. Without it a resume
/// would ask the servers, and be charged, where the run asked nobody. Older
/// releases ignore the file.

#include "store/run_directory.hpp"

#include <filesystem>

namespace brewery {

/// The path of that file.
std::filesystem::path replay_note(const run_directory& run);

/// The directory of the run that this one repeats; empty: it asks servers.
/// Error ec::corrupt: the file has not one line.
result<std::filesystem::path> replayed_by(const run_directory& run);

/// Writes the file, unless it says so already; `replayed` empty: removes what
/// an attempt to begin left. Before a run begins, so that it never runs
/// without.
result<void> remember_replay(const run_directory& run,
                             const std::filesystem::path& replayed);

} // namespace brewery
