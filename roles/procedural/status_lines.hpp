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
/// flattened ("address.city: Bath"), and two numbers with the same unit are
/// compared ("used_gb compared with limit_gb: above"). A list of objects gives
/// a line for each key and value ("one has status: Paid").
std::vector<std::string> status_lines(std::string_view observation);

/// The key of a line: the text before the first ": ", or "" for a statement.
std::string_view line_key(std::string_view line);

/// True if the line can be a condition of a rule. Not so are joined values of
/// lists, and ids, dates and amounts of a list's records: they differ from task
/// to task.
bool is_state(std::string_view line);

/// The number if the whole text is one, as JSON writes it; otherwise null.
json number_in_text(std::string_view text);

/// The JSON value if the text is an object or an array; otherwise empty.
std::optional<json> structured(std::string_view observation);

} // namespace brewery
