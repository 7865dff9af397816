#include "messages/json.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

namespace brewery {

std::string json_quoted(std::string_view text) {
  const auto quoted =
      json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string out;
  out.reserve(quoted.size());
  for (std::size_t at = 0; at < quoted.size();) {
    const auto [value, size] = decode_utf8(quoted, at);
    if (value >= 0x7f && value < 0xa0)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(value));
    else
      out.append(quoted, at, size);
    at += size;
  }
  return out;
}

} // namespace brewery
