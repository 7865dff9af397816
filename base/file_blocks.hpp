#pragma once
/// Files of any size, read in parts.

#include "base/file.hpp"

#include <cstdint>

namespace brewery {

/// Reads into `into`; fewer than `count` bytes only at the end of the file.
/// `path` is for the error.
result<std::size_t> read_file_at(const file_descriptor& file,
                                 std::uint64_t offset, char* into,
                                 std::size_t count,
                                 const std::filesystem::path& path);

/// SHA-256 in 64 hex digits; holds one block of the file at a time. A symbolic
/// link is an error.
result<std::string> sha256_of_file(const std::filesystem::path& path);

} // namespace brewery
