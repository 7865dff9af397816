#pragma once
/// What the address of a request says: the parts of its path and the values of
/// its query, decoded. PURE.

#include "base/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::web {

/// Error ec::invalid_argument: a `%` without two hex digits, a control
/// character or bytes that are not UTF-8.
result<std::string> percent_decoded(std::string_view text);

/// "/api/runs/a%20b" as {"api", "runs", "a b"}: decoded after it was split, so
/// no part becomes two. A part may then hold any character, also "/" and "..".
result<std::vector<std::string>> path_parts(std::string_view path);

using query_values = std::map<std::string, std::string>;

/// "a=1&b=x+y" as {a: "1", b: "x y"}. Error ec::invalid_argument: a name that
/// is not among `known`, a name twice, a value that cannot be decoded.
result<query_values> parse_query(std::string_view query,
                                 const std::vector<std::string>& known);

} // namespace brewery::web
