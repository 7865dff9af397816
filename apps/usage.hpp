#pragma once
/// Bad usage in one line that says what was meant.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace brewery {

/// "" when every word that stands where a command is expected is a command;
/// else `unknown command "kb lst"; did you mean "kb list"?`.
std::string unknown_command(CLI::App& app,
                            const std::vector<std::string>& arguments);

/// What the parser objects to, on one line, with the help to read.
std::string usage_message(CLI::App& app, const CLI::ParseError& problem);

} // namespace brewery
