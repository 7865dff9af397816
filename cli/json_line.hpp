#pragma once
/// One JSON value on one line of standard output, for `--json`.

#include <nlohmann/json.hpp>

#include <string>

namespace brewery {

/// Bytes that are not UTF-8 become U+FFFD, so that every line is valid JSON.
inline std::string json_line(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace)
         + '\n';
}

} // namespace brewery
