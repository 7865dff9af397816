#pragma once
/// The tables of events.db and the check that a file is one we can use.

#include "store/database.hpp"

namespace brewery {

/// Raised when an older Brewery could not use the file any more.
inline constexpr std::int64_t log_format = 1;

/// Makes an empty log as `file`, complete or not at all: built beside it, then
/// renamed.
result<void> create_log_file(const std::filesystem::path& file,
                             const std::string& vfs);

/// ec::corrupt when it is no event log, ec::version_mismatch when a newer
/// Brewery wrote it.
result<void> check_log_file(database& db, const std::filesystem::path& file);

} // namespace brewery
