#pragma once
/// Reports bad usage in one line that suggests what was meant.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace brewery {

/// "" if every word in the place of a command is a command; else `unknown
/// command "kb lst"; did you mean "kb list"?`.
std::string unknown_command(CLI::App& app,
                            const std::vector<std::string>& arguments);

/// `help kb list` as `kb list --help`; other words as they are.
std::vector<std::string> help_words(std::vector<std::string> arguments);

/// Help for a terminal of 80 columns: longer lines go on below, where their
/// text began; a command goes on after a backslash.
std::string fitted_help(const std::string& text);

/// The parser's complaint in one line, with the help to read. An option that
/// does not exist is named, with the one that was probably meant.
std::string usage_message(CLI::App& app, const CLI::ParseError& problem,
                          const std::vector<std::string>& arguments);

} // namespace brewery
