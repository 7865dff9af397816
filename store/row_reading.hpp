#pragma once
/// Reads and checks single rows of the event log.

#include "store/database.hpp"
#include "store/event_log.hpp"

namespace brewery {

error no_such_row(const std::filesystem::path& file, std::uint64_t seq);

/// Which row is read.
struct row_place {
  const std::filesystem::path& file;
  std::uint64_t seq = 0;
  bool after_intact = false; ///< all rows before it were read
  /// Ends an error about damage; empty for who checks the whole log.
  std::string_view if_damaged = mend_log;
};

/// Names what could not be read. Error ec::corrupt: the row is damaged.
error read_failed(const row_place& place, const error& reason);

/// Checks and returns the current row of a query for seq, kind, key, size,
/// payload and crc. An event of kind `packed` gets no payload.
result<event_row> read_row(const statement& row, const row_place& place,
                           std::string_view packed = {});

/// A query for one row, which `read_numbered` carries out.
result<statement> rows_by_number(database& db);
/// Error ec::not_found: there is no such row.
result<event_row> read_numbered(statement& query, const row_place& place);

} // namespace brewery
