#pragma once
/// The configuration a command line names.

#include "apps/commands.hpp"
#include "config/load.hpp"

namespace brewery {

/// From the file, the environment and `--set`, in the working directory.
loaded_config load_from(const config_arguments& arguments);

/// `runs_dir` as given, else as the environment or the defaults have it.
std::filesystem::path runs_directory(const std::string& runs_dir);

/// The same, with problems and missing inputs reported on standard error.
/// `code` is 0 when the configuration can be used.
struct usable_config {
  config value;
  int code = 0;
};
usable_config usable_config_from(const config_arguments& arguments);

} // namespace brewery
