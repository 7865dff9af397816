#pragma once
/// A directory of one process for modules, workspaces and copies of workbooks.
/// It is removed at the end. The directory of a killed process is removed by a
/// later process.

#include "base/file.hpp"

namespace brewery::spreadsheet {

class private_directory {
public:
  /// Creates it below `parent`; empty: the system's directory for temporary
  /// files. First removes directories of processes that have ended.
  static result<private_directory>
  make(const std::filesystem::path& parent = {});

  private_directory(private_directory&&) noexcept = default;
  private_directory& operator=(private_directory&&) = delete;
  ~private_directory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  private_directory(std::filesystem::path path, file_descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  file_descriptor lock_; ///< while locked, the directory is in use
};

/// Removes a directory with all its content, whatever modes untrusted code set.
void remove_tree(const std::filesystem::path& directory);

} // namespace brewery::spreadsheet
