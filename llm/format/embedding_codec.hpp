#pragma once
/// The JSON format of embeddings. Numbers are sent as JSON lists, not as
/// base64, which some servers do not support.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// Error ec::invalid_argument: there is no text, or a text is empty. Servers
/// refuse these in different ways.
result<std::string> encode_embedding(const embedding_request& request);

/// Decodes the reply to `request`: one vector per text, in the order of the
/// texts, whatever their order in the reply. All vectors have the same length
/// (`dimensions` if requested) and finite numbers. Otherwise the error is
/// ec::malformed with the path.
result<embedding_reply> decode_embedding(std::string_view body,
                                         const embedding_request& request);

} // namespace brewery
