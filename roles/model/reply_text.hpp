#pragma once
/// Helpers for parsing what models write and for showing it in messages. Pure;
/// safe on any bytes.

#include "base/result.hpp"
#include "envs/environment.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// For error messages: on one line, with single spaces, and not too long.
std::string shown(std::string_view text, std::size_t most = 80);

/// Removes the thoughts that some servers send before the answer, in a leading
/// <think> block. Empty if the block does not end.
std::string_view without_thoughts(std::string_view reply);

/// Parses the arguments of a tool call. Empty text is `{}`, because several
/// servers write a call without arguments like that. Error ec::malformed.
result<json> read_arguments(std::string_view text);

} // namespace brewery
