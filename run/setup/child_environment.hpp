#pragma once
/// Turns the options of an external environment into how to start its program.

#include "config/config.hpp"
#include "envs/external/external_child.hpp"

#include <string_view>

namespace brewery {

/// For kinds with `runs_program()`. Errors name the option: a command with an
/// unmatched quote or whose program is not there, or a variable of pass_env
/// that is not set.
result<external::external_options>
child_options(const environment_options& options);

/// Where the Python package brewery_env may be.
struct package_places {
  std::filesystem::path built_from; ///< folder in the sources of this build
  std::filesystem::path installed;  ///< relative to the program's folder
  std::filesystem::path program;    ///< this program; empty if unknown
};

/// The folder that has brewery_env, for PYTHONPATH: what was installed with the
/// program goes first, then the sources of this build, then, if those were
/// moved together with the program, the checkout that the program is in. Empty:
/// none.
std::filesystem::path python_package(const package_places& places);

/// Splits one string into words by a shell's rules for quotes and backslashes,
/// without other expansions. Several words stay as they are. Errors name
/// `option`.
result<std::vector<std::string>>
command_words(const std::vector<std::string>& command, std::string_view option);

} // namespace brewery
