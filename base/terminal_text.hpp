#pragma once
/// Formats text for terminals: emphasis, tables, durations. PURE: the printing
/// code checks for a terminal (cli/terminal.hpp). Text from outside passes
/// base/printable.hpp first.

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

enum class style { bold, dim, red, green, yellow, cyan };

/// `text` with escape sequences around it, if `enabled`.
std::string styled(std::string_view text, style how, bool enabled);

/// "12 s", "3 min 05 s", "2 h 07 min"; "?" if negative.
std::string duration_text(double seconds);

/// A bar of `width` characters, filled to `share` of 1 in eighths. The rest is
/// blanks, or nothing if `open`.
std::string bar_text(double share, std::size_t width, bool open = false);

/// At most the first `count` characters of valid UTF-8.
std::string_view first_characters(std::string_view text, std::size_t count);

/// Left-aligned columns, two spaces apart. Widths count characters, not bytes.
/// The last column is not padded. If lines are longer than `width` (0: no
/// limit), the widest columns become narrower and their cells continue on
/// further lines.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  std::size_t width = 0);

} // namespace brewery
