#pragma once
/// A path for a copy of a workbook. The file is removed at the end of the
/// scope.

#include <atomic>
#include <filesystem>
#include <string>

namespace brewery::spreadsheet {

class scratch_file {
public:
  explicit scratch_file(const std::filesystem::path& directory)
      : path_(directory / (std::to_string(next()) + ".xlsx")) {}
  ~scratch_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  static std::uint64_t next() {
    static std::atomic<std::uint64_t> made{0};
    return ++made;
  }

  std::filesystem::path path_;
};

} // namespace brewery::spreadsheet
