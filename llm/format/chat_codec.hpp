#pragma once
/// The JSON format of chat completions: encodes a `chat_request` and decodes a
/// reply to a `chat_reply`.

#include "base/result.hpp"
#include "llm/format/json_schema.hpp"
#include "messages/model_msgs.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// The features of a server, from its `provider`.
struct chat_dialect {
  schema_form schemas = schema_form::full;
  bool seed = true;
  /// Empty: depends on the reasoning effort and the model's name.
  std::string max_tokens_field;
};

/// Error ec::invalid_argument: the request cannot be encoded. The message names
/// the place, e.g. "tools[2] 'f': parameters is not JSON ...". Bytes that are
/// not UTF-8 are sent as U+FFFD.
result<std::string> encode_chat(const chat_request& request,
                                const chat_dialect& dialect);

/// Decodes the body of a reply. It is strict where the meaning depends on it.
/// It tolerates differences between servers that do not change the meaning:
/// arguments as an object instead of a string, content as a list of text parts,
/// no content (a model that only reasons says nothing: an empty reply), and no
/// usage (all counts are then 0).
///
/// Error ec::malformed: the message names the path. Error ec::refused_content:
/// the server's filter or the model refused.
result<chat_reply> decode_chat(std::string_view body);

} // namespace brewery
