#pragma once
/// Operations on files and directories. Errors are values that name the path
/// and the reason. ENOSPC and EDQUOT give ec::disk_full, a missing file gives
/// ec::not_found, everything else gives ec::io.

#include "base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

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

/// "cannot <what> <path>: <reason>", with advice if the disk is full. The
/// default for `reason` is `errno` as the failed call left it.
error file_error(std::string_view what, const std::filesystem::path& path);
error file_error(int reason, std::string_view what,
                 const std::filesystem::path& path);

/// Also what is no plain file, such as a pipe that the user names.
result<std::string> read_file(const std::filesystem::path& path);

inline constexpr std::size_t plain_file_bytes_max = std::size_t{64} << 20;
/// For files whose names nobody chose, as in a run directory that may come from
/// elsewhere: whatever has the name, it returns. Error ec::io: it is no plain
/// file, or longer than `bytes_max`.
result<std::string>
read_plain_file(const std::filesystem::path& path,
                std::size_t bytes_max = plain_file_bytes_max);

/// Whether a file of this mode and owner keeps a secret for the user `reader`.
/// The owner's group and everybody else may do nothing with it. Of root's files
/// a group may read: a mounted Kubernetes Secret belongs to root, and its
/// reader is in the group of the mount (the rule of PostgreSQL's libpq).
bool keeps_secret(mode_t mode, uid_t owner, uid_t reader);
/// Reads a file with a key. Error ec::io if it does not keep a secret.
result<std::string> read_private_file(const std::filesystem::path& path);

/// Writes a file and syncs it. The caller syncs the directory. A link of this
/// name is not followed: error ec::io.
result<void> write_synced_file(const std::filesystem::path& path,
                               std::string_view bytes);

/// Afterwards `path` has its old content or all of `bytes`, even after a crash
/// or a power cut, and no reader sees a state in between. Writes a file beside
/// it, syncs it, renames it, and syncs the directory.
result<void> write_file_atomically(const std::filesystem::path& path,
                                   std::string_view bytes);

/// Where this process is. Error ec::not_found: that directory was removed, and
/// no relative path means anything.
result<std::filesystem::path> working_directory();

/// What tells a file from another one that takes its name later: the file
/// system, the number there, and when it was made, where that is known. Empty:
/// there is none.
std::string file_identity(const std::filesystem::path& path);

/// Makes created, renamed and removed names in a directory durable.
result<void> sync_directory(const std::filesystem::path& directory);

/// Creates the directory and its parents. Succeeds if it exists.
result<void> make_directories(const std::filesystem::path& directory);

} // namespace brewery
