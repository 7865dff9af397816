#pragma once
/// Finds the damaged and missing rows of an event log. What a row means, and so
/// what its loss costs, is not known here (report/log_repair.hpp).

#include "store/event_log.hpp"

namespace brewery {

/// One row, or several in sequence of which nothing can be read.
struct damaged_row {
  std::uint64_t seq = 0;
  std::uint64_t last = 0; ///< of them; `seq` if it is one
  std::string kind, key;  ///< as far as they can be read
  std::string what;       ///< is wrong with it
};

struct log_check {
  std::uint64_t intact = 0; ///< number of rows
  std::vector<damaged_row> damaged;
  /// Why events.ack cannot be read, without which no log is opened. Rows that
  /// are missing at the end cannot be told then.
  result<void> acknowledged;

  [[nodiscard]] bool is_intact() const {
    return damaged.empty() && acknowledged;
  }
};

/// Reads every row; calls `visit` with those that are intact. An error means
/// that the file as a whole cannot be read, or one of the visitor. Takes no
/// more time or memory for a number of rows that is damaged itself.
result<log_check> check_log(const std::filesystem::path& directory,
                            const event_log::visitor& visit = {});

} // namespace brewery
