#pragma once
/// Checks between options, and of options against the disk, which the range of
/// a single option cannot express.

#include "config/load.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brewery {

struct config_rule {
  /// The options that the rule uses; the first is named in the error. The rule
  /// is skipped if one of them is unreadable.
  std::vector<std::string> keys;
  /// Empty if the rule holds, else the problem and what to do.
  std::function<std::string(const config&)> broken;
};

/// All rules between options; pure.
const std::vector<config_rule>& config_rules();

/// Files and directories that are configured but missing, and a data directory
/// that is needed but not configured.
std::vector<error> missing_inputs(const loaded_config& loaded);

/// Where an option's value comes from: "config/a.toml:3: run.name = \"x\"".
std::string place(const loaded_config& loaded, const std::string& key);

} // namespace brewery
