#pragma once
/// The tables of events.db, and the check that a file is a usable log.

#include "store/database.hpp"

namespace brewery {

/// Incremented when an older Brewery can no longer use the file. 1: compressed
/// by zlib; 2: new rows by zstd, with packed insights in results.
inline constexpr std::int64_t log_format = 2;

/// Creates an empty log as `file`, completely or not at all: it writes a
/// temporary file beside it and renames that. Error ec::already_exists: there
/// is something of this name, which stays.
result<void> create_log_file(const std::filesystem::path& file,
                             const std::string& vfs);

/// Error ec::corrupt: the file is not an event log. Error ec::version_mismatch:
/// a newer Brewery wrote it.
result<void> check_log_file(database& db, const std::filesystem::path& file);

/// How a log is opened by who only reads it. SQLite reads one that was closed
/// only where it may create the index of the write-ahead file. In a directory
/// of somebody else it may not. But then nobody writes the log either.
database::mode mode_for_reading(const std::filesystem::path& file);

/// Marks a log of an older format before the first row of this one is written.
result<void> raise_log_format(database& db);

} // namespace brewery
