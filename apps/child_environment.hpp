#pragma once
/// From the options of an environment that is a program of its own to how it is
/// started.

#include "config/config.hpp"
#include "envs/external/external_child.hpp"

namespace brewery {

/// For kinds of which `runs_program()` holds. Errors name the option: a command
/// whose quotes do not match, a variable of pass_env that is not set.
result<external::external_options>
child_options(const environment_options& options);

/// One string into words as a shell does it, with quotes and backslashes and
/// nothing else; several words stay as they are.
result<std::vector<std::string>>
command_words(const std::vector<std::string>& command);

} // namespace brewery
