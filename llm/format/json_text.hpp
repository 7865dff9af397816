#pragma once
/// JSON from servers and models: parsed without exceptions and within limits.
/// Errors name the path. Only for sources; headers of this folder pass JSON as
/// text.

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Keys are sorted: equal values have equal bytes, whoever wrote them.
using sorted_json = nlohmann::json;

/// Exactly one value. ec::malformed "WHAT is not JSON: REASON" for anything
/// else: cut off, not UTF-8, too deep, numbers out of range.
result<sorted_json> parse_json_text(std::string_view text,
                                    std::string_view what);

/// Halves of a surrogate pair that stand alone, in their order.
using lone_halves = std::vector<char16_t>;

/// For what servers send: the escape of half a character alone, which is no
/// JSON but is written by some, reads as U+FFFD. `halves` gets the halves.
result<sorted_json> parse_server_json(std::string_view text,
                                      std::string_view what,
                                      lone_halves* halves = nullptr);

/// Compact; bytes that are not UTF-8 become U+FFFD (tools print anything, and
/// JSON cannot carry it).
std::string to_text(const sorted_json& value);
std::string ordered_text(const nlohmann::ordered_json& value);

/// "a string", "an object of 3", ...
std::string kind_of(const sorted_json& value);

/// The member if it is there and not null.
const sorted_json* member(const sorted_json& object, std::string_view name);

/// "" when missing or null; ec::malformed when it is no string.
result<std::string> text_member(const sorted_json& object, const char* name,
                                std::string_view where);

/// 0 when missing or null; ec::malformed for anything but an integer from 0.
/// Some servers write counts as 12.0, which is taken.
result<std::uint64_t> count_member(const sorted_json& object, const char* name,
                                   std::string_view where);

} // namespace brewery
