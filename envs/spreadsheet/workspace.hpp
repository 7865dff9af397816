#pragma once
/// The directory of one attempt at one case: input.xlsx is put in, output.xlsx
/// is taken out. Its content was written by untrusted code and may change at
/// any moment. So files are opened relative to the directory, never through a
/// link or a pipe, and read up to a limit.

#include "base/file.hpp"

#include <map>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace brewery::spreadsheet {

inline constexpr const char* input_name = "input.xlsx";
inline constexpr const char* output_name = "output.xlsx";

class workspace {
public:
  /// Creates it below `root`, with a copy of `input`. Error ec::environment on
  /// failure.
  static result<workspace> make(const std::filesystem::path& root,
                                const std::filesystem::path& input);

  workspace(workspace&& other) noexcept;
  workspace& operator=(workspace&&) = delete;
  ~workspace(); ///< removes the directory

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The workbooks that are new or changed since the last call of this or of
  /// `replace`; at most a few, by name. Ignores links, pipes and directories.
  /// Error: this machine could not list it.
  result<std::vector<std::string>> changed_workbooks();

  enum class fetched : std::uint8_t { copied, missing, not_a_file, too_large };

  /// Copies a file out in its current state. Error: this machine could not open
  /// it, which says nothing of the file, or could not write the copy.
  result<fetched> fetch(const std::string& name,
                        const std::filesystem::path& to) const;

  /// Replaces an existing file; keeps its owner and mode.
  result<void> replace(const std::string& name,
                       const std::filesystem::path& from);

private:
  struct observation {
    ino_t number = 0;
    off_t bytes = 0;
    timespec changed{};
    bool operator==(const observation& other) const {
      return number == other.number && bytes == other.bytes
             && changed.tv_sec == other.changed.tv_sec
             && changed.tv_nsec == other.changed.tv_nsec;
    }
  };

  workspace(std::filesystem::path path, file_descriptor directory)
      : path_(std::move(path)), directory_(std::move(directory)) {}
  [[nodiscard]] std::optional<observation>
  observe(const std::string& name) const;

  std::filesystem::path path_; ///< empty: moved from
  file_descriptor directory_;
  std::map<std::string, observation> seen_;
};

} // namespace brewery::spreadsheet
