#pragma once
/// Turns the options of an external environment into how to start its program.

#include "config/config.hpp"
#include "envs/external/external_child.hpp"

namespace brewery {

/// For kinds with `runs_program()`. Errors name the option: a command with an
/// unmatched quote, or a variable of pass_env that is not set.
result<external::external_options>
child_options(const environment_options& options);

/// Where programs find the Python package brewery_env: in the sources of this
/// build, or, if those were moved together with the program, in the checkout
/// that the program is in. Empty: neither exists.
std::filesystem::path python_package(const std::filesystem::path& built_from,
                                     const std::filesystem::path& program);

/// Splits one string into words by a shell's rules for quotes and backslashes,
/// without other expansions. Several words stay as they are.
result<std::vector<std::string>>
command_words(const std::vector<std::string>& command);

} // namespace brewery
