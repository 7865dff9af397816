#pragma once
/// Writes the intact rows of a damaged event log into a new one, and puts that
/// in its place.

#include "store/log_check.hpp"

namespace brewery {

struct salvage_hooks {
  /// For tests: a failing file layer below SQLite, for the new log.
  std::string vfs;
  /// Called before each file is moved; its error ends the salvage there, as if
  /// the process was killed.
  std::function<result<void>(const std::filesystem::path&)> before_move;
};

/// Replaces a log by one with the rows that are intact and that `keep` wants,
/// numbered anew. Returns the directory beside it where the old log is kept
/// unchanged. After a crash in the middle, the next call ends the exchange.
/// Error ec::in_use: a process has the log open for writing. After this and any
/// other error the log is as it was, or the next call ends the exchange.
result<std::filesystem::path>
salvage_log(const std::filesystem::path& directory,
            const std::function<bool(const event_row&)>& keep,
            const salvage_hooks& hooks = {});

} // namespace brewery
