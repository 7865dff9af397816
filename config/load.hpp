#pragma once
/// Configuration from a file, the environment and the command line, in this
/// order of precedence: defaults < file < BREWERY_SECTION__KEY < --set.
/// Reports every problem, not just the first; each is one line that names the
/// place, the key, the value and what was expected or meant.
///
/// Relative paths: in the file relative to the file's directory; from anywhere
/// else relative to the working directory. Loaded paths are absolute.

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
  /// Variables of the process; those that do not look like
  /// BREWERY_SECTION__KEY are ignored.
  std::vector<std::pair<std::string, std::string>> environment;
  std::filesystem::path working_directory; ///< absolute
};

struct loaded_config {
  config value;
  /// Option key -> where its value is from: "config/a.toml:3",
  /// "BREWERY_RUN__SEED" or "--set". Options at their default are absent.
  std::map<std::string, std::string> origins;
  bool file_read = true;       ///< false: no file of this name, or no TOML
  std::vector<error> problems; ///< in order of the sources; empty: usable
};

loaded_config load_config(const load_request& request);

/// The same with the file's text at hand; `request.file` names it.
loaded_config parse_config(std::string_view text, const load_request& request);

/// The variables of this process that begin with BREWERY_.
std::vector<std::pair<std::string, std::string>> brewery_environment();

} // namespace brewery
