#pragma once
/// Files of a knowledge base on disk: read with a limit, and replaced as a
/// whole folder, so that a reader or a crash sees the old one or the new one.

#include "base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// An errno as a message: ec::disk_full for a full disk or quota, else ec::io.
error file_error(int code, std::string_view doing,
                 const std::filesystem::path& where);

inline constexpr std::size_t document_bytes_max = 4u << 20;

/// Error ec::not_found, ec::io, or ec::invalid_argument above `bytes_max`.
result<std::string> read_text_file(const std::filesystem::path& file,
                                   std::size_t bytes_max = document_bytes_max);

struct named_file {
  std::string name; ///< relative, '/' makes folders
  std::string bytes;
};

/// Writes the files into a new folder beside `dir`, forces them to disk and
/// puts the folder in `dir`'s place in one step. An existing `dir` is replaced
/// only when it is empty or holds a file `marker`, so that it is ours (an empty
/// `marker`: never); else ec::already_exists. ec::disk_full or ec::io leaves
/// `dir` as it was.
result<void> replace_folder(const std::filesystem::path& dir,
                            const std::vector<named_file>& files,
                            const std::string& marker);

} // namespace brewery
