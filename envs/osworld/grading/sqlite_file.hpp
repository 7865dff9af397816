#pragma once
/// Reads an SQLite database that lies in memory, read-only, as `sqlite3` of
/// Python would read the file without its write-ahead log. The guest made it:
/// its schema is not trusted, and a query has a limit of steps and rows. Pure.

#include "base/json.hpp"
#include "base/result.hpp"

#include <string>
#include <vector>

namespace brewery::osworld {

/// The first rows of a query of one statement, each a list; a blob is null.
/// Error ec::malformed: SQLite refuses the file, the query or a text in it.
/// Error ec::exhausted: it takes too long.
result<std::vector<json>> sqlite_rows(std::string bytes,
                                      const std::string& query,
                                      std::size_t rows_most = 1'000'000);

} // namespace brewery::osworld
