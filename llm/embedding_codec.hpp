#pragma once
/// Embeddings as servers want and give them. Numbers travel as JSON lists, not
/// as base64: not every server has that.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// ec::invalid_argument when there is no text, or an empty one, which servers
/// refuse each in its own way.
result<std::string> encode_embedding(const embedding_request& request);

/// The reply to `request`: one vector per text in the order of the texts,
/// whatever the order they came in; all of one length, `dimensions` if asked
/// for; finite. Else ec::malformed with the path.
result<embedding_reply> decode_embedding(std::string_view body,
                                         const embedding_request& request);

} // namespace brewery
