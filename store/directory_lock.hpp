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

  /// Error ec::io: the directory was moved or removed, or its disk is gone.
  /// What is written by its name is not written there. From any thread.
  [[nodiscard]] result<void> in_place() const;

private:
  directory_lock(std::filesystem::path path, file_descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}
  std::filesystem::path path_; ///< of the file
  file_descriptor file_;
};

} // namespace brewery
