#pragma once
/// Files and directories, with errors as values that name the path and the
/// reason. "Disk full" (ENOSPC, EDQUOT) is ec::disk_full, a missing file
/// ec::not_found, everything else ec::io.

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace brewery {

/// Owns a file descriptor.
class file_descriptor {
public:
  file_descriptor() = default;
  explicit file_descriptor(int fd) : fd_(fd) {}
  file_descriptor(file_descriptor&& other) noexcept;
  file_descriptor& operator=(file_descriptor&& other) noexcept;
  ~file_descriptor();

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

private:
  int fd_ = -1;
};

/// From `errno` as the failed call left it: "cannot <what> <path>: <reason>".
error file_error(std::string_view what, const std::filesystem::path& path);

result<std::string> read_file(const std::filesystem::path& path);
/// For keys: refuses, with ec::io, a file that others may read or write.
result<std::string> read_private_file(const std::filesystem::path& path);

/// Afterwards `path` has its old content or all of `bytes`, also after a crash
/// or a power cut, and no reader sees anything between: written beside it,
/// synced, renamed over it, directory synced.
result<void> write_file_atomically(const std::filesystem::path& path,
                                   std::string_view bytes);

/// Makes names created, renamed or removed in a directory durable.
result<void> sync_directory(const std::filesystem::path& directory);

/// With its parents; fine when it is there already.
result<void> make_directories(const std::filesystem::path& directory);

} // namespace brewery
