#pragma once
/// Finds the damaged rows of an event log, and writes the others into a new
/// one. What a row means, and so what its loss costs, is not known here
/// (report/log_repair.hpp).

#include "store/event_log.hpp"

namespace brewery {

struct damaged_row {
  std::uint64_t seq = 0;
  std::string kind, key; ///< as far as they can be read
  std::string what;      ///< is wrong with it
};

struct log_check {
  std::uint64_t intact = 0; ///< number of rows
  std::vector<damaged_row> damaged;
};

/// Reads every row; calls `visit` with those that are intact. An error means
/// that the file as a whole cannot be read, or one of the visitor.
result<log_check> check_log(const std::filesystem::path& directory,
                            const event_log::visitor& visit = {});

/// For tests.
struct salvage_faults {
  std::string vfs; ///< a failing file layer below SQLite, for the new log
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
            const salvage_faults& faults = {});

} // namespace brewery
