#include "llm/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// Brackets open at once, outside of strings. An upper bound suffices: what is
/// no JSON is refused by the parser.
std::size_t nesting(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (auto at = next_bracket(text, 0); at < text.size();
       at = next_bracket(text, at + 1)) {
    if (opens(text[at]))
      deepest = std::max(deepest, ++depth);
    else if (depth > 0)
      --depth;
  }
  return deepest;
}

/// What nlohmann says, without its number and its path into the library.
std::string reason_of(const json::exception& caught) {
  std::string_view text = caught.what();
  if (const auto end = text.find("] "); end != std::string_view::npos)
    text.remove_prefix(end + 2);
  return one_line(text, 160);
}

} // namespace

std::size_t next_bracket(std::string_view text, std::size_t from) {
  bool quoted = false;
  for (; from < text.size(); ++from) {
    const char c = text[from];
    if (quoted && c == '\\')
      ++from;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (opens(c) || c == '}' || c == ']'))
      return from;
  }
  return text.size();
}

std::string one_line(std::string_view text, std::size_t longest) {
  std::string out{text.substr(0, longest)};
  for (auto& byte : out)
    if (byte < ' ' || byte > '~') byte = '?';
  return text.size() > longest ? out + "..." : out;
}

result<json> parse_json_text(std::string_view text, std::string_view what) {
  if (nesting(text) > json_depth_most)
    return error{ec::malformed, fmt::format("{} is nested deeper than {}", what,
                                            json_depth_most)};
  try {
    return json::parse(text);
  } catch (const json::exception& caught) {
    return error{ec::malformed,
                 fmt::format("{} is not JSON ({} bytes): {}", what, text.size(),
                             reason_of(caught))};
  }
}

std::string to_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string kind_of(const json& value) {
  switch (value.type()) {
  case json::value_t::null:
    return "null";
  case json::value_t::boolean:
    return "a boolean";
  case json::value_t::string:
    return "a string";
  case json::value_t::array:
    return fmt::format("a list of {}", value.size());
  case json::value_t::object:
    return fmt::format("an object of {}", value.size());
  default:
    return "a number";
  }
}

const json* member(const json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

result<std::string> text_member(const json& object, const char* name,
                                std::string_view where) {
  const auto* found = member(object, name);
  if (found == nullptr) return std::string{};
  if (found->is_string()) return found->get<std::string>();
  return error{ec::malformed, fmt::format("{}.{} is {}, expected a string",
                                          where, name, kind_of(*found))};
}

result<std::uint64_t> count_member(const json& object, const char* name,
                                   std::string_view where) {
  const auto* found = member(object, name);
  if (found == nullptr) return std::uint64_t{0};
  // Beyond 2^53 nothing is counted, and sums of counts stay in range.
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
