#pragma once
/// Loads the configuration that a command line names.

#include "cli/commands.hpp"
#include "config/load.hpp"

namespace brewery {

/// The folder of what was installed with the program. Empty: not known. It need
/// not be there: a build may run where it was built.
std::filesystem::path installed_data();

/// Loads file, environment and `--set`, relative to the working directory, and
/// prints the hints.
loaded_config load_from(const config_arguments& arguments);

/// For who searches nothing, and only wants a run's agent or its retrieval:
/// what the run reuses must not refuse another retrieval.
void without_economy(config_arguments& arguments);

/// `runs_dir` if given, else the value of the environment or the default.
/// Warns of what is wrong with the environment.
std::filesystem::path runs_directory(const std::string& runs_dir);

/// What names a directory of runs other than the default: "--runs-dir" or the
/// variable; empty: nothing does.
std::string runs_directory_named_by(const std::string& runs_dir);

/// Loads likewise, and reports problems and missing inputs on standard error.
/// `code` is 0 if the configuration is usable.
struct usable_config {
  config value;
  int code = 0;
};
usable_config usable_config_from(const config_arguments& arguments);

} // namespace brewery
