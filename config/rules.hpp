#pragma once
/// Checks between options, and of options against the disk, that no single
/// option's range can express.

#include "config/load.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brewery {

struct config_rule {
  /// The options it looks at; the first is the one to blame. The rule is
  /// skipped when one of them could not be read.
  std::vector<std::string> keys;
  /// Empty when it holds, else what is wrong and what to do.
  std::function<std::string(const config&)> broken;
};

/// Every cross-field rule; pure.
const std::vector<config_rule>& config_rules();

/// What a run would miss: files and directories that are named but not there,
/// and a data directory that is needed but not named.
std::vector<error> missing_inputs(const loaded_config& loaded);

/// "config/a.toml:3: run.name = \"x\"": where an option's value is from.
std::string place(const loaded_config& loaded, const std::string& key);

} // namespace brewery
