#pragma once
/// Puts a salvaged log into the place of the damaged one. That takes several
/// moves, and a process can be killed between any two. What it leaves is told
/// from a run without a log, and the next salvage makes the other moves.

#include "base/result.hpp"

#include <filesystem>
#include <functional>

namespace brewery {

/// Where the new log is written, beside the damaged one.
std::filesystem::path salvaged_log_in(const std::filesystem::path& directory);

/// Whether the damaged log has gone and the new one not come yet.
bool is_half_exchanged(const std::filesystem::path& directory);

/// Error ec::corrupt, with what to do, if it is half exchanged.
result<void> check_not_exchanged(const std::filesystem::path& directory);

/// Moves the damaged log aside and the new one, all of it in its events.db, to
/// its place; or ends that. Returns the directory with the damaged log.
/// `before_move` lets tests end it before any move.
result<std::filesystem::path>
exchange_logs(const std::filesystem::path& directory,
              const std::function<result<void>(const std::filesystem::path&)>&
                  before_move = {});

} // namespace brewery
