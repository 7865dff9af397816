#pragma once
/// Makes text from outside (models, child processes, workers, files) safe to
/// show: it cannot control a terminal or forge a log line. Pure; accepts any
/// bytes.

#include <cstddef>
#include <string>
#include <string_view>

namespace brewery {

/// For a terminal: control characters, also those of 8 bits and those that turn
/// the direction of a text, become "?"; line breaks and tabs stay.
std::string printable(std::string_view text);

/// For one line of a message or a log: control characters become spaces, bytes
/// that are not UTF-8 become U+FFFD. Text beyond `bytes_max` is cut between
/// characters and ends with "...".
std::string single_line(std::string_view text,
                        std::size_t bytes_max = std::string_view::npos);

/// Like single_line, but control and non-ASCII characters become "?".
std::string ascii_line(std::string_view text, std::size_t bytes_max = 200);

/// Replaces runs of spaces and control characters by one space, and trims.
std::string collapse_spaces(std::string_view text);

/// At most `bytes_max`, cut between characters. Says how much was cut.
std::string excerpt(std::string_view text, std::size_t bytes_max);

/// The same of the middle: an error often stands at the end of what a tool
/// says.
std::string excerpt_of_ends(std::string_view text, std::size_t bytes_max);

} // namespace brewery
