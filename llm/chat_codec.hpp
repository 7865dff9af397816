#pragma once
/// Chat completions as servers want and give them: from `chat_request` to the
/// JSON of a request, from the JSON of a reply to `chat_reply`.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// What a server takes; from its `provider`.
struct chat_dialect {
  bool json_schema = true;
  bool seed = true;
  std::string max_tokens_field; ///< empty: by whether there is an effort
};

/// ec::invalid_argument with the place, e.g. "tools[2] 'f': parameters is not
/// JSON ...", for a request that cannot be written. Text that is not UTF-8 is
/// sent with U+FFFD in its place.
result<std::string> encode_chat(const chat_request& request,
                                const chat_dialect& dialect);

/// The reply to one. Strict where the meaning depends on it, tolerant where
/// servers differ and it does not: arguments as an object instead of a string,
/// content as a list of text parts, usage left out (all counts are then 0).
///
/// ec::malformed with the path of what is wrong, ec::refused_content when the
/// server's filter or the model itself refused.
result<chat_reply> decode_chat(std::string_view body);

} // namespace brewery
