#pragma once
/// What all commands share for output to people: exit codes, the form of error
/// lines, colour.

#include "base/error.hpp"
#include "base/terminal_text.hpp"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

enum exit_code : int {
  exit_ok = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_interrupted = 130,
};

/// Usage and configuration errors are 2, cancellation is 130, the rest is 1.
exit_code exit_code_of(ec code);

/// From now on, `report` also prints each error as a JSON line on standard
/// output: {"event":"error","code":"not found","message":"..."}.
void report_errors_as_json();

/// Prints "brewery: message" on standard error; returns the exit code.
int report(const error& problem);

/// Prints each problem on its own line; returns the exit code of the first.
int report(const std::vector<error>& problems);

/// Prints each as a one-line note on standard error, once per process.
void print_hints(const std::vector<std::string>& hints);

/// Whether to use colour: on a terminal, if neither NO_COLOR nor TERM=dumb is
/// set.
bool colours(std::FILE* stream);

/// Whether a line on this stream can be rewritten: a terminal, not TERM=dumb.
bool rewrites_lines(std::FILE* stream);

/// How wide a table on standard output may be: the terminal's columns, or 0, no
/// limit, where it is none.
std::size_t table_width();

/// A table that fits the terminal behind standard output. Elsewhere each row is
/// one line, for programs.
std::string fitted_table(const std::vector<std::vector<std::string>>& rows);

/// Width of the terminal behind the stream; 80 if it is no terminal.
std::size_t columns(std::FILE* stream);

} // namespace brewery
