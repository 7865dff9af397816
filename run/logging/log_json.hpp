#pragma once
/// A line of the log as a JSON object, for programs that collect logs. Lines
/// are written as text ("name key=value ... words"); this reads them.

#include "base/json.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace brewery {

/// Members `event`, the keys of the line, and `message` for the rest of it. Of
/// "worker NAME words" the member `worker` is the name. Text from outside comes
/// last in a line, so it cannot replace a key before it: the first one counts.
json log_fields(std::string_view line);

/// One line: time, level, then the members of `always`, then those of the line.
/// `at` is UTC. The longest members of the line are shortened if it would have
/// more than `bytes_max`, so that it can be read.
std::string log_line_json(std::chrono::system_clock::time_point at,
                          std::string_view level, const json& always,
                          std::string_view line,
                          std::size_t bytes_max = std::string_view::npos);

} // namespace brewery
