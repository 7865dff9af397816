#pragma once
/// Reads the token counts of a reply.

#include "llm/format/json_text.hpp"
#include "messages/model_msgs.hpp"

namespace brewery {

/// From the reply's "usage"; all 0 when the server does not count. What breaks
/// an invariant of token_usage is read so that it holds and nothing is lost:
/// some servers do not count cached tokens among the prompt's, or reasoning
/// among the completion's, and then the sum is the whole. What only the total
/// counts is reasoning. Counts above 10^9 are nonsense, and then nothing is
/// counted.
result<token_usage> usage_of(const sorted_json& reply);

/// Of a body that holds no usable reply; all 0 if it has no counts.
token_usage counts_in(std::string_view body);

} // namespace brewery
