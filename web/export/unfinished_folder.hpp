#pragma once
/// The folder that is written to until it is whole and gets its name. It is
/// locked meanwhile: one that nobody locks is of a process that was killed, as
/// by Ctrl-C.

#include "base/file.hpp"

#include <filesystem>

namespace brewery::web {

class unfinished_folder {
public:
  /// With a name of its own beside `target`, so several may be written at once:
  /// ".NAME.brewery-export-" and six characters. Removes those that were
  /// abandoned.
  static result<unfinished_folder> make(const std::filesystem::path& target);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  unfinished_folder(std::filesystem::path path, file_descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  file_descriptor lock_; ///< empty: this file system has no locks
};

} // namespace brewery::web
