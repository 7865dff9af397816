#pragma once
/// json.loads(): other than the JSON of most parsers it takes NaN, Infinity and
/// half a surrogate pair, and refuses a byte order mark. Pure.

#include "base/json.hpp"
#include "base/result.hpp"

#include <string_view>

namespace brewery::osworld {

/// `text` is UTF-8. Half a pair becomes U+FFFD. Error ec::malformed: what
/// Python refuses, or more than 900 levels, where Python's recursion ends.
result<json> py_json_loads(std::string_view text);

} // namespace brewery::osworld
