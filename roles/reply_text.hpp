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

/// The JSON object of a reply: the whole of it, the inside of its code fence,
/// or what stands from the first brace to the last. Error ec::malformed says
/// where it breaks.
result<json> json_object_of(std::string_view reply);

/// The arguments of a tool call as a model wrote them; nothing at all is `{}`,
/// as several servers write a call without arguments. Error ec::malformed.
result<json> read_arguments(std::string_view text);

} // namespace brewery
