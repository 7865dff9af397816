#pragma once
/// Reads a tool's answer as status lines, the unit in which the procedural
/// roles observe, compare and learn. Knows nothing about any domain:
///   "Airplane Mode: ON\nSignal: good"  -> two keyed lines
///   {"line_id": "L1", "used_gb": 3.5}  -> "line_id: L1", "used_gb: 3.5"
///   "The SIM card is missing."         -> one line without a key

#include "envs/environment.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Lines of an answer in order, without duplicates. JSON objects are flattened
/// ("address.city: Bath"); a list of objects gives one line per key with the
/// values of all elements ("[].status: Paid, Draft").
std::vector<std::string> status_lines(std::string_view observation);

/// What a line is about: the text before the first ": ", or "" for a line that
/// is a whole statement.
std::string_view line_key(std::string_view line);

/// The JSON value when the text is an object or an array, else nothing.
std::optional<json> structured(std::string_view observation);

} // namespace brewery
