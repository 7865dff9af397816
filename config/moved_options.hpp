#pragma once
/// Keys that options had in earlier releases. They are still read with the same
/// meaning, so users' files, stored configurations of runs and set-ups from an
/// older coordinator still load.

#include "config/option.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct moved_option {
  std::string section, name;      ///< the old names
  std::vector<const option*> now; ///< one for each benchmark that has it
  /// Set if the old default was not the effective default of every benchmark.
  /// An option with this value keeps its benchmark's own default.
  std::optional<option_value> unsaid{};
  /// The default then, if it is another now. In a stored configuration it is
  /// no choice for a benchmark that has no such option.
  std::optional<option_value> old_default{};

  [[nodiscard]] std::string key() const { return section + '.' + name; }
};

/// Null if no option had this key.
const moved_option* find_moved(const std::string& section,
                               const std::string& name);

/// Converts a value under the old key for the option `now`.
option_value moved_value(const moved_option& from, const option& now,
                         option_value value);

/// The new key for the chosen benchmark; all new keys if it has none.
std::string new_key(const moved_option& from, const config& chosen);

} // namespace brewery
