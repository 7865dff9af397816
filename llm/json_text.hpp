#pragma once
/// JSON from servers and models: parsed without exceptions, with limits, and
/// read with errors that name the path. For sources only; headers of this
/// folder carry JSON as text.

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace brewery {

using json = nlohmann::json;

/// Deeper nesting is nobody's reply, and code that follows it would need stack.
inline constexpr std::size_t json_depth_most = 64;

/// Exactly one value. ec::malformed "WHAT is not JSON: REASON" for anything
/// else: cut off, not UTF-8, too deep, numbers out of range.
result<json> parse_json_text(std::string_view text, std::string_view what);

/// Compact; bytes that are not UTF-8 become U+FFFD (tools print anything, and
/// JSON cannot carry it).
std::string to_text(const json& value);

/// "a string", "an object of 3", ...
std::string kind_of(const json& value);

/// Where the next {, }, [ or ] outside of strings is, from a place that is
/// outside of them; text.size(): nowhere.
std::size_t next_bracket(std::string_view text, std::size_t from);
inline bool opens(char bracket) {
  return bracket == '{' || bracket == '[';
}

/// Safe to show in a one-line message: control characters and what is not
/// ASCII as "?", cut after `longest`.
std::string one_line(std::string_view text, std::size_t longest = 200);

/// The member if it is there and not null.
const json* member(const json& object, std::string_view name);

/// "" when missing or null; ec::malformed when it is no string.
result<std::string> text_member(const json& object, const char* name,
                                std::string_view where);

/// 0 when missing or null; ec::malformed for anything but an integer from 0.
/// Some servers write counts as 12.0, which is taken.
result<std::uint64_t> count_member(const json& object, const char* name,
                                   std::string_view where);

} // namespace brewery
