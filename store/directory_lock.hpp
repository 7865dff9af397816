#pragma once
/// The right to write in a run directory: an advisory lock (flock) on the file
/// `lock` in it. It is released by the destructor or when the process ends,
/// however it ends. The file names the holder and is never removed.

#include "base/file.hpp"

namespace brewery {

class directory_lock {
public:
  /// Error ec::in_use: another holder has the lock, maybe in this process. The
  /// message names the holder's process id.
  static result<directory_lock> take(const std::filesystem::path& directory);

private:
  explicit directory_lock(file_descriptor file) : file_(std::move(file)) {}
  file_descriptor file_;
};

} // namespace brewery
