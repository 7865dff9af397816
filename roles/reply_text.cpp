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

/// The inside of a reply that is one code fence; else the reply.
std::string_view without_fence(std::string_view reply) {
  reply = trim(reply);
  if (!reply.starts_with("```") || !reply.ends_with("```")) return reply;
  const auto line = reply.find('\n');
  if (line == std::string_view::npos || line + 3 > reply.size()) return reply;
  return trim(reply.substr(line, reply.size() - line - 3));
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

result<json> json_object_of(std::string_view reply) {
  const auto bare = without_fence(reply);
  auto whole = parse_object(bare);
  if (whole) return whole;
  const auto first = bare.find('{');
  const auto last = bare.rfind('}');
  if (first == std::string_view::npos || last == std::string_view::npos
      || last < first || (first == 0 && last + 1 == bare.size()))
    return whole;
  auto inside = parse_object(bare.substr(first, last - first + 1));
  return inside ? std::move(inside) : std::move(whole);
}

result<json> read_arguments(std::string_view text) {
  if (trim(text).empty()) return json::object();
  return parse_object(text);
}

} // namespace brewery
