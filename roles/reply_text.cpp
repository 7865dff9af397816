#include "roles/reply_text.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Deeper values are no argument of a tool, and copying them recurses as deep.
constexpr int max_nesting = 64;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\')
      ++i;
    else if (c == '"')
      inside = !inside;
    else if (!inside && (c == '{' || c == '['))
      ++depth;
    else if (!inside && (c == '}' || c == ']'))
      --depth;
    if (depth > max_nesting) return true;
  }
  return false;
}

result<json> parse_object(std::string_view text) {
  if (nests_too_deep(text))
    return error{ec::malformed,
                 fmt::format("the JSON nests deeper than {}", max_nesting)};
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

std::string excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string{text};
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80)
    --most;
  return fmt::format("{}... ({} more bytes)", text.substr(0, most),
                     text.size() - most);
}

std::string one_line(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (c == ' ' || is_control(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

std::string shown(std::string_view text, std::size_t most) {
  return excerpt(one_line(text), most);
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
