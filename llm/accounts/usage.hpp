#pragma once
/// Reads the token counts of a reply.

#include "llm/format/json_text.hpp"
#include "messages/model_msgs.hpp"

namespace brewery {

/// From the reply's "usage"; all 0 when the server does not count. What breaks
/// an invariant of token_usage is read so that it holds and nothing is lost:
/// some servers do not count cached tokens among the prompt's, or reasoning
/// among the completion's, and then the sum is the whole.
result<token_usage> usage_of(const sorted_json& reply);

} // namespace brewery
