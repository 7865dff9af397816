#pragma once
/// Parses a tool's answer to status lines, the unit in which the procedural
/// roles observe, compare and learn. Knows no domain:
///   "Airplane Mode: ON\nSignal: good"  -> two lines with keys
///   {"line_id": "L1", "used_gb": 3.5}  -> "line_id: L1", "used_gb: 3.5"
///   "The SIM card is missing."         -> one line without a key

#include "envs/environment.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// The lines of an answer in order, without duplicates. JSON objects are
/// flattened ("address.city: Bath"). A list of objects gives one line per key
/// with the values of all elements ("[].status: Paid, Draft").
std::vector<std::string> status_lines(std::string_view observation);

/// The key of a line: the text before the first ": ", or "" for a statement.
std::string_view line_key(std::string_view line);

/// The JSON value if the text is an object or an array; otherwise empty.
std::optional<json> structured(std::string_view observation);

} // namespace brewery
