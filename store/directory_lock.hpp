#pragma once
/// The right to write in a run directory: an advisory lock (flock) on its file
/// `lock`, held until destruction or the end of the process, however it ends.
/// The file says who holds it and is never removed.

#include "base/file.hpp"

namespace brewery {

class directory_lock {
public:
  /// ec::in_use with the holder's process id when it is taken, also by this
  /// process.
  static result<directory_lock> take(const std::filesystem::path& directory);

private:
  explicit directory_lock(file_descriptor file) : file_(std::move(file)) {}
  file_descriptor file_;
};

} // namespace brewery
