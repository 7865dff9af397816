#pragma once
/// Small help for reading what models write and for showing it in messages.
/// Pure; safe on any bytes.

#include "base/result.hpp"
#include "envs/environment.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// At most `most` bytes, cut between characters; what was cut off is counted.
std::string excerpt(std::string_view text, std::size_t most);

/// White space runs become one space, other control characters too; trimmed.
std::string one_line(std::string_view text);

/// Both, for error messages.
std::string shown(std::string_view text, std::size_t most = 80);

/// Without the thoughts that some servers leave before the answer, in a leading
/// <think> block. Of thoughts that do not end nothing is left.
std::string_view without_thoughts(std::string_view reply);

/// The arguments of a tool call as a model wrote them; nothing at all is `{}`,
/// as several servers write a call without arguments. Error ec::malformed.
result<json> read_arguments(std::string_view text);

} // namespace brewery
