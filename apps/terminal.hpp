#pragma once
/// What all commands share when they talk to people: exit codes, the form of
/// error lines, colour.

#include "base/error.hpp"

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

/// Prints "brewery: message" on standard error; returns the exit code.
int report(const error& problem);

/// Prints each problem on its own line; returns the exit code of the first.
int report(const std::vector<error>& problems);

/// Whether to colour: a terminal, and neither NO_COLOR nor TERM=dumb is set.
bool colours(std::FILE* stream);

/// Width of the terminal behind the stream, 80 when it has none.
std::size_t columns(std::FILE* stream);

enum class style { bold, dim, red, green, yellow, cyan };

/// `text` with escape sequences around it, if `enabled`.
std::string styled(std::string_view text, style how, bool enabled);

/// "12 s", "3 min 05 s"; "?" of less than nothing.
std::string duration_text(double seconds);

/// Left-aligned columns, two spaces apart; widths in characters, not bytes.
/// The last column is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// Text from outside without control characters, so that a document or a file
/// name cannot drive the terminal. Line breaks and tabs are kept.
std::string printable(std::string_view text);

} // namespace brewery
