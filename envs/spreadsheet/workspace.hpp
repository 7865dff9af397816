#pragma once
/// The directory of one attempt at one case: input.xlsx goes in, output.xlsx
/// comes out. What is in it was written by code nobody trusts and may change at
/// any moment: files are opened relative to the directory, never through a link
/// or a pipe, and read up to a limit.

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
  /// Below `root`, with a copy of `input`. ec::environment when it cannot be.
  static result<workspace> make(const std::filesystem::path& root,
                                const std::filesystem::path& input);

  workspace(workspace&& other) noexcept;
  workspace& operator=(workspace&&) = delete;
  ~workspace(); ///< removes it

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Workbooks that are new or other than at the last call of this or of
  /// `replace`; a few, by name. Links, pipes and directories do not count.
  std::vector<std::string> changed_workbooks();

  enum class fetched : std::uint8_t { copied, missing, not_a_file, too_large };

  /// Copies a file out, as it is now. Error: the copy could not be written.
  result<fetched> fetch(const std::string& name,
                        const std::filesystem::path& to) const;

  /// Puts a file in place of one that is there, with its owner and mode.
  result<void> replace(const std::string& name,
                       const std::filesystem::path& from);

private:
  struct look {
    ino_t number = 0;
    off_t bytes = 0;
    timespec changed{};
    bool operator==(const look& other) const {
      return number == other.number && bytes == other.bytes
             && changed.tv_sec == other.changed.tv_sec
             && changed.tv_nsec == other.changed.tv_nsec;
    }
  };

  workspace(std::filesystem::path path, file_descriptor directory)
      : path_(std::move(path)), directory_(std::move(directory)) {}
  [[nodiscard]] std::optional<look> look_at(const std::string& name) const;

  std::filesystem::path path_; ///< empty: moved from
  file_descriptor directory_;
  std::map<std::string, look> seen_;
};

} // namespace brewery::spreadsheet
