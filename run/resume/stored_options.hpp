#pragma once
/// The options of a run on record, and which of them may be others when it goes
/// on. PURE but for reading the run's configuration.

#include "config/load.hpp"
#include "store/run_directory.hpp"

#include <string>
#include <vector>

namespace brewery {

/// Whether results do not depend on the option with this key.
bool may_change(const std::string& key);

/// Error ec::corrupt: the run's file, which was read, has nothing or was cut.
/// The rest would be defaults, which are not the run's.
result<void> check_whole(const run_directory& directory,
                         const loaded_config& read);

/// The configuration from the run's start, without today's environment
/// variables, with `overrides` ("section.key=value"). Error
/// ec::invalid_argument: one of them may not change.
result<loaded_config>
stored_options(const run_directory& directory,
               const std::vector<std::string>& overrides = {});

/// The same without overrides. Error: also the first problem of it.
result<config> stored_config(const run_directory& directory);

struct option_change {
  std::string key, was, is; ///< values as TOML
};

/// What overrides have changed of `before`.
std::vector<option_change> changes(const config& before,
                                   const loaded_config& now);

} // namespace brewery
