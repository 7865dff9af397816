#pragma once
/// `live.json` in the directory of a run that goes on: its `live_json`, with
/// the time at which that was so. The run's watch writes it every few seconds
/// and removes it when the run ends; what a killed process left says how old it
/// is. Not copied with the run: a page may miss one.

#include "base/result.hpp"
#include "run/live/live_state.hpp"

#include <filesystem>

namespace brewery {

/// No such file is larger.
inline constexpr std::size_t live_bytes_max = std::size_t{256} * 1024;

std::filesystem::path live_path(const std::filesystem::path& run);

/// Adds `at_ms`, milliseconds since 1970. What cannot be written is not shown.
void write_live(const std::filesystem::path& run, json state,
                std::chrono::system_clock::time_point now);
void remove_live(const std::filesystem::path& run);

/// Error ec::not_found: there is none. Error ec::corrupt: it is none of this
/// build's, or too large. So who reads it may rely on its members.
result<json> read_live(const std::filesystem::path& run);

} // namespace brewery
