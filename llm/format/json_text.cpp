#include "llm/format/json_text.hpp"

#include "base/printable.hpp"
#include "messages/json_brackets.hpp"

#include <fmt/format.h>

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
