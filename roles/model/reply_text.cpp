#include "roles/model/reply_text.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/json_brackets.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

result<json> parse_object(std::string_view text) {
  if (json_depth(text) > json_depth_most)
    return error{ec::malformed,
                 fmt::format("the JSON nests deeper than {}", json_depth_most)};
  try {
    auto value = json::parse(text);
    if (value.is_object()) return value;
    return error{ec::malformed,
                 "expected a JSON object, got " + shown(text, 40)};
  } catch (const json::exception& caught) {
    std::string_view why = caught.what();
    if (const auto at = why.find("parse error"); at != std::string_view::npos)
      why.remove_prefix(at);
    return error{ec::malformed, "not valid JSON: " + shown(why, 160)};
  }
}

} // namespace

std::string shown(std::string_view text, std::size_t most) {
  return excerpt(collapse_spaces(text), most);
}

std::string_view without_thoughts(std::string_view reply) {
  constexpr std::string_view open = "<think>", close = "</think>";
  const auto text = trim(reply);
  if (!text.starts_with(open)) return reply;
  const auto end = text.find(close);
  return end == std::string_view::npos ? std::string_view{}
                                       : trim(text.substr(end + close.size()));
}

result<json> read_arguments(std::string_view text) {
  if (trim(text).empty()) return json::object();
  return parse_object(text);
}

} // namespace brewery
