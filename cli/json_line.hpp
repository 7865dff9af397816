#pragma once
/// One JSON object on one line of standard output, for `--json`. Its `event`
/// names what it describes (docs/usage.md lists them).

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace brewery {

/// Bytes that are not UTF-8 become U+FFFD, so that every line is valid JSON.
inline std::string json_line(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace)
         + '\n';
}

/// The same for an object that does not name its event.
inline std::string json_line(std::string_view event,
                             const nlohmann::ordered_json& value) {
  nlohmann::ordered_json out{{"event", event}};
  out.update(value);
  return json_line(out);
}

} // namespace brewery
