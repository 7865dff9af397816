#pragma once
/// File operations for knowledge bases: read a file with a size limit, and
/// replace a whole folder atomically, so that a reader or a crash sees the old
/// folder or the new one.

#include "base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

inline constexpr std::size_t document_bytes_max = 4u << 20;

/// Errors ec::not_found and ec::io. Error ec::invalid_argument: the file is
/// longer than `bytes_max`.
result<std::string> read_text_file(const std::filesystem::path& file,
                                   std::size_t bytes_max = document_bytes_max);

struct named_file {
  std::string name; ///< relative; '/' separates folders
  std::string bytes;
};

/// Writes the files into a new folder beside `dir`, syncs them and swaps the
/// folder with `dir` in one step; into an empty `dir` they are moved. Replaces
/// an existing `dir` only if it is empty or holds a file `marker`, which shows
/// that Brewery wrote it (with an empty `marker`: only if it is empty).
/// Otherwise the error is ec::already_exists. Errors ec::disk_full and ec::io
/// leave `dir` unchanged.
result<void> replace_folder(const std::filesystem::path& dir,
                            const std::vector<named_file>& files,
                            const std::string& marker);

} // namespace brewery
