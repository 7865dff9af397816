#pragma once
/// A directory for one process: modules, workspaces, copies of workbooks. It is
/// removed at the end; what a killed process left is removed by the next one.

#include "base/file.hpp"

namespace brewery::spreadsheet {

class private_directory {
public:
  /// Below `parent`, empty: the system's directory for temporary files. Removes
  /// those of processes that are gone first.
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
  file_descriptor lock_; ///< held: somebody uses it
};

/// Removes it with all that is in it, whatever modes code of others gave it.
void remove_tree(const std::filesystem::path& directory);

} // namespace brewery::spreadsheet
