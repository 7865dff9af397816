#pragma once
/// Loads the configuration from a file, the environment and the command line.
/// Precedence: defaults < file < BREWERY_SECTION__KEY < --set. Reports every
/// problem, not just the first. Each problem is one line that names place, key
/// and value, and what was expected. Keys of earlier releases are read too
/// (config/moved_options.hpp).
///
/// Relative paths in the file are relative to its directory; other relative
/// paths to the working directory. Loaded paths are absolute.

#include "base/result.hpp"
#include "config/config.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

struct load_request {
  std::filesystem::path file;         ///< empty: defaults only
  std::vector<std::string> overrides; ///< "section.key=value" of --set
  /// Variables of the process. Those that are not of the form
  /// BREWERY_SECTION__KEY are ignored.
  std::vector<std::pair<std::string, std::string>> environment;
  std::filesystem::path working_directory; ///< absolute
  /// A program wrote the file, so no hints about it are given.
  bool stored = false;
  /// The folder of what was installed with the program, if it was: help and
  /// documents name files by their place in it.
  std::filesystem::path installed{};
};

struct loaded_config {
  config value;
  /// Option key -> origin of its value: "config/a.toml:3", "BREWERY_RUN__SEED"
  /// or "--set". Options with their default are absent.
  std::map<std::string, std::string> origins;
  bool file_read = true; ///< false: the file does not exist or is not TOML
  std::vector<error> problems; ///< in the order of the sources; empty: usable
  /// What works but should be changed, one line each: old keys, and options of
  /// a benchmark that is not chosen.
  std::vector<std::string> hints;
};

loaded_config load_config(const load_request& request);

/// For a file that is not where it was named: "; the one that was installed is
/// /usr/share/brewery/config/scarce.toml". Empty if there is none.
std::string installed_instead(const std::filesystem::path& file,
                              const std::filesystem::path& installed);

/// Parses the text of the file that `request.file` names.
loaded_config parse_config(std::string_view text, const load_request& request);

/// The variables of this process that begin with BREWERY_.
std::vector<std::pair<std::string, std::string>> brewery_environment();

} // namespace brewery
