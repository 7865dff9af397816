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

/// "12 s", "3 min 05 s"; "?" if negative.
std::string duration_text(double seconds);

/// Left-aligned columns, two spaces apart. Widths count characters, not bytes.
/// The last column is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows);

} // namespace brewery
