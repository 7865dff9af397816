#include "llm/format/json_text.hpp"

#include "base/printable.hpp"
#include "messages/json_brackets.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace brewery {

namespace {

/// What nlohmann says, without its number and its path into the library.
std::string reason_of(const sorted_json::exception& caught) {
  std::string_view text = caught.what();
  if (const auto end = text.find("] "); end != std::string_view::npos)
    text.remove_prefix(end + 2);
  return ascii_line(text, 160);
}

constexpr std::size_t escape_bytes = 6; // \uXXXX

bool is_high(char16_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

bool is_low(char16_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

/// The code unit of an escape \uXXXX at the start of the text; 0: none there.
char16_t unit_at(std::string_view text) {
  std::uint16_t unit = 0;
  if (text.size() < escape_bytes || !text.starts_with("\\u")) return 0;
  const auto* end = text.data() + escape_bytes;
  const auto read = std::from_chars(text.data() + 2, end, unit, 16);
  return read.ec == std::errc{} && read.ptr == end ? unit : 0;
}

/// With U+FFFD for each half of a character. A backslash that is escaped itself
/// begins no escape.
std::string with_whole_characters(std::string_view json, lone_halves& halves) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const auto rest = json.substr(at);
    const auto unit = unit_at(rest);
    std::size_t size = 1;
    if (is_high(unit) && is_low(unit_at(rest.substr(escape_bytes))))
      size = 2 * escape_bytes;
    else if (is_high(unit) || is_low(unit)) {
      out += "\\ufffd";
      at += escape_bytes;
      halves.push_back(unit);
      continue;
    } else if (rest.front() == '\\' && rest.size() > 1)
      size = 2;
    out += rest.substr(0, size);
    at += size;
  }
  return out;
}

} // namespace

result<sorted_json> parse_json_text(std::string_view text,
                                    std::string_view what) {
  if (json_depth(text) > json_depth_most)
    return error{ec::malformed, fmt::format("{} is nested deeper than {}", what,
                                            json_depth_most)};
  try {
    return sorted_json::parse(text);
  } catch (const sorted_json::exception& caught) {
    return error{ec::malformed,
                 fmt::format("{} is not JSON ({} bytes): {}", what, text.size(),
                             reason_of(caught))};
  }
}

result<sorted_json> parse_server_json(std::string_view text,
                                      std::string_view what,
                                      lone_halves* halves) {
  auto parsed = parse_json_text(text, what);
  if (parsed) return parsed;
  lone_halves found;
  const auto mended = with_whole_characters(text, found);
  if (found.empty()) return parsed;
  auto again = parse_json_text(mended, what);
  if (again && halves) *halves = std::move(found);
  return again;
}

std::string to_text(const sorted_json& value) {
  return value.dump(-1, ' ', false, sorted_json::error_handler_t::replace);
}

std::string ordered_text(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace);
}

std::string kind_of(const sorted_json& value) {
  switch (value.type()) {
  case sorted_json::value_t::null:
    return "null";
  case sorted_json::value_t::boolean:
    return "a boolean";
  case sorted_json::value_t::string:
    return "a string";
  case sorted_json::value_t::array:
    return fmt::format("a list of {}", value.size());
  case sorted_json::value_t::object:
    return fmt::format("an object of {}", value.size());
  default:
    return "a number";
  }
}

const sorted_json* member(const sorted_json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

result<std::string> text_member(const sorted_json& object, const char* name,
                                std::string_view where) {
  const auto* found = member(object, name);
  if (found == nullptr) return std::string{};
  if (found->is_string()) return found->get<std::string>();
  return error{ec::malformed, fmt::format("{}.{} is {}, expected a string",
                                          where, name, kind_of(*found))};
}

result<std::uint64_t> count_member(const sorted_json& object, const char* name,
                                   std::string_view where) {
  const auto* found = member(object, name);
  if (found == nullptr) return std::uint64_t{0};
  // No count exceeds 2^53, and sums of counts stay in range.
  constexpr double largest = 9007199254740992.0;
  if (found->is_number()) {
    const auto value = found->get<double>();
    if (value >= 0 && value <= largest && std::floor(value) == value)
      return static_cast<std::uint64_t>(value);
  }
  return error{
      ec::malformed,
      fmt::format("{}.{} is {}, expected an integer from 0", where, name,
                  found->is_number() ? to_text(*found) : kind_of(*found))};
}

} // namespace brewery
